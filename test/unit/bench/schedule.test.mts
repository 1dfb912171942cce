import { bounds } from '../../../tools/bench/schedule.mts';

describe('bounds of a schedule', () => {
	it('are all the same where nothing can be done better', () => {
		expect(bounds([4, 4, 4, 4], 2)).toEqual({ list: 8, longestFirst: 8, absolute: 8 });
	});

	it('tell the given order from the best one', () => {
		// In order: 1 3 | 1 . . . . . 6; the longest first: 6 | 3 1 1.
		expect(bounds([1, 1, 3, 6], 2)).toEqual({ list: 7, longestFirst: 6, absolute: 6 });
	});

	it('are those of the longest job where there is room for all', () => {
		expect(bounds([2, 9, 3], 5)).toEqual({ list: 9, longestFirst: 9, absolute: 9 });
	});

	it('are nothing for no jobs', () => {
		expect(bounds([], 5)).toEqual({ list: 0, longestFirst: 0, absolute: 0 });
	});
});
