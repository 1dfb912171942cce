import { createHash } from 'crypto';

/** A hash that tells one JSON value from another without showing either. */
export function fingerprint(value: unknown): string {
	return createHash('sha256').update(JSON.stringify(value, inOrder)).digest('hex');
}

/** Sorts an object's properties: their order says nothing. */
function inOrder(_name: string, value: unknown): unknown {
	if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
	const entries = Object.entries(value);
	return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)));
}
