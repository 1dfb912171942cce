import { FairQueue } from '../service/fairQueue';
import { Pause } from '../service/backoff';
import { perAccount } from '../service/perAccount';
import { QueueScheduler, type QueueEntry } from '../service/queueScheduler';
import { CONCURRENT_GENERATIONS } from '../spec/limits';
import type { Clock } from '../clock/clock';

/** A place among the running jobs of an account. */
export interface Slot {
	/** Gives it back: its job has ended, or was not made. A second time does nothing. */
	release(): void;
	/**
	 * Gives it back, since the service has refused one more job (429).
	 *
	 * @param retryAfterMs how long it asks to be left alone
	 */
	refused(retryAfterMs?: number): void;
}

interface Asks {
	owner: object;
	/** Jobs that the owner may have running at most. */
	limit: number;
}

/** After a 429 to a creation that does not say how long. */
const BACKOFF = { firstMs: 1000, longestMs: 16_000 };

/** After a 429 to a creation, one more slot is tried with each success, and after this, ms. */
const GROWTH_MS = 10_000;

/**
 * Keeps as many jobs of an account running as the service allows (section "Limits"), and hands out
 * a slot the moment one is free: to the run that has the fewest. A 429 to a creation tells that
 * others use the account, too: no more are started than run by then, and one more by and by.
 */
export class ConcurrencyLimiter {
	private readonly queue = new FairQueue<QueueEntry<Asks>>();

	private readonly scheduler: QueueScheduler;

	/** When each slot was taken, ms since 1970, the oldest first. */
	private readonly since = new Set<{ at: number }>();

	/** Slots taken, by run. */
	private readonly taken = new Map<object, number>();

	private readonly pause: Pause;

	/** Slots the service is known to allow, and since when. */
	private bound = { at: -Infinity, to: CONCURRENT_GENERATIONS };

	constructor(private readonly clock: Clock) {
		this.pause = new Pause(clock, BACKOFF);
		this.scheduler = new QueueScheduler(clock, () => this.admit());
	}

	/** Jobs that wait for a slot. */
	get waiting(): number {
		return this.queue.size;
	}

	/** For how long the oldest slot has been taken, ms. */
	get oldestMs(): number {
		const [oldest] = this.since;
		return oldest ? this.clock.now() - oldest.at : 0;
	}

	/** Slots taken. */
	get running(): number {
		return [...this.taken.values()].reduce((sum, count) => sum + count, 0);
	}

	/**
	 * Waits for a slot for a job that is to be created.
	 *
	 * @param owner the run it belongs to
	 * @param limit jobs that this run may have running at most
	 * @param options.isFirst before other jobs of the run: the service has refused it once
	 * @throws the signal's reason, when it fires before
	 */
	async acquire(
		owner: object,
		limit: number,
		options: { signal?: AbortSignal; isFirst?: boolean } = {},
	): Promise<Slot> {
		await this.scheduler.wait(this.queue, owner, { owner, limit }, options);
		return this.slotOf(owner);
	}

	/** A slot for a job that runs already, whether one is free or not. */
	occupy(owner: object): Slot {
		this.add(owner, 1);
		return this.slotOf(owner);
	}

	/** A creation has succeeded. */
	created(): void {
		this.pause.succeeded();
		this.bound = { at: this.clock.now(), to: Math.min(this.allowed() + 1, CONCURRENT_GENERATIONS) };
		this.scheduler.serve();
	}

	/** The slot has been counted. */
	private slotOf(owner: object): Slot {
		const since = { at: this.clock.now() };
		this.since.add(since);
		const giveBack = (then: () => void) => {
			if (!this.since.delete(since)) return;
			this.add(owner, -1);
			then();
			this.scheduler.serve();
		};
		return {
			// With a place free, there is no need to guess any longer when one will be.
			release: () => giveBack(() => this.pause.endGuess()),
			refused: (retryAfterMs) => giveBack(() => this.shrink(retryAfterMs)),
		};
	}

	private shrink(retryAfterMs?: number): void {
		const to = Math.max(1, Math.min(this.running, this.allowed()));
		this.bound = { at: this.clock.now(), to };
		this.pause.extend(retryAfterMs);
	}

	private admit(): number | undefined {
		while (this.pause.isOver && this.running < this.allowed()) {
			const entry = this.queue.take((owner, { asks }) => {
				const own = this.taken.get(owner) ?? 0;
				return own < asks.limit ? own : undefined;
			});
			if (!entry) return undefined;
			this.add(entry.asks.owner, 1);
			entry.go();
		}
		if (this.queue.isEmpty) return undefined;
		const next = [this.pause.until, this.growsAt()].filter((at) => at > this.clock.now());
		return next.length > 0 ? Math.min(...next) : undefined;
	}

	private add(owner: object, count: number): void {
		const own = (this.taken.get(owner) ?? 0) + count;
		if (own > 0) this.taken.set(owner, own);
		else this.taken.delete(owner);
	}

	private allowed(): number {
		const grown = Math.floor((this.clock.now() - this.bound.at) / GROWTH_MS);
		return Math.min(CONCURRENT_GENERATIONS, this.bound.to + grown);
	}

	/** When one more is allowed, ms since 1970; in the past when all are. */
	private growsAt(): number {
		const missing = this.allowed() - this.bound.to + 1;
		return this.allowed() < CONCURRENT_GENERATIONS ? this.bound.at + missing * GROWTH_MS : 0;
	}
}

/** The slots of an account. */
export const concurrencyLimiterOf = perAccount((clock) => new ConcurrencyLimiter(clock));
