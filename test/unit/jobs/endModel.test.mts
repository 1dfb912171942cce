import { EndModel } from '../../../nodes/shared/jobs/endModel.ts';

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
