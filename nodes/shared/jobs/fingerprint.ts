import { createHash } from 'crypto';

/** Tells a value that can be written as JSON from another, without showing it. */
export function fingerprint(value: unknown): string {
	return createHash('sha256').update(JSON.stringify(value, inOrder)).digest('hex');
}

/** The order in which an object has its properties says nothing. */
function inOrder(_name: string, value: unknown): unknown {
	if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
	const entries = Object.entries(value);
	return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)));
}
