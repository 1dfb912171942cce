import { WOKEN, type Clock } from '../clock/clock';
import type { FairQueue } from './fairQueue';

/** Who waits in a queue for a turn. */
export interface QueueEntry<T = void> {
	asks: T;
	/** Lets the waiter go on; to be called once it is out of the queue. */
	go(): void;
}

/** Wakes whoever waits for a turn, when something has changed or time has come. */
export class QueueScheduler {
	private alarm = new AbortController();

	/**
	 * @param admit lets go on whoever may, and says when to look again: elapsed ms, or never
	 */
	constructor(
		private readonly clock: Clock,
		private readonly admit: () => number | undefined,
	) {}

	/**
	 * Resolves in the caller's turn; rejects with the signal's reason when that fires before.
	 *
	 * @param options.isFirst before the others of the owner
	 */
	async wait<T>(
		queue: FairQueue<QueueEntry<T>>,
		owner: object,
		asks: T,
		{ signal, isFirst }: { signal?: AbortSignal; isFirst?: boolean } = {},
	): Promise<void> {
		signal?.throwIfAborted();
		await new Promise<void>((resolve, reject) => {
			const leave = () => {
				queue.remove(owner, entry);
				this.serve();
				reject(signal?.reason as Error);
			};
			const entry: QueueEntry<T> = {
				asks,
				go: () => {
					signal?.removeEventListener('abort', leave);
					resolve();
				},
			};
			signal?.addEventListener('abort', leave, { once: true });
			queue.push(owner, entry, isFirst);
			this.serve();
		});
	}

	/** To be called whenever something has changed. */
	serve(): void {
		this.alarm.abort(WOKEN);
		const at = this.admit();
		if (at === undefined) return;
		this.alarm = new AbortController();
		this.clock.sleep(Math.max(0, at - this.clock.elapsed()), this.alarm.signal).then(
			() => this.serve(),
			() => {},
		);
	}
}
