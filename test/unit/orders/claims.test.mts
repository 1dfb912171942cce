import { Claims } from '../../../nodes/shared/orders/order.ts';

test('20,000 identifiers are remembered; of more, the oldest is forgotten', () => {
	const claims = new Claims();
	const ids = Array.from({ length: 20_001 }, (_, index) => `job ${index}`);
	for (const id of ids.slice(0, -1)) claims.add(id);
	expect(claims.has('job 0')).toBe(true);
	claims.add(ids.at(-1)!);
	expect(ids.filter((id) => !claims.has(id))).toEqual(['job 0']);
});
