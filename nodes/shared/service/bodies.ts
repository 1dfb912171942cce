import { z } from 'zod';

import { ENVELOPE, ERROR_FIELDS } from '../spec/records';

/** Any JSON object. */
export const objectSchema = z.record(z.unknown());

export type Body = z.infer<typeof objectSchema>;

/** The error body (section "Errors"); whatever does not fit is left out. */
export const errorSchema = z.object({
	[ERROR_FIELDS.message]: z.string().optional().catch(undefined),
	[ERROR_FIELDS.details]: objectSchema.optional().catch(undefined),
});

/** The record inside a body: `data` of the envelope, or the body itself. */
export function unwrap(body: unknown): Body | undefined {
	const outer = objectSchema.safeParse(body);
	if (!outer.success) return undefined;
	const inner = objectSchema.safeParse(outer.data[ENVELOPE.data]);
	return inner.success ? inner.data : outer.data;
}
