/** Whether tests go through all that they could, as they do every night. */
export const ALL = process.env.ALL_TESTS === '1';

/**
 * Of many cases that are much alike so many, spread over all of them, with the first and the last; all of them
 * every night.
 */
export function sampled<T>(cases: readonly T[], count: number): T[] {
	if (ALL || cases.length <= count) return [...cases];
	const step = (cases.length - 1) / Math.max(count - 1, 1);
	return Array.from({ length: count }, (_, index) => cases[Math.round(index * step)]!);
}

/** So many cases, from the first on; all of them every night. */
export const firstOf = <T,>(cases: readonly T[], count: number): T[] =>
	ALL ? [...cases] : cases.slice(0, count);

/** For what takes long and the other tests of a file cover in part: every night. */
export const nightly = (
	ALL ? test : Object.assign(() => {}, { each: () => () => {} })
) as typeof test;
