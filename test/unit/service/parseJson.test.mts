import { identifierIn } from '../../../nodes/shared/jobs/readRecord.ts';
import { parseJson } from '../../../nodes/shared/service/bodies.ts';

describe('an integer that a number cannot hold', () => {
	test.each([
		['{"id": 9007199254740993}', { id: '9007199254740993' }],
		['{"id":-12345678901234567891}', { id: '-12345678901234567891' }],
		[
			'[12345678901234567, {"a" : 12345678901234567\n}]',
			['12345678901234567', { a: '12345678901234567' }],
		],
		['12345678901234567', '12345678901234567'],
	])('%s keeps its digits, as a text', (text, value) => {
		expect(parseJson(text)).toEqual(value);
	});

	test('identifies a job with all its digits', () => {
		const record = parseJson('{"task_id":1764912345678901235}') as Record<string, unknown>;
		expect(identifierIn(record)).toEqual({ field: 'task_id', value: '1764912345678901235' });
	});
});

test.each([
	'{"a":9007199254740992,"b":-9007199254740991,"c":0}',
	'{"a":123456789012345680000,"b":1e300,"c":-1.5E-7}',
	'{"a":0.12345678901234567,"b":12345678901234567.5,"c":12345678901234567e3}',
	'{"a":"12345678901234567","b":"\\"12345678901234567","c":"\\\\"}',
	'{"12345678901234567":1}',
])('every other value of %s is as it is', (text) => {
	expect(parseJson(text)).toEqual(JSON.parse(text));
});

describe('what nests', () => {
	const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

	test('a hundred deep is read, and no deeper', () => {
		expect(parseJson(nested(100))).toEqual(JSON.parse(nested(100)));
		expect(parseJson(nested(101))).toBeUndefined();
		const objects = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
		expect(parseJson(objects(100))).toEqual(JSON.parse(objects(100)));
		expect(parseJson(objects(101))).toBeUndefined();
	});

	test('side by side is not deep, and brackets in a text do not nest', () => {
		const wide = `[${Array.from({ length: 200 }, () => '{"a":[]}').join(',')}]`;
		expect(parseJson(wide)).toEqual(JSON.parse(wide));
		const text = JSON.stringify(['"\\['.repeat(200)]);
		expect(parseJson(text)).toEqual(JSON.parse(text));
	});
});

test.each(['{12345678901234567:1}', '[012345678901234567]', '12345678901234567 1', '--1', '[-]'])(
	'%s does not become JSON by it',
	(text) => {
		expect(parseJson(text)).toBeUndefined();
	},
);
