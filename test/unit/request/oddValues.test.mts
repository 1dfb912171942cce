import { modeName } from '../../../nodes/shared/parameters/names.ts';
import { readValues } from '../../../nodes/shared/request/readValues.ts';
import { validate } from '../../../nodes/shared/request/validate.ts';
import { CATALOGS } from '../../../nodes/shared/spec/catalogs.ts';
import type { Operation } from '../../../nodes/shared/spec/types.ts';

/** What an expression gives that is neither text, number nor JSON: an error in words, before anything is sent. */

const circle: Record<string, unknown> = {};
circle.self = circle;

const throwing = {
	toString() {
		throw new TypeError('raw');
	},
};

const ODD: Array<[string, unknown]> = [
	['an object that contains itself', circle],
	['a list that contains itself', [circle]],
	['a BigInt', 1n],
	['a list with a BigInt', [1n]],
	['an object with a BigInt', { a: 1n }],
	['a symbol', Symbol('s')],
	['a list with a symbol', [Symbol('s')]],
	['a function', () => 'hidden code'],
	['a list with a function', [() => 'hidden code']],
	['an object with a function', { a: { b: () => 'hidden code' } }],
	['an object without a prototype', Object.assign(Object.create(null), { a: 1 })],
	['an object whose toString is no function', { toString: 'x' }],
	['a list with such an object', [{ toString: 'x' }]],
	['an object whose toString throws', throwing],
	['an object whose toJSON throws', { toJSON: throwing.toString }],
	['a date that is none', new Date(NaN)],
];

/** Free fields may be so: it is JSON. */
const FINE_AS_JSON = ['an object without a prototype', 'an object whose toString is no function'];

const operations = CATALOGS.flatMap((catalog): readonly Operation[] => catalog.operations);

test.each(ODD)('%s in any field of any operation is a problem of that field', (kind, value) => {
	for (const operation of operations) {
		for (const field of operation.fields) {
			const { name, type } = field;
			const read = (parameter: string, fallback: unknown) => {
				if (parameter === 'additionalFields') return { [name]: value };
				if (parameter === modeName(field)) return 'json';
				return parameter === name ? value : fallback;
			};
			const problems = validate(operation, readValues(operation, read));
			const own = problems.filter(({ field }) => field === name);
			const told = `${operation.action}: ${name}`;
			const isFine = type === 'fields' && FINE_AS_JSON.includes(kind);
			expect([told, own.length > 0]).toEqual([told, !isFine]);
			for (const { message } of own) {
				expect(message).not.toMatch(/hidden code|raw|TypeError|\[object/);
			}
		}
	}
});

test.each(ODD)('%s under the name of no field is a problem of that name', (_, value) => {
	for (const operation of operations.filter(({ fields }) => fields.length > 0)) {
		const read = (parameter: string, fallback: unknown) =>
			parameter === 'additionalFields' ? { nobody: value } : fallback;
		const problems = validate(operation, readValues(operation, read));
		expect(problems.some(({ field }) => field === 'nobody')).toBe(true);
	}
});

test.each<[unknown, string]>([
	[circle, 'contains itself: it cannot be written as JSON'],
	[{ a: [1n] }, 'has a bigint: it cannot be written as JSON'],
	[[Symbol('s')], 'has a symbol: it cannot be written as JSON'],
	[{ a: () => 1 }, 'has a function: it cannot be written as JSON'],
])('the kind of the value is told: %#', (value, rule) => {
	const [operation] = operations.filter(({ kind }) => kind === 'create');
	const values = { prompt: value };
	const messages = validate(operation!, values).map(({ message }) => message);
	expect(messages).toContain(`Prompt (prompt) ${rule}`);
});
