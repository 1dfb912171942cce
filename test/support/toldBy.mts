/** All that n8n's editor shows of an error: its message, its description, and a line for each of its details. */
export function toldBy(error: unknown): string {
	const {
		message,
		description,
		messages = [],
	} = Object(error) as {
		message?: string;
		description?: string | null;
		messages?: string[];
	};
	return [message, description, ...messages].join('\n');
}

/** A description without the link to the page of errors that ends it. */
export const withoutLink = (description: string | null | undefined): string =>
	String(description).replace(/ ?<a href="[^"]*">More about this error<\/a>/, '');
