/** Whether tests go through all their cases, as they do every night. */
export const ALL = process.env.ALL_TESTS === '1';

/** Picks `count` of many similar cases, spread evenly, with the first and the last; every night, all of them. */
export function sampled<T>(cases: readonly T[], count: number): T[] {
	if (ALL || cases.length <= count) return [...cases];
	const step = (cases.length - 1) / Math.max(count - 1, 1);
	return Array.from({ length: count }, (_, index) => cases[Math.round(index * step)]!);
}
