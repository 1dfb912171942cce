import { Durations } from '../../../nodes/shared/limits/durations.ts';

const note = (durations: Durations, kind: string, ...seconds: number[]) => {
	for (const one of seconds) durations.note(kind, one * 1000);
};

test('nothing is said of a kind with fewer than three jobs', () => {
	const durations = new Durations();
	expect(durations.typical('image')).toBeUndefined();
	note(durations, 'image', 4, 6);
	expect(durations.typical('image')).toBeUndefined();
});

test('from a little before the shortest to the longest', () => {
	const durations = new Durations();
	note(durations, 'image', 6, 4, 9);
	expect(durations.typical('image')).toMatchObject({ fromMs: 3600, toMs: 9000 });
});

test('each kind has its own', () => {
	const durations = new Durations();
	note(durations, 'image', 4, 4, 4);
	note(durations, 'video', 60, 60);
	expect(durations.typical('image')).toMatchObject({ toMs: 4000 });
	expect(durations.typical('video')).toBeUndefined();
});

test('what was long ago is forgotten: the last 50 count', () => {
	const durations = new Durations();
	note(durations, 'image', 1, 100, ...Array.from({ length: 49 }, () => 10));
	expect(durations.typical('image')).toMatchObject({ fromMs: 9000, toMs: 100_000 });
	note(durations, 'image', 10);
	expect(durations.typical('image')).toMatchObject({ fromMs: 9000, toMs: 10_000 });
});

test('the average is that of the last 50 jobs of all kinds', () => {
	const durations = new Durations();
	expect(durations.average).toBeUndefined();
	note(durations, 'image', 4);
	note(durations, 'video', 8);
	expect(durations.average).toBe(6000);
	note(durations, 'image', ...Array.from({ length: 50 }, () => 10));
	expect(durations.average).toBe(10_000);
});

describe('before a job of the kind has ended', () => {
	test('none has ended sooner than the oldest that was seen to go on', () => {
		const durations = new Durations();
		expect(durations.atLeastMs('image')).toBe(0);
		durations.noteGoingOn('image', 3000);
		durations.noteGoingOn('image', 2000);
		expect(durations.atLeastMs('image')).toBe(3000);
		expect(durations.atLeastMs('video')).toBe(0);
	});

	test('unless one has', () => {
		const durations = new Durations();
		durations.noteGoingOn('image', 3000);
		note(durations, 'image', 4);
		expect(durations.atLeastMs('image')).toBe(3000);
		note(durations, 'image', 2);
		expect(durations.atLeastMs('image')).toBe(2000);
	});
});

test("the document's time goes before what was seen", () => {
	const durations = new Durations();
	note(durations, 'video', 10, 10, 10);
	expect(durations.model('video').earliestMs).toBe(9000);
	note(durations, 'video', 10);
	expect(durations.model('video', { fromMs: 30_000, toMs: 45_000 }).earliestMs).toBe(30_000);
});

test.each([
	['its record tells, between two polls', 4000, 4000],
	['its record tells of a time before the last poll that found it going on', 1000, 4500],
	['its record tells of a time to come', 9000, 4500],
	['its record does not tell', undefined, 4500],
])('an end is taken for where %s', (_, recordedMs, ms) => {
	const durations = new Durations();
	durations.noteEnd('image', { afterMs: 3000, byMs: 6000, recordedMs });
	expect(durations.average).toBe(ms);
});
