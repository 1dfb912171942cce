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
	/** Nobody looks at its job, which may have ended long ago; or somebody does again. */
	rest(isResting: boolean): void;
}

/** A slot that is taken. */
interface Taken {
	/** elapsed ms. */
	at: number;
	/** The run it belongs to. */
	owner: object;
	isResting: boolean;
}

/** Whom the slots belong to whose runs are over. */
const NOBODY = {};

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
 * Where the jobs of others stay the same for so many times as long as a job takes, within these bounds, ms,
 * one more is tried; after a 429, twice as long.
 */
const DOUBT_MS = { least: 30_000, most: 90_000 };
const DOUBT_JOBS = 4;
const LONGEST_DOUBT_MS = 480_000;

/**
 * Keeps as many jobs of an account running as the service allows (section "Limits"), and hands out
 * a slot the moment one is free: to the run that has the fewest. A 429 to a creation tells that
 * others use the account, too: no more are started than run by then, and one more by and by.
 */
export class ConcurrencyLimiter {
	private readonly queue = new FairQueue<QueueEntry<Asks>>();

	private readonly scheduler: QueueScheduler;

	/** The slots that are taken, the oldest first. */
	private readonly slots = new Set<Taken>();

	/** Jobs that have not got in line, by run. */
	private readonly toCome = new Map<object, () => number>();

	/** Slots taken, by run. */
	private readonly taken = new Map<object, number>();

	private readonly pause: Pause;

	/** Slots the service is known to allow, and since when. */
	private bound = { at: -Infinity, to: CONCURRENT_GENERATIONS };

	/** Jobs of other processes that take places, as far as the history shows, and since when just these. */
	private seen: { ids: ReadonlySet<string>; at: number } = { ids: new Set(), at: -Infinity };

	/** After so long without a change, what was seen may not be so. */
	private doubts = 0;

	/** When a slot was last taken or given back, or first waited for, elapsed ms. */
	private movedAt = -Infinity;

	/** Slots that may be taken until the next look. */
	private mostRunning = CONCURRENT_GENERATIONS;

	/** Creations under way. */
	creating = 0;

	constructor(private readonly clock: Clock) {
		this.pause = new Pause(clock, BACKOFF);
		this.scheduler = new QueueScheduler(clock, () => this.admit());
	}

	/** Jobs that wait for a slot, and those that will. */
	get waiting(): number {
		return [...this.toCome.values()].reduce((sum, count) => sum + count(), this.queue.size);
	}

	/**
	 * Tells of jobs that get in line by and by: all at once they would take memory for nothing.
	 *
	 * @param count how many are left
	 * @returns to be called when none comes any more
	 */
	expect(owner: object, count: () => number): () => void {
		this.toCome.set(owner, count);
		return () => void this.toCome.delete(owner);
	}

	/** For how long the oldest slot of a job has been taken that somebody looks at, ms. */
	get oldestMs(): number {
		const oldest = [...this.slots].find(({ isResting }) => !isResting);
		return oldest ? this.clock.elapsed() - oldest.at : 0;
	}

	/** Slots taken. */
	get running(): number {
		return [...this.taken.values()].reduce((sum, count) => sum + count, 0);
	}

	/** Slots taken by jobs that somebody looks at. */
	get active(): number {
		const resting = [...this.slots].filter(({ isResting }) => isResting);
		return this.running - resting.length;
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
		if (this.active === 0 && this.queue.isEmpty) {
			this.movedAt = this.clock.elapsed();
			this.isOpening ||= this.isUnknown();
		}
		await this.scheduler.wait(this.queue, owner, { owner, limit }, options);
		return this.slotOf(owner);
	}

	/** A slot for a job that runs already, whether one is free or not. */
	occupy(owner: object): Slot {
		this.add(owner, 1);
		return this.slotOf(owner);
	}

	/** A run is over: what it leaves behind counts for no run's limit. */
	leave(owner: object): void {
		for (const slot of this.slots) if (slot.owner === owner) slot.owner = NOBODY;
		const left = this.taken.get(owner) ?? 0;
		this.count(owner, -left);
		this.count(NOBODY, left);
	}

	/** Places that others take, as far as the history shows. */
	get others(): number {
		return this.seen.ids.size;
	}

	/** Whether a look at the history would say more about free places than is known. */
	get isCrowded(): boolean {
		return (
			this.waiting > 0 &&
			(this.others > 0 || this.isOpening || this.mostRunning < CONCURRENT_GENERATIONS)
		);
	}

	/** Whether it is not known how many jobs of others there are. */
	isOpening = false;

	/** Set by the account: whether the history may say more, and has not lately. */
	canLook: () => boolean = () => false;
	isUnknown: () => boolean = () => false;
	/** How long a job takes, as far as is known, ms. */
	averageMs: () => number = () => 0;

