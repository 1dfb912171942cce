import { ENVELOPE } from '../nodes/shared/spec/records.ts';

/** The body of an answer. */
export type Body = Record<string, unknown>;

/** `{ success, data }`. */
export function envelope(data: unknown): Body {
	return { [ENVELOPE.success]: true, [ENVELOPE.data]: data };
}
