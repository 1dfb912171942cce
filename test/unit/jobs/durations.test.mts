import { Durations } from '../../../nodes/shared/jobs/durations.ts';

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

test('what was long ago is forgotten: the last 20 count', () => {
	const durations = new Durations();
	note(durations, 'image', 1, 100, ...Array.from({ length: 19 }, () => 10));
	expect(durations.typical('image')).toMatchObject({ fromMs: 9000, toMs: 100_000 });
	note(durations, 'image', 10);
	expect(durations.typical('image')).toMatchObject({ fromMs: 9000, toMs: 10_000 });
});

test('the average is that of the last 20 jobs of all kinds', () => {
	const durations = new Durations();
	expect(durations.average).toBeUndefined();
	note(durations, 'image', 4);
	note(durations, 'video', 8);
	expect(durations.average).toBe(6000);
	note(durations, 'image', ...Array.from({ length: 20 }, () => 10));
	expect(durations.average).toBe(10_000);
});
