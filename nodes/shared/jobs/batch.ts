/** What became of one item. */
export type Settled<T> = { value: T } | { error: unknown } | { skipped: true };

/**
 * Works on the items of a batch, several at a time, and gives the results in input order. No
 * error ends the batch: what has begun is brought to its end, since it may be paid for.
 *
 * @param atOnce how many are worked on at the same time
 * @param goOn whether further items are begun after one has failed
 */
export async function settleAll<I, T>(
	items: readonly I[],
	work: (item: I) => Promise<T>,
	{ atOnce, goOn }: { atOnce: number; goOn: boolean },
): Promise<Array<Settled<T>>> {
	const results: Array<Settled<T>> = items.map(() => ({ skipped: true }));
	const queue = items.entries();
	let failed = false;
	const worker = async () => {
		for (const [index, item] of queue) {
			if (failed && !goOn) return;
			results[index] = await work(item).then(
				(value) => ({ value }),
				(error: unknown) => {
					failed = true;
					return { error };
				},
			);
		}
	};
	await Promise.all(Array.from({ length: atOnce }, worker));
	return results;
}
