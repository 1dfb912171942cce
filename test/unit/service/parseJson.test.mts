import { parseJson } from '../../../nodes/shared/service/bodies.ts';

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
