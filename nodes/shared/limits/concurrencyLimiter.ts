import { FairQueue } from './fairQueue';
import { Pause } from './backoff';
import { QueueScheduler, type QueueEntry } from './queueScheduler';
import { CONCURRENT_GENERATIONS } from '../spec/limits';
import type { Clock } from '../clock/clock';
import type { Durations } from './durations';
import { forecastOf, type Forecast } from '../plan/forecast';
import {
	isDoubtful,
	placesAllowed,
	placesChangeAt,
	provenPlaces,
	type PlacesSeen,
} from '../plan/places';
import type { ShownOthers } from './shownOthers';

/** A place among the running jobs of an account. */
export interface Place {
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

/** A place that is taken. */
interface Taken {
	/** elapsed ms. */
	at: number;
	/** The run it belongs to. */
	owner: object;
	isResting: boolean;
}

/** Whom the places belong to whose runs are over. */
const NOBODY = {};

interface Asks {
	owner: object;
	/** Jobs that the owner may have running at most. */
	limit: number;
}

/** After a 429 to a creation that does not say how long. */
const BACKOFF = { firstMs: 1000, longestMs: 16_000 };

/** For so long, a look at the history tells whether others use the account, ms. */
const KNOWN_MS = 10_000;

/** Taken for the average duration before a job has ended, ms; no less than the oldest has taken. */
const UNKNOWN_DURATION_MS = 6000;

/**
 * Keeps as many jobs of an account running as the service allows (section "Limits"), and hands out
 * a place the moment one is free: to the run that has the fewest. A 429 to a creation tells that
 * others use the account, too: no more are started than run by then, and one more by and by.
 */
export class ConcurrencyLimiter {
	private readonly queue = new FairQueue<QueueEntry<Asks>>();

	private readonly scheduler: QueueScheduler;

	/** The places that are taken, the oldest first. */
	private readonly places = new Set<Taken>();

	/** Jobs that have not got in line, by run. */
	private readonly toCome = new Map<object, () => number>();

	/** Places taken, by run. */
	private readonly taken = new Map<object, number>();

	private readonly pause: Pause;

	/** Places the service is known to allow, and since when. */
	private proven = { at: -Infinity, to: CONCURRENT_GENERATIONS };

	/** Jobs of other processes that take places, as far as the history shows, and since when just these. */
	private seen: { ids: ReadonlySet<string>; at: number } = { ids: new Set(), at: -Infinity };

	/** After so long without a change, what was seen may not be so. */
	private doubts = 0;

	/** When a place was last taken or given back, or first waited for, elapsed ms. */
	private movedAt = -Infinity;

	/** Places that may be taken until the next look. */
	private mostRunning = CONCURRENT_GENERATIONS;

	/** Creations under way. */
	creating = 0;

	/** Whether it is not known how many jobs of others there are. */
	isOpening = false;

	/** Jobs that are waited for by their identifier, and hold no place. */
	followed = 0;

	constructor(
		private readonly clock: Clock,
		private readonly durations: Pick<Durations, 'average'>,
		private readonly shown: Pick<ShownOthers, 'isUsable' | 'isFresh'>,
	) {
		this.pause = new Pause(clock, BACKOFF);
		this.scheduler = new QueueScheduler(clock, () => this.admit());
	}

	/** Jobs that wait for a place, and those that will. */
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

	/** For how long the oldest place of a job has been taken that somebody looks at, ms. */
	get oldestMs(): number {
		const oldest = [...this.places].find(({ isResting }) => !isResting);
		return oldest ? this.clock.elapsed() - oldest.at : 0;
	}

	/** Places taken. */
	get running(): number {
		return [...this.taken.values()].reduce((sum, count) => sum + count, 0);
	}

	/** Places taken by jobs that somebody looks at. */
	get active(): number {
		const resting = [...this.places].filter(({ isResting }) => isResting);
		return this.running - resting.length;
	}

