import type { Clock } from '../clock/clock';
import { isTry, placesAllowed, provenPlaces, type PlacesSeen } from '../plan/places';
import { CONCURRENT_GENERATIONS } from '../spec/limits';
import { Pause } from './backoff';
import type { ShownHistory } from './shownHistory';

/** A place among the running jobs of an account. */
export interface Place {
	/** Gives it back: its job has ended, or was not created. A second call does nothing. */
	release(): void;
	/**
	 * Gives it back, since the service has refused one more job (429).
	 *
	 * @param retryAfterMs how long the service asks to wait
	 */
	refused(retryAfterMs?: number): void;
	/** Says whether its job rests: nobody looks at it, and it may have ended long ago. */
	rest(isResting: boolean): void;
}

/** A place that is taken. */
interface Taken {
	/** When it was taken, elapsed ms. */
	at: number;
	/** The run it belongs to. */
	owner: object;
	isResting: boolean;
}

/** The owner of places whose runs are over. */
const NOBODY = {};

/** How long a look at the history shows whether others use the account, in ms. */
const KNOWN_MS = 10_000;

/**
 * The places of an account for jobs that run at the same time (section "Limits"), as far as they are known. A 429 to
 * a creation shows that others use the account, too. After it, no more jobs run than ran then, until one more is tried
 * (`plan/places.ts`).
 */
export class Places {
	/** The places that are taken, the oldest first. */
	private readonly taken = new Set<Taken>();

	private readonly pause: Pause;

	/** How many the service is known to allow, and since when. */
	private proven = { at: -Infinity, to: CONCURRENT_GENERATIONS };

	/** Jobs of others that the history shows to take places; `at`: when they changed, or a job was last refused. */
	private others: { ids: ReadonlySet<string>; at: number } = { ids: new Set(), at: -Infinity };

	/** How often in a row one more job was tried in vain beside jobs of others. */
	private doubts = 0;

	/** When a place was last taken or given back, or first waited for, elapsed ms. */
	private movedAt = -Infinity;

	/** How many places may be taken until the next look. */
	private besideOthers = CONCURRENT_GENERATIONS;

	/** Creations under way. */
	creating = 0;

	/** Since when the first look is awaited, or since the last answer to a creation, elapsed ms. */
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

	/** How long the oldest place has been taken whose job somebody looks at, in ms. */
	get oldestMs(): number {
		const oldest = [...this.taken].find(({ isResting }) => !isResting);
		return oldest ? this.clock.elapsed() - oldest.at : 0;
	}

	/** Places that others take, as far as the history shows. */
	get ofOthers(): number {
		return this.others.ids.size;
	}

	/** How many places a run has. */
	ownedBy(owner: object): number {
		let own = 0;
		for (const place of this.taken) if (place.owner === owner) own += 1;
		return own;
	}

	/** Called when a run waits for a place and no other does. */
	awaitFirstLook(): void {
		if (this.active > 0) return;
		this.movedAt = this.clock.elapsed();
		if (this.history.isUsable && !this.history.isFresh(KNOWN_MS))
			this.awaitedSince ??= this.movedAt;
	}

	/** @param onChange called when the place is given back */
	take(owner: object, onChange: () => void): Place {
		const place: Taken = { at: this.clock.elapsed(), owner, isResting: false };
		const isInDoubt = isTry(this.seen, place.at);
		this.taken.add(place);
		this.movedAt = place.at;
		const giveBack = (then: () => void) => {
			if (!this.taken.delete(place)) return;
			this.movedAt = this.clock.elapsed();
			then();
			onChange();
		};
		return {
			release: () =>
				giveBack(() => {
					if (isInDoubt) this.doubts = 0;
					// With a place free, there is no need to guess any longer when one will be.
					this.pause.endGuess();
				}),
			refused: (retryAfterMs) =>
				giveBack(() => {
					if (isInDoubt) this.doubts += 1;
					this.shrink(retryAfterMs);
				}),
			rest: (isResting) => (place.isResting = isResting),
		};
	}

	/** A run is over: the places that it leaves behind count towards no run's limit. */
	leave(owner: object): void {
		for (const place of this.taken) if (place.owner === owner) place.owner = NOBODY;
	}

	/** A creation is sent. */
	creationSent(): void {
		this.creating += 1;
	}

	/** A creation was answered. @param hasSucceeded whether a job was created */
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
	 * @param ended how many jobs of this process have ended, but still hold their places
	 */
	seeOthers(ids: ReadonlySet<string>, ended = 0): void {
		// A refusal proves that others have jobs. A history that shows none of them says nothing about it.
		const isTelling = this.others.ids.size > 0 || ids.size > 0;
		const isSame =
			ids.size === this.others.ids.size && [...ids].every((id) => this.others.ids.has(id));
		if (!isSame) this.others = { ids, at: this.clock.elapsed() };
		if (ids.size === 0) this.doubts = 0;
		const running = Math.max(0, this.running - ended);
		const free = Math.max(0, CONCURRENT_GENERATIONS - running - ids.size);
		this.besideOthers = running + free;
		this.awaitedSince = undefined;
		if (free > 0 && isTelling) {
			this.pause.endGuess();
			// One at a time: others who were refused have seen the free places, too.
			if (this.proven.to < CONCURRENT_GENERATIONS) {
				this.proven = { at: this.clock.elapsed(), to: running + 1 };
			}
		}
	}

	/** The history does not answer: goes on without the first look. */
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
		this.others = { ...this.others, at: now };
	}
}
