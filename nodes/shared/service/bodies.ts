import { ENVELOPE, stateNamed } from '../spec/answers';
import { own } from '../spec/conditions';

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

/** A copy of a JSON object; `undefined` for any other value. */
export function objectIn(value: unknown): Body | undefined {
	if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
	const copy: Body = { ...value };
	delete copy['__proto__'];
	return copy;
}

/** The record inside a body: `data` of the envelope, or the body itself. */
export function unwrap(body: unknown): Body | undefined {
	const outer = objectIn(body);
	return objectIn(outer?.[ENVELOPE.data]) ?? outer;
}

/**
 * The record of a job in a body: the body itself, or `data` of the envelope with the fields beside it, of which only
 * `success: true` is dropped. Of two values of the same name, that in `data` counts, unless only the other is a state
 * of the document. A list of one record stands for it.
 */
export function jobRecord(body: unknown): Body | undefined {
	const outer = objectIn(onlyOf(body));
	const inner = objectIn(onlyOf(outer?.[ENVELOPE.data]));
	if (!outer || !inner) return outer;
	delete outer[ENVELOPE.data];
	if (outer[ENVELOPE.success] === true) delete outer[ENVELOPE.success];
	const told = Object.entries(inner).filter(
		([name, value]) =>
			value !== undefined && value !== null && (isState(value) || !isState(own(outer, name))),
	);
	return { ...inner, ...outer, ...Object.fromEntries(told) };
}

const isState = (value: unknown) => typeof value === 'string' && stateNamed(value) !== undefined;

const onlyOf = (value: unknown): unknown =>
	Array.isArray(value) && value.length === 1 ? value[0] : value;

/**
 * The entries of a list body, by the policy for open points ("listBody"): the body when it is an array, or the only
 * array in it (in the envelope's `data` too); otherwise the body is one item.
 */
export function listIn(body: unknown): { entries: unknown[] } | { single: unknown } {
	if (Array.isArray(body)) return { entries: body };
	const lists = listsIn(body);
	const found = lists.length > 0 ? lists : Object.values(objectIn(body) ?? {}).flatMap(listsIn);
	return found.length === 1 ? { entries: found[0] ?? [] } : { single: body };
}

const listsIn = (value: unknown): unknown[][] =>
	Object.values(objectIn(value) ?? {}).filter(Array.isArray);