	/**
	 * The history shows jobs of others.
	 *
	 * @param ids their identifiers
	 * @param ended jobs of this process whose slot is still to be given back
	 */
	seeOthers(ids: ReadonlySet<string>, ended = 0): void {
		// Where it has shown none of those who must be there, it says nothing about a refusal.
		const isTelling = this.seen.ids.size > 0 || ids.size > 0;
		const isSame = ids.size === this.seen.ids.size && [...ids].every((id) => this.seen.ids.has(id));
		if (!isSame) {
			this.seen = { ids, at: this.clock.elapsed() };
			this.doubts = 0;
		}
		const running = Math.max(0, this.running - ended);
		const free = Math.max(0, CONCURRENT_GENERATIONS - running - ids.size);
		this.mostRunning = running + free;
		this.isOpening = false;
		if (free > 0 && isTelling) {
			this.pause.endGuess();
			this.bound = { at: -Infinity, to: CONCURRENT_GENERATIONS };
		}
		this.scheduler.serve();
	}

	/** The history does not say. */
	endOpening(): void {
		if (!this.isOpening) return;
		this.isOpening = false;
		this.mostRunning = CONCURRENT_GENERATIONS;
		this.scheduler.serve();
	}

	/** A creation has succeeded. */
	created(): void {
		this.pause.succeeded();
		this.bound = {
			at: this.clock.elapsed(),
			to: Math.min(this.proven() + 1, CONCURRENT_GENERATIONS),
		};
		this.scheduler.serve();
	}

	/** The slot has been counted. */
	private slotOf(owner: object): Slot {
		const slot: Taken = { at: this.clock.elapsed(), owner, isResting: false };
		this.slots.add(slot);
		const giveBack = (then: () => void) => {
			if (!this.slots.delete(slot)) return;
			this.add(slot.owner, -1);
			then();
			this.scheduler.serve();
		};
		return {
			// With a place free, there is no need to guess any longer when one will be.
			release: () => giveBack(() => this.pause.endGuess()),
			refused: (retryAfterMs) => giveBack(() => this.shrink(retryAfterMs)),
			rest: (isResting) => (slot.isResting = isResting),
		};
	}

	private shrink(retryAfterMs?: number): void {
		const to = Math.max(1, Math.min(this.running, this.allowed()));
		this.bound = { at: this.clock.elapsed(), to };
		this.pause.extend(retryAfterMs);
		if (!this.canLook()) return;
		this.mostRunning = this.running;
		this.doubts = this.isDoubtful ? this.doubts + 1 : 0;
		this.seen = { ...this.seen, at: this.clock.elapsed() };
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
		const next = [this.pause.until, this.growsAt(), this.doubtAt].filter(
			(at) => at > this.clock.elapsed(),
		);
		return next.length > 0 ? Math.min(...next) : undefined;
	}

	private add(owner: object, count: number): void {
		this.movedAt = this.clock.elapsed();
		this.count(owner, count);
	}

	private count(owner: object, change: number): void {
		const own = (this.taken.get(owner) ?? 0) + change;
		if (own > 0) this.taken.set(owner, own);
		else this.taken.delete(owner);
	}

	private allowed(): number {
		return Math.min(CONCURRENT_GENERATIONS, this.proven(), this.allowedByOthers());
	}

	/** As far as refusals and creations tell. */
	private proven(): number {
		const grown = Math.floor((this.clock.elapsed() - this.bound.at) / GROWTH_MS);
		return this.bound.to + grown;
	}

	/** Those of which nothing has changed for a while may not be there. */
	private allowedByOthers(): number {
		if (this.isOpening) return 1;
		return Math.max(0, this.mostRunning) + (this.isDoubtful ? 1 : 0);
	}

	private get isDoubtful(): boolean {
		return this.clock.elapsed() >= this.doubtAt;
	}

	/** Whoever has no place at all tries for one, however the jobs of others change. */
	private get doubtAt(): number {
		const since = this.running > 0 ? this.seen.at : Math.min(this.seen.at, this.movedAt);
		const firstMs = Math.min(
			Math.max(DOUBT_MS.least, DOUBT_JOBS * this.averageMs()),
			DOUBT_MS.most,
		);
		return since + Math.min(firstMs * 2 ** this.doubts, LONGEST_DOUBT_MS);
	}

	/** When one more is allowed, elapsed ms; in the past when all are. */
	private growsAt(): number {
		const grown = Math.floor((this.clock.elapsed() - this.bound.at) / GROWTH_MS);
		const isBound = this.bound.to + grown < CONCURRENT_GENERATIONS;
		return isBound ? this.bound.at + (grown + 1) * GROWTH_MS : 0;
	}
}

/** The slots of an account. */
export const concurrencyLimiterOf = perAccount((clock) => new ConcurrencyLimiter(clock));
