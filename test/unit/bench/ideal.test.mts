import { idealOf } from '../../../tools/bench/shared.mts';

const jobs = (...durations: number[]) => durations.map((ms) => ({ createdAt: 0, endsAt: ms }));

describe('ideal in the order of creation', () => {
	it.each([
		['where nothing can be done better', [4, 4, 4, 4], 2, 8],
		// 1 3 | 1 . . . . . 6
		['where another order were better', [1, 1, 3, 6], 2, 7],
		['where there is room for all', [2, 9, 3], 5, 9],
		['for no jobs', [], 5, 0],
	])('%s', (_, durations, places, ms) => {
		const limits = { places, requests: 100, windowMs: 1000 };
		expect(idealOf(jobs(...durations), 'one', limits)).toBe(ms);
	});
});

describe('ideal within the request limit', () => {
	const limits = { places: 2, requests: 4, windowMs: 10 };

	it('is the list schedule where there are requests enough', () => {
		expect(idealOf(jobs(1, 1, 3, 6), 'each', { ...limits, requests: 8 })).toBe(7);
	});

	it('spends the requests of the first window on creations, and reads in the next', () => {
		// Created at 0 0 1 1. The requests of 0 come back at 10, those of 1 at 11: four reads.
		expect(idealOf(jobs(1, 1, 1, 1), 'each', limits)).toBe(11);
	});

	it('needs one read where that shows all ends', () => {
		// Created at 0 0 1 1, read at 10.
		expect(idealOf(jobs(1, 1, 1, 1), 'one', limits)).toBe(10);
		expect(idealOf(jobs(1, 1, 1), 'one', limits)).toBe(2);
	});

	it('goes on window after window', () => {
		// Twelve requests: 0 0 1 1, 10 10 11 11, 20 20 21 21.
		expect(idealOf(jobs(1, 1, 1, 1, 1, 1), 'each', limits)).toBe(21);
	});

	it('has no request come back before a job can have ended', () => {
		expect(idealOf(jobs(50, 50, 1), 'each', limits)).toBe(51);
	});

	it('is that of the service for 60 jobs of 2 seconds: 20 ends are seen a minute later', () => {
		// 5 starts at 0, then 5 ends and 5 starts every 2 s: the 20th request is at 4 s.
		const images = jobs(...Array<number>(60).fill(2000));
		expect(idealOf(images, 'each')).toBe(64_000);
		expect(idealOf(images, 'one')).toBe(24_000);
	});

	it('is nothing for no jobs', () => {
		expect(idealOf([], 'each', limits)).toBe(0);
	});
});
