/** A list in a body, or that there is none. */
export type Listed = { entries: unknown[] } | { single: unknown };

/**
 * The entries of a list body, by the policy for open points ("listBody"): the body when it is
 * an array, or the only array in it (in the envelope's `data` too); otherwise the body is one
 * item.
 */
export function listIn(body: unknown): Listed {
	if (Array.isArray(body)) return { entries: body };
	const arrays = arraysIn(body);
	const found = arrays.length > 0 ? arrays : Object.values(Object(body)).flatMap(arraysIn);
	return found.length === 1 ? { entries: found[0] ?? [] } : { single: body };
}

function arraysIn(value: unknown): unknown[][] {
	if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
	return Object.values(value).filter(Array.isArray);
}
