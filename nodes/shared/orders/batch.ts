import { attempt, type Attempt, callLimit } from '../clock/attempt';

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
	 * @param work throws NotStarted if it had to wait and is no longer wanted
	 * @param atOnce how many items are worked on at the same time
	 */
	async settle<I, T>(
		items: readonly I[],
		work: (item: I) => Promise<T>,
		atOnce: number,
	): Promise<Array<Settled<T>>> {
		const limit = callLimit(atOnce);
		const settled = async (item: I): Promise<Settled<T>> => {
			if (this.stopCreating.aborted) return { skipped: true };
			const done = await attempt(work(item));
			if ('value' in done) return done;
			if (done.error instanceof NotStarted) return { skipped: true };
			this.onItemFailed();
			return done;
		};
		return await Promise.all(
			items.map(async (item) => await limit(async () => await settled(item))),
		);
	}
}
