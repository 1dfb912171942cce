import fc from 'fast-check';
import { NodeHelpers } from 'n8n-workflow';

import { otherThanThese } from '../../../nodes/shared/form/displayConditions.ts';

/** What is hidden for other choices than some. */

const NAMES = ['image.a', 'song.a', 'song.b', 'vidA.a', 'vidB.a', 'vidB.b', 'vidC.a'];

test('hides for every other choice, for an expression and for nothing at all', () => {
	fc.assert(
		fc.property(fc.subarray(NAMES, { minLength: 1 }), (texts) => {
			const conditions = otherThanThese(texts, NAMES);
			const hides = (value: string) => NodeHelpers.checkConditions(conditions, [value]);
			expect(NAMES.filter((name) => !hides(name))).toEqual(texts);
			expect(['', '={{ $json.planned }}'].every(hides)).toBe(true);
		}),
	);
});
