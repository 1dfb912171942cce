import fc from 'fast-check';

import { nextPollMs } from '../../../nodes/shared/plan/reads.ts';

/** Typical times of the document, family A: fast and quality. */
const FAST = { fromMs: 30_000, toMs: 45_000 };
const QUALITY = { fromMs: 45_000, toMs: 60_000 };

type PollingPlan = Parameters<typeof nextPollMs>[1];

/** All looks at a job that has not ended until then, ms from its creation. */
function looksUntil(endMs: number, plan: PollingPlan): number[] {
	const looks = [];
	for (let at = nextPollMs(undefined, plan); at <= endMs; at = nextPollMs(at, plan)) looks.push(at);
	return looks;
}

/** How late the end of a job is seen, ms. */
const lag = (endMs: number, plan: PollingPlan) =>
	nextPollMs(looksUntil(endMs - 1, plan).at(-1), plan) - endMs;

/** In whole ms. */
const gaps = (looks: number[]) => looks.slice(1).map((at, index) => Math.round(at - looks[index]!));

describe('with a typical time', () => {
	test.each([FAST, QUALITY])('%j: the first look is when the job can be done', (typical) => {
		const first = nextPollMs(undefined, { typical });
		expect(first).toBeGreaterThan(typical.fromMs);
		expect(first).toBeLessThan(typical.fromMs + 2500);
	});

	test.each([FAST, QUALITY])('%j: six looks while it is likely to end', (typical) => {
		const looks = looksUntil(typical.toMs, { typical });
		expect(looks).toHaveLength(6);
		expect(new Set(gaps(looks))).toEqual(new Set([2500]));
	});

	test.each([FAST, QUALITY])(
		'%j: the end is seen sooner than every 10 s, with fewer looks',
		(typical) => {
			const plan = { typical };
			const ends = Array.from(
				{ length: 150 },
				(_, index) => typical.fromMs + ((index + 0.5) * (typical.toMs - typical.fromMs)) / 150,
			);
			const mean = (values: number[]) => values.reduce((sum, one) => sum + one, 0) / values.length;
			const everyTen = (end: number) => Math.ceil(end / 10_000);
			const lags = mean(ends.map((end) => lag(end, plan)));
			const loopLags = mean(ends.map((end) => everyTen(end) * 10_000 - end));
			expect(lags).toBeLessThanOrEqual(loopLags / 2);
			const calls = mean(ends.map((end) => looksUntil(end, plan).length + 1));
			expect(calls).toBeLessThanOrEqual(mean(ends.map(everyTen)));
		},
	);

	test('once it is late, less and less often, up to every 10 s', () => {
		const late = gaps(looksUntil(300_000, { typical: FAST }).filter((at) => at > 45_000));
		expect(late).toEqual([...late].sort((a, b) => a - b));
		expect(late[0]).toBe(2500);
		expect(late.at(-1)).toBe(10_000);
	});

	test('whatever has told of it early, the next look is the one that was planned first', () => {
		const plan = { typical: FAST };
		expect(nextPollMs(2000, plan)).toBe(nextPollMs(undefined, plan));
	});
});

describe('when nothing is known', () => {
	test('the first look is at once', () => {
		expect(nextPollMs(undefined, {})).toBe(0);
	});

	test('the end is seen late by half a second, or by an eighth of the time the job took', () => {
		const ends = fc.integer({ min: 1, max: 600_000 });
		const judge = (endMs: number) => lag(endMs, {}) <= Math.max(500, endMs / 8 + 1);
		fc.assert(fc.property(ends, judge));
	});

	test('up to 10 s', () => {
		expect(gaps(looksUntil(600_000, {})).at(-1)).toBe(10_000);
	});
});

const times: fc.Arbitrary<PollingPlan['typical']> = fc.option(
	fc.tuple(fc.nat(120_000), fc.nat(120_000)).map(([a, b]) => ({ fromMs: a, toMs: a + b })),
	{ nil: undefined },
);

test('whatever is known, the next look is later, by half a second at least', () => {
	const judge = (typical: PollingPlan['typical'], polledMs: number) => {
		const gap = nextPollMs(polledMs, { typical }) - polledMs;
		const isPossible = polledMs >= (typical?.fromMs ?? 0);
		// But for the rounding of what is not a whole number.
		expect(gap).toBeGreaterThanOrEqual(isPossible ? 500 - 1e-6 : 0);
	};
	fc.assert(fc.property(times, fc.nat(600_000), judge));
});

test('looks that are shared come three times as often', () => {
	for (const polledMs of [30_000, 40_000, 50_000, 200_000]) {
		const own = nextPollMs(polledMs, { typical: FAST }) - polledMs;
		const shared = nextPollMs(polledMs, { typical: FAST, isShared: true }) - polledMs;
		expect(shared).toBeCloseTo(own / 3, 6);
	}
});
