import type { Clock } from '../clock/clock';
import { isDoubtful, placesAllowed, provenPlaces, type PlacesSeen } from '../plan/places';
import { CONCURRENT_GENERATIONS } from '../spec/limits';
import { Pause } from './backoff';
import type { ShownHistory } from './shownHistory';

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

/** For so long, a look at the history tells whether others use the account, ms. */
const KNOWN_MS = 10_000;

/**
 * The places of an account for jobs that run at the same time (section "Limits"), as far as they are known. A 429 to
 * a creation tells that others use the account, too: no more are started than run by then, and one more by and by
 * (`plan/places.ts`).
 */
export class Places {
	/** Those that are taken, the oldest first. */
	private readonly taken = new Set<Taken>();

	private readonly pause: Pause;

	/** How many the service is known to allow, and since when. */
	private proven = { at: -Infinity, to: CONCURRENT_GENERATIONS };

	/** Jobs of other processes that take places, as far as the history shows, and since when just these. */
	private others: { ids: ReadonlySet<string>; at: number } = { ids: new Set(), at: -Infinity };

	/** How often one more was tried in vain beside them, without a change. */
	private doubts = 0;

	/** When a place was last taken or given back, or first waited for, elapsed ms. */
	private movedAt = -Infinity;

	/** How many may be taken until the next look. */
	private besideOthers = CONCURRENT_GENERATIONS;

	/** Creations under way. */
	creating = 0;

	/** It is not known how many jobs of others there are: since when, or since the last creation, elapsed ms. */
	private awaitedSince?: number;

	constructor(
		private readonly clock: Clock,
		private readonly history: Pick<ShownHistory, 'isUsable' | 'isFresh'>,
	) {
		this.pause = new Pause(clock);
	}

	/** Places taken. */
	get running(): number {
		return this.taken.size;
	}

	/** Places taken by jobs that somebody looks at. */
	get active(): number {
		return [...this.taken].filter(({ isResting }) => !isResting).length;
	}

	/** For how long the oldest place of a job has been taken that somebody looks at, ms. */
	get oldestMs(): number {
		const oldest = [...this.taken].find(({ isResting }) => !isResting);
		return oldest ? this.clock.elapsed() - oldest.at : 0;
	}

	/** Places that others take, as far as the history shows. */
	get ofOthers(): number {
		return this.others.ids.size;
	}

	/** How many a run has. */
	ownedBy(owner: object): number {
		let own = 0;
		for (const place of this.taken) if (place.owner === owner) own += 1;
		return own;
	}

	/** A run waits for one, as the first. */
	awaitFirstLook(): void {
		if (this.active > 0) return;
		this.movedAt = this.clock.elapsed();
		if (this.history.isUsable && !this.history.isFresh(KNOWN_MS))
			this.awaitedSince ??= this.movedAt;
	}

	/** @param onChange called when it is given back */
	take(owner: object, onChange: () => void): Place {
		const place: Taken = { at: this.clock.elapsed(), owner, isResting: false };
		this.taken.add(place);
		this.movedAt = place.at;
		const giveBack = (then: () => void) => {
			if (!this.taken.delete(place)) return;
			this.movedAt = this.clock.elapsed();
			then();
			onChange();
		};
		return {
			// With a place free, there is no need to guess any longer when one will be.
			release: () => giveBack(() => this.pause.endGuess()),
			refused: (retryAfterMs) => giveBack(() => this.shrink(retryAfterMs)),
			rest: (isResting) => (place.isResting = isResting),
		};
	}

	/** A run is over: what it leaves behind counts for no run's limit. */
	leave(owner: object): void {
		for (const place of this.taken) if (place.owner === owner) place.owner = NOBODY;
	}

	/** A creation is sent. */
	creationSent(): void {
		this.creating += 1;
	}

	/** A creation was answered. @param hasSucceeded with a job */
	creationAnswered(hasSucceeded: boolean): void {
		const now = this.clock.elapsed();
		this.creating -= 1;
		if (this.awaitedSince !== undefined) this.awaitedSince = now;
		if (!hasSucceeded) return;
		this.pause.succeeded();
		const to = Math.min(provenPlaces(this.seen, now) + 1, CONCURRENT_GENERATIONS);
		this.proven = { at: now, to };
	}

	/**
	 * The history shows jobs of others.
	 *
	 * @param ids their identifiers
	 * @param ended jobs of this process whose place is still to be given back
	 */
	seeOthers(ids: ReadonlySet<string>, ended = 0): void {
		// Where it has shown none of those who must be there, it says nothing about a refusal.
		const isTelling = this.others.ids.size > 0 || ids.size > 0;
		const isSame =
			ids.size === this.others.ids.size && [...ids].every((id) => this.others.ids.has(id));
		if (!isSame) {
			this.others = { ids, at: this.clock.elapsed() };
			this.doubts = 0;
		}
		const running = Math.max(0, this.running - ended);
		const free = Math.max(0, CONCURRENT_GENERATIONS - running - ids.size);
		this.besideOthers = running + free;
		this.awaitedSince = undefined;
		if (free > 0 && isTelling) {
			this.pause.endGuess();
			this.proven = { at: -Infinity, to: CONCURRENT_GENERATIONS };
		}
	}

	/** The history does not say. */
	doWithoutFirstLook(): void {
		if (this.awaitedSince === undefined) return;
		this.awaitedSince = undefined;
		this.besideOthers = CONCURRENT_GENERATIONS;
	}

	get seen(): PlacesSeen {
		return {
			running: this.running,
			proven: this.proven,
			besideOthers: this.besideOthers,
			othersSince: this.others.at,
			doubts: this.doubts,
			movedAt: this.movedAt,
			awaitsFirstLook: this.awaitedSince !== undefined,
			awaitedSince: this.awaitedSince ?? -Infinity,
			creating: this.creating,
			pausedUntil: this.pause.until,
		};
	}

	private shrink(retryAfterMs?: number): void {
		const now = this.clock.elapsed();
		const seen = { ...this.seen, pausedUntil: now };
		const to = Math.max(1, Math.min(this.running, placesAllowed(seen, now).most));
		this.proven = { at: now, to };
		this.pause.extend(retryAfterMs);
		if (!this.history.isUsable) return;
		this.besideOthers = this.running;
		this.doubts = isDoubtful(this.seen, now) ? this.doubts + 1 : 0;
		this.others = { ...this.others, at: now };
	}
}
