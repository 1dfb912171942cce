import { PAIRS, modeName, pairsName } from '../parameters/fields';
import { MAX_DEPTH, scan } from '../service/parseJson';
import { isBlank } from '../spec/conditions';
import type { Field } from '../spec/types';

/**
 * Stands for what a user typed where it would be sent as something else. The message is the rule that
 * it breaks, in words that go after the field's name.
 */
export class Misread extends Error {}

/**
 * The fields that the user named, as an object: of names and values, or of JSON. `undefined` where
 * there are none and need not be any, `null` where the expression for the JSON gives nothing.
 */
export function readFreeFields(
	field: Field,
	read: (name: string, fallback: unknown) => unknown,
): unknown {
	if (read(modeName(field), PAIRS) !== PAIRS) return jsonIn(read(field.name, {}));
	const { fields } = Object(read(pairsName(field), {})) as { fields?: unknown };
	const pairs = [fields ?? []].flat();
	if (pairs.length === 0 && field.presence !== 'required') return undefined;
	return pairs.every(isPair)
		? objectOf(pairs)
		: new Misread('has an entry that is not a name and a value');
}

interface Pair {
	name?: string;
	value?: unknown;
}

const isPair = (pair: unknown): pair is Pair => typeof pair === 'object' && pair !== null;

function objectOf(pairs: readonly Pair[]): object {
	const entries = pairs.map(({ name, value }) => [String(name ?? ''), value] as const);
	const names = new Set<string>();
	const twice = entries.find(([name]) => names.size === names.add(name).size);
	if (!twice) return Object.fromEntries(entries);
	return new Misread(`has the field "${twice[0]}" more than once: ${ONCE}`);
}

const ONCE = 'give it once; a list of values comes from an expression, or from JSON';

/** What a text holds as JSON; a text that is none, and any other value, as it is. */
function jsonIn(given: unknown): unknown {
	if (given === undefined || (typeof given === 'string' && isBlank(given))) return null;
	if (typeof given !== 'string') return given;
	const { isTooDeep, integers, names } = scan(given);
	if (isTooDeep) return new Misread(`has more than ${MAX_DEPTH} levels of JSON`);
	const value = parsed(given);
	if (value === undefined) return given;
	if (countNames(value) < names) return new Misread(`has fields of the same name: ${ONCE}`);
	const [integer] = integers;
	if (!integer) return value;
	const number = given.slice(...integer);
	const sent = String(Number(number));
	return new Misread(`has the number ${number}, which would be sent as ${sent}: ${IN_QUOTES}`);
}

const IN_QUOTES = 'put it in quotes, to send a text';

function parsed(text: string): unknown {
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return undefined;
	}
}

/** Of all objects in a value. */
function countNames(value: unknown): number {
	if (typeof value !== 'object' || value === null) return 0;
	const parts: unknown[] = Object.values(value);
	const own = Array.isArray(value) ? 0 : parts.length;
	return parts.reduce((sum: number, part) => sum + countNames(part), own);
}
