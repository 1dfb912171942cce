/** Whether a part is to be brief: what takes long is left out, and the rest is measured with one seed. */
export const IS_SAMPLE = process.env.BENCH_SAMPLE !== undefined;

/** What is measured with each seed, from 1 on. */
export async function overSeeds<T>(
	seeds: number,
	measure: (seed: number) => Promise<T>,
): Promise<T[]> {
	const found: T[] = [];
	for (let seed = 1; seed <= (IS_SAMPLE ? 1 : seeds); seed++) found.push(await measure(seed));
	return found;
}
