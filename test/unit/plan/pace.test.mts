import {
	areShort,
	forecastOf,
	gapBetweenLooksMs,
	gapBetweenReadsMs,
	pacedGapMs,
	type Forecast,
	type Work,
	type Workload,
} from '../../../nodes/shared/plan/pace.ts';

/** How far polls are apart, ms, by what there is to do. */

const WORK: Work = {
	limit: { requests: 100, windowMs: 60_000 },
	share: 1,
	running: 5,
	averageMs: 6000,
	requestsPerJob: 1,
	isShared: true,
};

const gapMs = (work: Partial<Work> = {}) => pacedGapMs({ ...WORK, ...work });

test('creations and polls together keep the limit', () => {
	const gap = gapMs();
	const creations = (5 * 60_000) / (6000 + gap / 2);
	expect(creations + 60_000 / gap).toBeCloseTo(100);
});

test('half of the requests are half of the polls', () => {
	const creations = 60_000 / gapMs({ share: 1 / 2 });
	expect(creations).toBeLessThanOrEqual(60_000 / gapMs() / 2 + 1);
});

test.each([
	['there are none', { limit: { requests: 0, windowMs: 60_000 } }],
	['jobs take no time', { averageMs: 1 }],
	['jobs take a day', { averageMs: 86_400_000 }],
	['a thousandth is its own', { share: 1 / 1000 }],
	['each job is read by itself', { isShared: false, requestsPerJob: 2 }],
])('a time, and no more than half a job of eight processes: %s', (_, work: Partial<Work>) => {
	const { averageMs = 6000 } = work;
	expect(gapMs(work)).toBeGreaterThan(0);
	expect(gapMs(work)).toBeLessThanOrEqual((8 / 2) * averageMs);
});

test('no closer than makes sense for long jobs', () => {
	expect(gapMs({ averageMs: 100_000, running: 1 })).toBe(3000);
});

const SEEN = { limit: WORK.limit, share: 1, running: 5, averageMs: 6000, slowness: 1 };

/** An end is seen half a gap late by looks at all jobs, and 0.3 times five gaps late by reads of one after another. */
test.each([
	['looks whose ends are believed', gapBetweenLooksMs(SEEN, true), 1.04, 0.5],
	[
		'looks that are followed by a read of half of the jobs',
		gapBetweenLooksMs(SEEN, false),
		1.5,
		0.5,
	],
	['reads of one job after another', gapBetweenReadsMs(SEEN), 1, 1.5],
])('%s, and creations, take all requests', (_, gap, requestsPerJob, late) => {
	const jobs = (5 * 60_000) / (6000 + gap * late);
	expect(jobs * requestsPerJob + 60_000 / gap).toBeCloseTo(100);
});

test.each([
	['after a 429', { slowness: 2 }],
	['half of the requests are its own', { share: 1 / 2 }],
])('they are twice as far apart: %s', (_, seen) => {
	expect(gapBetweenLooksMs({ ...SEEN, ...seen }, true)).toBe(2 * gapBetweenLooksMs(SEEN, true));
	expect(gapBetweenReadsMs({ ...SEEN, ...seen })).toBe(2 * gapBetweenReadsMs(SEEN));
});

test('jobs are short where two requests for each are more than 70 of 100', () => {
	expect(areShort(WORK.limit, 8571)).toBe(true);
	expect(areShort(WORK.limit, 8572)).toBe(false);
	expect(areShort({ requests: 10, windowMs: 3_600_000 }, 600_000)).toBe(true);
});

test.each<[situation: string, work: Workload, forecast: Forecast]>([
	[
		'20 jobs wait, five run, and two are followed: 6.25 rounds',
		{ waiting: 20, active: 5, followed: 2, averageMs: 6000 },
		{ jobs: 7, requests: 45, withinMs: 37_500, mostGapMs: 2000 },
	],
	[
		'the same with jobs of 48 s: those that begin within a minute',
		{ waiting: 20, active: 5, followed: 2, averageMs: 48_000 },
		{ jobs: 7, requests: 17.5, withinMs: 60_000, mostGapMs: 16_000 },
	],
	[
		'none',
		{ waiting: 0, active: 0, followed: 0, averageMs: 6000 },
		{ jobs: 0, requests: 0, withinMs: 1500, mostGapMs: 2000 },
	],
])('what is still to come: %s', (_, work, forecast) => {
	expect(forecastOf(work)).toEqual(forecast);
});
