import { seededRandom } from '../../sandbox/random.mts';

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
