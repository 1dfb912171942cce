import { EndModel } from '../../../nodes/shared/plan/endModel.ts';

/** For how long a job has been over, on average, ms. */

/** Of years, and a thousandth of them. */
const ROUNDING_MS = 1e-3;

test('not at all at an age at which it was seen to go on', () => {
	const model = new EndModel({ fromMs: 1000, toMs: 3000 });
	expect(model.idleMs(2000, 2000)).toBe(0);
	expect(model.idleMs(3000, 2000)).toBe(0);
});

test('nor before the first can have ended', () => {
	expect(new EndModel({ fromMs: 1000, toMs: 3000 }).idleMs(0, 1000)).toBe(0);
	expect(new EndModel().idleMs(0, 500)).toBe(0);
});

test('within the documented time ends come evenly', () => {
	const model = new EndModel({ fromMs: 0, toMs: 1000 });
	// The integral of 0.95 t / 1000 from 0 to 1000.
	expect(model.idleMs(0, 1000)).toBeCloseTo(475, 6);
});

describe('in agreement with the part of jobs that goes on at each age', () => {
	/** The sum over small steps of what has ended of those that went on. */
	function idleMs(goesOn: (ms: number) => number, knownMs: number, ageMs: number) {
		const steps = 20_000;
		const stepMs = (ageMs - knownMs) / steps;
		let sum = 0;
		for (let step = 0; step < steps; step++) {
			sum += 1 - goesOn(knownMs + (step + 0.5) * stepMs) / goesOn(knownMs);
		}
		return sum * stepMs;
	}

	/** Between two ages evenly; after the last one ever slower. */
	const lineOf = (knots: Array<[ms: number, goesOn: number]>) => (ms: number) => {
		const next = knots.findIndex(([at]) => at > ms);
		const [lastMs, last] = knots.at(next === -1 ? -1 : next - 1)!;
		if (next === 0) return 1;
		if (next === -1) return last * (lastMs / ms) ** 4;
		const [nextMs, later] = knots[next]!;
		return last + ((later - last) * (ms - lastMs)) / (nextMs - lastMs);
	};

	test.each([
		['nothing known', undefined, lineOf([[500, 1]])],
		[
			'a documented time',
			{ fromMs: 1000, toMs: 3000 },
			lineOf([
				[1000, 1],
				[3000, 0.05],
			]),
		],
		[
			'times seen',
			{ fromMs: 2700, toMs: 9000, seenMs: [5000, 9000, 3000, 5000] },
			lineOf([
				[2700, 1],
				[3000, 0.8],
				[5000, 0.4],
				[9000, 0.2],
			]),
		],
	])('%s', (_, typical, goesOn) => {
		const model = new EndModel(typical);
		for (const knownMs of [0, 900, 2900, 4000, 20_000]) {
			for (const laterMs of [100, 1500, 8000]) {
				const expected = idleMs(goesOn, knownMs, knownMs + laterMs);
				expect(model.idleMs(knownMs, knownMs + laterMs)).toBeCloseTo(expected, 1);
			}
		}
	});
});

test.each([
	['nothing known', undefined, 500],
	['a documented time', { fromMs: 30_000, toMs: 45_000 }, 30_000],
	['times seen', { fromMs: 2700, toMs: 9000, seenMs: [9000, 3000] }, 2700],
	[
		'times seen, all later than can be guessed',
		{ fromMs: 60_000, toMs: 60_000, seenMs: [60_000] },
		59_999,
	],
])('the earliest end: %s', (_, typical, ms) => {
	expect(new EndModel(typical).earliestMs).toBe(ms);
});

test('after what was seen, and a job that goes on is likelier to go on', () => {
	const model = new EndModel({ fromMs: 900, toMs: 1000, seenMs: [1000, 1000, 1000] });
	const early = model.idleMs(2000, 3000);
	const late = model.idleMs(20_000, 21_000);
	expect(early).toBeGreaterThan(late);
	expect(late).toBeGreaterThan(0);
});

test.each([
	['nothing known', undefined],
	['a documented time', { fromMs: 30_000, toMs: 45_000 }],
	['times seen', { fromMs: 2700, toMs: 9000, seenMs: [3000, 9000, 5000, 5000] }],
	['one time seen', { fromMs: 0, toMs: 0, seenMs: [0] }],
])('more the longer ago it was seen, never longer than that: %s', (_, typical) => {
	const model = new EndModel(typical);
	for (const knownMs of [0, 100, 4000, 40_000, 86_400_000, 31_536_000_000]) {
		let before = 0;
		for (const laterMs of [1, 10, 100, 1000, 10_000, 1_000_000, 1_000_000_000]) {
			const idle = model.idleMs(knownMs, knownMs + laterMs);
			expect(idle).toBeGreaterThan(before - ROUNDING_MS);
			expect(idle).toBeLessThanOrEqual(laterMs);
			before = idle;
		}
	}
});
