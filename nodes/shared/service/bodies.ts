import { z } from 'zod/v3';

import { BESIDE_DATA, ENVELOPE } from '../spec/answers';

/** Any JSON object. */
export const objectSchema = z.record(z.unknown());

export type Body = z.infer<typeof objectSchema>;

/** The record inside a body: `data` of the envelope, or the body itself. */
export function unwrap(body: unknown): Body | undefined {
	const outer = objectSchema.safeParse(body);
	if (!outer.success) return undefined;
	const inner = objectSchema.safeParse(outer.data[ENVELOPE.data]);
	return inner.success ? inner.data : outer.data;
}

/**
 * The record of a job in a body: the body itself, or `data` of the envelope with what stands beside
 * it. Nothing is dropped: of two values with one name, that in `data` has the name, and the other is
 * under `beside_data`. A list of one record stands for the record.
 */
export function jobRecord(body: unknown): Body | undefined {
	const outer = objectIn(onlyOf(body));
	if (!outer) return undefined;
	const { [ENVELOPE.data]: data, ...beside } = outer;
	if (data === undefined) return outer;
	const inner = objectIn(onlyOf(data));
	if (!inner) return outer;
	if (beside[ENVELOPE.success] === true) delete beside[ENVELOPE.success];
	return joined(inner, beside);
}

/** A copy, as `objectSchema` gives it, in an eighth of its time: lists have many records. */
function objectIn(value: unknown): Body | undefined {
	if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
	const copy: Body = { ...value };
	delete copy['__proto__'];
	return copy;
}

const onlyOf = (value: unknown): unknown =>
	Array.isArray(value) && value.length === 1 ? value[0] : value;

function joined(inner: Body, beside: Body): Body {
	const told = Object.entries(inner).filter(([, value]) => isTold(value));
	const names = new Map(told);
	const hidden = Object.entries(beside).filter(
		([name, value]) => isTold(value) && names.has(name) && names.get(name) !== value,
	);
	return {
		...inner,
		...beside,
		...Object.fromEntries(told),
		...(hidden.length > 0 && { [BESIDE_DATA]: Object.fromEntries(hidden) }),
	};
}

const isTold = (value: unknown) => value !== undefined && value !== null;
