/** What a service repeats of a request that it should not, and how. */

const base64 = (text: string) => Buffer.from(text).toString('base64');

/** The key as it is, as in an address, and as in a header of another kind. */
export const formsOf = (key: string): string[] => [key, encodeURIComponent(key), base64(key)];

/** A text that has the key in each of its forms. */
export function echoOf(key: string): string {
	const [plain, inAddress, encoded] = formsOf(key);
	return `Authorization: Bearer ${plain}; ?api_key=${inAddress}; ${encoded}`;
}

/** An answer in which each record, and each entry of a list, repeats it. */
export function echoing(answer: unknown, echo: string): unknown {
	if (Array.isArray(answer)) return answer.map((entry) => echoing(entry, echo));
	if (typeof answer !== 'object' || answer === null) return answer;
	const { data, ...rest } = answer as Record<string, unknown>;
	return { ...rest, ...(data !== undefined && { data: echoing(data, echo) }), received: echo };
}
