/** The value of a JSON text; `undefined` when it is none, or nested too deep to be written again, by n8n either. */
export function parseJson(text: string): unknown {
	try {
		const value = JSON.parse(text) as unknown;
		JSON.stringify(value);
		return value;
	} catch {
		return undefined;
	}
}

/** A copy of what can be written as JSON. n8n's own (`deepCopy`) leaves out fields such as `prototype`. */
export const jsonCopy = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/** Any JSON object. */
export type Body = Record<string, unknown>;

/** A JSON object; `undefined` for any other value. */
export const objectIn = (value: unknown): Body | undefined =>
	typeof value === 'object' && value !== null && !Array.isArray(value)
		? (value as Body)
		: undefined;

/**
 * The record in a body: the body itself, or `data` of the envelope with the fields beside it, of which only
 * `success: true` is dropped. Of two values of the same name, that in `data` counts. A list of one record stands for it.
 */
export function recordIn(body: unknown): Body | undefined {
	const { data, ...beside } = objectIn(onlyOf(body)) ?? {};
	const inner = objectIn(onlyOf(data));
	if (!inner) return objectIn(onlyOf(body));
	if (beside.success === true) delete beside.success;
	return { ...beside, ...inner };
}

const onlyOf = (value: unknown): unknown =>
	Array.isArray(value) && value.length === 1 ? value[0] : value;

/**
 * The entries of a list body, by the policy for what is not shown: the body when it is an array, or the only
 * array in it (in the envelope's `data` too); otherwise the body is one item.
 */
export function listIn(body: unknown): { entries: unknown[] } | { single: unknown } {
	const outer = objectIn(body) ?? {};
	const inner = objectIn(outer.data) ?? outer;
	const [entries, ...others] = [body, ...Object.values(inner)].filter(Array.isArray);
	return entries && others.length === 0 ? { entries } : { single: body };
}
