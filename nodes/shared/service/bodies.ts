import { BESIDE_DATA, ENVELOPE } from '../spec/answers';

/** The largest answers of the service are pages of its history: some 100 KB. */
export const MAX_ANSWER_BYTES = 10 * 1024 * 1024;

/** Why an answer did not come, or was not read to its end; `stopped` when the execution was stopped. */
export type Cut = 'timedOut' | 'tooLarge' | 'brokenOff' | 'stopped';

/** Deeper than any answer of the service. There has to be a bound, since n8n handles items recursively. */
const MAX_DEPTH = 100;

/** The value of a JSON text; `undefined` when it is none, or nested deeper than `MAX_DEPTH`. */
export function parseJson(text: string): unknown {
	try {
		const value = JSON.parse(text) as unknown;
		return isDeeper(value, MAX_DEPTH) ? undefined : value;
	} catch {
		return undefined;
	}
}

function isDeeper(value: unknown, levels: number): boolean {
	if (typeof value !== 'object' || value === null) return false;
	return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}

/** A copy of what can be written as JSON. n8n's own (`deepCopy`) leaves out fields such as `prototype`. */
export const jsonCopy = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/** Any JSON object. */
export type Body = Record<string, unknown>;

/** The record inside a body: `data` of the envelope, or the body itself. */
export function unwrap(body: unknown): Body | undefined {
	const outer = objectIn(body);
	return objectIn(outer?.[ENVELOPE.data]) ?? outer;
}

/**
 * The record of a job in a body: the body itself, or `data` of the envelope with the fields beside it.
 * Only `success: true` is dropped: where both have a value of the same name, that in `data` keeps the
 * name, and the other goes under `beside_data`. A list of one record counts as the record.
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

/** A copy of a JSON object; `undefined` for any other value. */
export function objectIn(value: unknown): Body | undefined {
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

/**
 * The entries of a list body, by the policy for open points ("listBody"): the body when it is
 * an array, or the only array in it (in the envelope's `data` too); otherwise the body is one
 * item.
 */
export function listIn(body: unknown): { entries: unknown[] } | { single: unknown } {
	if (Array.isArray(body)) return { entries: body };
	const arrays = arraysIn(body);
	const found = arrays.length > 0 ? arrays : valuesIn(body).flatMap(arraysIn);
	return found.length === 1 ? { entries: found[0] ?? [] } : { single: body };
}

const arraysIn = (value: unknown): unknown[][] => valuesIn(value).filter(Array.isArray);

/** The values of an object. None of a text: `Object.values` would take it apart into characters. */
function valuesIn(value: unknown): unknown[] {
	if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
	return Object.values(value);
}
