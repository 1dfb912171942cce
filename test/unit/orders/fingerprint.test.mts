import { fingerprint } from '../../../nodes/shared/orders/order.ts';

test('the order of properties says nothing, also of those within', () => {
	const one = fingerprint({ a: 1, b: { c: 2, d: [3] } });
	expect(fingerprint({ b: { d: [3], c: 2 }, a: 1 })).toBe(one);
});

test.each([
	[
		{ a: 1, b: 2 },
		{ a: 2, b: 1 },
	],
	[
		[1, 2],
		[2, 1],
	],
	[{ 0: 1 }, [1]],
	[null, {}],
	['1', 1],
])('%j is not %j', (one, other) => {
	expect(fingerprint(one)).not.toBe(fingerprint(other));
});

test('the value is not shown', () => {
	expect(fingerprint({ prompt: 'secret' })).toMatch(/^[0-9a-f]{64}$/);
});
