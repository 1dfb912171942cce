import { type Attempt, callLimit } from '../clock/attempt';

/** What became of one item. */
export type Settled<T> = Attempt<T> | { skipped: true };

/** Thrown by work that was not begun, because the batch begins nothing more. */
export class NotStarted extends Error {}

/** The items of a run, worked on several at a time. */
export class Batch {
	private readonly end = new AbortController();

	/** @param continueOnFail whether further items are begun after one has failed */
	constructor(private readonly continueOnFail: boolean) {}

	/** Fires when no more items are to be begun. */
	get stopCreating(): AbortSignal {
		return this.end.signal;
	}

	/**
	 * Reports that an item has failed: unless the others go on, nothing more is begun. Work that holds something others
	 * wait for, such as a place, calls this before giving it back.
	 */
	readonly onItemFailed = (): void => {
		if (!this.continueOnFail) this.end.abort();
	};

	/**
	 * Works on all items, and gives their results in input order. No error cuts this short: what has begun is finished,
	 * since it may be paid for.
	 *
	 * @param work throws NotStarted if it had to wait and is no longer wanted; calls `goOn` when the next item may begin
	 *   beside it
	 * @param atOnce how many items that have not called `goOn` are worked on at the same time
	 */
	async settle<I, T>(
		items: readonly I[],
		work: (item: I, goOn: () => void) => Promise<T>,
		atOnce: number,
	): Promise<Array<Settled<T>>> {
		const results: Array<Settled<T>> = Array(items.length).fill({ skipped: true });
		const limit = callLimit(atOnce);
		const begin = (index: number, item: I, goOn: () => void) =>
			work(item, goOn)
				.then(
					(value) => ({ value }),
					(error: unknown) => this.fail(error),
				)
				.then((result) => {
					results[index] = result;
					goOn();
				});
		const all = items.map(async (item, index) => {
			let done: Promise<void> | undefined;
			await limit(async () => {
				if (this.stopCreating.aborted) return;
				await new Promise<void>((goOn) => (done = begin(index, item, goOn)));
			});
			await done;
		});
		await Promise.all(all);
		return results;
	}

	private fail(error: unknown): Settled<never> {
		if (error instanceof NotStarted) return { skipped: true };
		this.onItemFailed();
		return { error };
	}
}
