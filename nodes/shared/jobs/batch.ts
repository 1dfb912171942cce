import type { Attempt } from '../service/attempt';

/** What became of one item. */
export type Settled<T> = Attempt<T> | { skipped: true };

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

	/** Items that have not been begun. */
	private untouched = 0;

	/** @param continueOnFail whether further items are begun after one has failed */
	constructor(private readonly continueOnFail: boolean) {}

	/** Fires when what has not been begun is no longer wanted. */
	get stopCreating(): AbortSignal {
		return this.end.signal;
	}

	/** How many items have not been begun. */
	get left(): number {
		return this.stopCreating.aborted ? 0 : this.untouched;
	}

	/**
	 * An item has failed: unless the others go on, nothing more is begun from now on. Work that holds
	 * something others wait for, such as a place, calls this before it gives that back.
	 */
	readonly onItemFailed = (): void => {
		if (!this.continueOnFail) this.end.abort();
	};

	/**
	 * Gives the results in input order. No error ends the batch: what has begun is brought to its
	 * end, since it may be paid for.
	 *
	 * @param work throws NotStarted where it had to wait and is no longer wanted; calls `goOn` when another
	 *   item may have its place, and goes on beside it
	 * @param atOnce how many items have a place at the same time
	 * @param first items that are begun before the others
	 */
	async settle<I, T>(
		items: readonly I[],
		work: (item: I, goOn: () => void) => Promise<T>,
		atOnce: number,
		first: ReadonlySet<I> = new Set(),
	): Promise<Array<Settled<T>>> {
		const results: Array<Settled<T>> = Array(items.length).fill(SKIPPED);
		const queue = inTurn(items, first);
		const underWay = new Set<Promise<void>>();
		this.untouched = items.length;
		const begin = (index: number, item: I, goOn: () => void) => {
			this.untouched -= 1;
			const done = work(item, goOn)
				.then(
					(value) => ({ value }),
					(error: unknown) => this.fail(error),
				)
				.then((result) => {
					results[index] = result;
					underWay.delete(done);
					goOn();
				});
			underWay.add(done);
		};
		const place = async () => {
			for (const [index, item] of queue) {
				if (this.stopCreating.aborted) return;
				await new Promise<void>((goOn) => begin(index, item, goOn));
			}
		};
		await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, place));
		await Promise.all(underWay);
		return results;
	}

	private fail(error: unknown): Settled<never> {
		if (error instanceof NotStarted) return { skipped: true };
		this.onItemFailed();
		return { error };
	}
}

/** One for all: a long batch has many that were not begun yet. */
const SKIPPED = { skipped: true } as const;

function* inTurn<I>(items: readonly I[], first: ReadonlySet<I>): Generator<[number, I]> {
	const isFirst = ([, item]: [number, I]) => first.has(item);
	if (first.size > 0) for (const entry of items.entries()) if (isFirst(entry)) yield entry;
	for (const entry of items.entries()) if (!isFirst(entry)) yield entry;
}
