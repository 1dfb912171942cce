import { pollGapMs, type Work } from '../../../nodes/shared/plan/pace.ts';

/** How far polls are apart, ms, by what there is to do. */

const WORK: Work = {
	limit: { requests: 100, windowMs: 60_000 },
	share: 1,
	running: 5,
	averageMs: 6000,
	requestsPerJob: 1,
	isShared: true,
};

const gapMs = (work: Partial<Work> = {}) => pollGapMs({ ...WORK, ...work });

test('creations and polls together keep the limit', () => {
	const gap = gapMs();
	const creations = (5 * 60_000) / (6000 + gap / 2);
	expect(creations + 60_000 / gap).toBeLessThanOrEqual(102);
	expect(creations + 60_000 / gap).toBeGreaterThan(90);
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
