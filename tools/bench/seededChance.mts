import { seededRandom } from '../../sandbox/random.mts';

/** What is measured with each seed, from 1 on. */
export async function overSeeds<T>(
	seeds: number,
	measure: (seed: number) => Promise<T>,
): Promise<T[]> {
	const found: T[] = [];
	for (let seed = 1; seed <= seeds; seed++) {
		found.push(await withSeededChance(seed, async () => await measure(seed)));
	}
	return found;
}

/** What the package leaves to chance is the same at each run of the bench, while the work goes on. */
export async function withSeededChance<T>(seed: number, work: () => Promise<T>): Promise<T> {
	const chance = Math.random;
	Math.random = seededRandom(seed, 'chance');
	try {
		return await work();
	} finally {
		Math.random = chance;
	}
}