	/**
	 * Waits for a place for a job that is to be created.
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
	): Promise<Place> {
		if (this.active === 0 && this.queue.isEmpty) {
			this.movedAt = this.clock.elapsed();
			this.isOpening ||= this.isUnknown;
		}
		await this.scheduler.wait(this.queue, owner, { owner, limit }, options);
		return this.placeFor(owner);
	}

	/** A place for a job that runs already, whether one is free or not. */
	occupy(owner: object): Place {
		this.add(owner, 1);
		return this.placeFor(owner);
	}

	/** A run is over: what it leaves behind counts for no run's limit. */
	leave(owner: object): void {
		for (const place of this.places) if (place.owner === owner) place.owner = NOBODY;
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

	/** How long a job takes, on average, as far as is known, ms. */
	get averageMs(): number {
		const { average } = this.durations;
		return Math.max(1, average ?? Math.max(UNKNOWN_DURATION_MS, this.oldestMs));
	}

	/** What the jobs that wait and run will need. */
	get forecast(): Forecast {
		return forecastOf(this);
	}

	/** Whether the history may say how many jobs of others there are, and has not lately. */
	private get isUnknown(): boolean {
		return this.shown.isUsable && !this.shown.isFresh(KNOWN_MS);
	}

	/**
	 * The history shows jobs of others.
	 *
	 * @param ids their identifiers
	 * @param ended jobs of this process whose place is still to be given back
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
			this.proven = { at: -Infinity, to: CONCURRENT_GENERATIONS };
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
		this.proven = {
			at: this.clock.elapsed(),
			to: Math.min(provenPlaces(this.known(), this.clock.elapsed()) + 1, CONCURRENT_GENERATIONS),
		};
		this.scheduler.serve();
	}

	/** The place has been counted. */
	private placeFor(owner: object): Place {
		const place: Taken = { at: this.clock.elapsed(), owner, isResting: false };
		this.places.add(place);
		const giveBack = (then: () => void) => {
			if (!this.places.delete(place)) return;
			this.add(place.owner, -1);
			then();
			this.scheduler.serve();
		};
		return {
			// With a place free, there is no need to guess any longer when one will be.
			release: () => giveBack(() => this.pause.endGuess()),
			refused: (retryAfterMs) => giveBack(() => this.shrink(retryAfterMs)),
			rest: (isResting) => (place.isResting = isResting),
		};
	}

	private shrink(retryAfterMs?: number): void {
		const now = this.clock.elapsed();
		const to = Math.max(
			1,
			Math.min(this.running, placesAllowed({ ...this.known(), pausedUntil: now }, now).most),
		);
		this.proven = { at: now, to };
		this.pause.extend(retryAfterMs);
		if (!this.shown.isUsable) return;
		this.mostRunning = this.running;
		this.doubts = isDoubtful(this.known(), now) ? this.doubts + 1 : 0;
		this.seen = { ...this.seen, at: now };
	}

	/** Hands out places; says when to look again, elapsed ms. */
	private admit(): number | undefined {
		while (this.running < placesAllowed(this.known(), this.clock.elapsed()).most) {
			const entry = this.queue.take((owner, { asks }) => {
				const own = this.taken.get(owner) ?? 0;
				return own < asks.limit ? own : undefined;
			});
			if (!entry) return undefined;
			this.add(entry.asks.owner, 1);
			entry.go();
		}
		if (this.queue.isEmpty) return undefined;
		const { at } = placesChangeAt(this.known(), this.clock.elapsed());
		return at === Infinity ? undefined : at;
	}

	private known(): PlacesSeen {
		return {
			running: this.running,
			proven: this.proven,
			besideOthers: this.mostRunning,
			othersSince: this.seen.at,
			doubts: this.doubts,
			movedAt: this.movedAt,
			isOpening: this.isOpening,
			pausedUntil: this.pause.until,
			averageMs: this.averageMs,
		};
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
}
