/** What became of one item. */
export type Settled<T> = { value: T } | { error: unknown } | { skipped: true };

/** Thrown by work that was not begun, since the batch does not begin any more. */
export class NotStarted extends Error {
	constructor() {
		super('Not started');
		this.name = 'NotStarted';
	}
}

/** The items of a run, worked on several at a time. */
export class Batch {
	private readonly end = new AbortController();

	/** @param continueOnFail whether further items are begun after one has failed */
	constructor(private readonly continueOnFail: boolean) {}

	/** Fires when what has not been begun is no longer wanted. */
	get stopCreating(): AbortSignal {
		return this.end.signal;
	}

	/**
	 * An item has failed: unless the others go on, nothing more is begun from now on. Work that holds
	 * something others wait for, such as a slot, calls this before it gives that back.
	 */
	readonly onItemFailed = (): void => {
		if (!this.continueOnFail) this.end.abort();
	};

	/**
	 * Gives the results in input order. No error ends the batch: what has begun is brought to its
	 * end, since it may be paid for.
	 *
	 * @param work throws NotStarted where it had to wait and is no longer wanted
	 * @param atOnce how many items are worked on at the same time
	 */
	async settle<I, T>(
		items: readonly I[],
		work: (item: I) => Promise<T>,
		atOnce: number,
	): Promise<Array<Settled<T>>> {
		const results: Array<Settled<T>> = items.map(() => ({ skipped: true }));
		const queue = items.entries();
		const worker = async () => {
			for (const [index, item] of queue) {
				if (this.stopCreating.aborted) return;
				results[index] = await work(item).then(
					(value) => ({ value }),
					(error: unknown) => this.fail(error),
				);
			}
		};
		await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
		return results;
	}

	private fail(error: unknown): Settled<never> {
		if (error instanceof NotStarted) return { skipped: true };
		this.onItemFailed();
		return { error };
	}
}
