/** What is measured with each seed, from 1 on. */
export async function overSeeds<T>(
	seeds: number,
	measure: (seed: number) => Promise<T>,
): Promise<T[]> {
	const found: T[] = [];
	for (let seed = 1; seed <= seeds; seed++) found.push(await measure(seed));
	return found;
}
