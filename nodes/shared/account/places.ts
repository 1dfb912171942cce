import { later, type Clock } from '../clock/clock';
import { CONCURRENT_GENERATIONS } from '../spec/limits';
import { pauseMs } from './requests';

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
}

/** A creation that has no answer for this long gives one more place: one that hangs must hold nobody up. In ms. */
const UNANSWERED_MS = 2000;

/** How long others are assumed after the last sign of them, in ms. */
const OTHERS_MS = 60_000;

/** The first pause until one more place is tried, and the longest with and without the history, in ms. */
const FIRST_PAUSE_MS = 4000;
const LONGEST_PAUSE_MS = 12_000;
const LONGEST_BLIND_PAUSE_MS = 30_000;

/** Whatever the history shows, or does not, a creation is tried this long after the last one, in ms. */
const DOUBT_MS = 60_000;

/**
 * How many jobs of this process may run (section "Limits"). It begins with one, and each creation that succeeds allows
 * one more, up to five. A refused creation (429) shows that others use the account: then no more run than do. After a
 * pause, or when a look at the history shows a free place, one more is tried. Times: ms since 1970.
 */
export class Places {
	/** The run that each taken place belongs to. */
	private readonly taken = new Map<object, object>();

	/** How many jobs of this process may run; and how many have, since the last refusal. */
	private most = 1;
	private proven = 0;

	/** When one more is tried; Infinity as long as nothing was refused. */
	tryAt = Infinity;

	/** How often in a row that was in vain, and whether the history could not tell. */
	private inVain = 0;
	private isBlind = false;

	/** When a creation last succeeded or was refused. */
	private movedAt = -Infinity;

	/** Until when the service has asked for no creation, whatever the history shows. */
	private askedUntil = 0;

	/** Since when creations have been refused, and none has succeeded. */
	private refusedSince?: number;

	/** When there was last a sign of others. */
	private othersAt = -Infinity;

	/** Creations under way. */
	creating = 0;

	/** @param onChange called when a place may have become free */
	constructor(
		private readonly clock: Clock,
		private readonly onChange: () => void,
	) {}

	get running(): number {
		return this.taken.size;
	}

	get isFree(): boolean {
		return this.running < this.most;
	}

	/** Whether there was a sign of others lately. */
	get areShared(): boolean {
		return this.clock.now() - this.othersAt < OTHERS_MS;
	}

	ownedBy(run: object): number {
		return [...this.taken.values()].filter((owner) => owner === run).length;
	}

	take(run: object): Place {
		const key = {};
		this.taken.set(key, run);
		const giveBack = (then = () => {}) => {
			if (!this.taken.delete(key)) return;
			then();
			this.onChange();
		};
		return {
			release: () => giveBack(),
			refused: (retryAfterMs) => giveBack(() => this.shrink(retryAfterMs)),
		};
	}

	/** A run is over: the places that it leaves behind count towards no run's limit. */
	endRun(run: object): void {
		for (const [key, owner] of this.taken) if (owner === run) this.taken.set(key, {});
	}

	/** A creation is sent. @returns to be called with whether it has created a job */
	creationSent(): (hasSucceeded: boolean) => void {
		const answer = new AbortController();
		let hasGrown = false;
		const allowOneMore = () => {
			if (!hasGrown) this.allowOneMore();
			hasGrown = true;
			this.onChange();
		};
		this.creating += 1;
		later(this.clock, UNANSWERED_MS, allowOneMore, answer.signal);
		return (hasSucceeded) => {
			answer.abort();
			this.creating -= 1;
			if (!hasSucceeded) return;
			this.movedAt = this.clock.now();
			this.refusedSince = undefined;
			if (this.running > this.proven) this.inVain = 0;
			this.proven = Math.max(this.proven, this.running);
			allowOneMore();
		};
	}

	/** How long creations have been refused, and none has succeeded, in ms; 0 if none was refused since. */
	get refusedForMs(): number {
		const now = this.clock.now();
		return now - (this.refusedSince ?? now);
	}

	/** When one more is tried although no look has shown a free place. */
	get tryBlindAt(): number {
		return Math.max(this.tryAt, this.movedAt + DOUBT_MS);
	}

	/** One more place is tried. @param isBlind the history cannot tell whether one is free */
	tryOneMore({ isBlind = false } = {}): void {
		this.isBlind = isBlind;
		this.tryAt = Infinity;
		if (!this.isFree) this.grow();
	}

	/** A look at the history has shown how many jobs of others run. */
	seeOthers(count: number): void {
		const now = this.clock.now();
		if (count > 0) this.othersAt = now;
		if (this.tryAt === Infinity || now < this.askedUntil) return;
		const isAnyFree = this.running + count < CONCURRENT_GENERATIONS;
		if (isAnyFree) this.tryOneMore();
		else if (now >= this.tryAt) this.pause();
	}

	private allowOneMore(): void {
		if (!this.areShared) this.grow();
		else if (this.tryAt === Infinity) this.pause();
	}

	private shrink(retryAfterMs?: number): void {
		this.othersAt = this.movedAt = this.clock.now();
		this.refusedSince ??= this.movedAt;
		this.most = this.proven = this.running;
		this.pause(retryAfterMs);
		if (retryAfterMs !== undefined) this.askedUntil = this.tryAt;
	}

	private pause(retryAfterMs?: number): void {
		const longestMs = this.isBlind ? LONGEST_BLIND_PAUSE_MS : LONGEST_PAUSE_MS;
		const length = { retryAfterMs, firstMs: FIRST_PAUSE_MS, longestMs };
		const ms = pauseMs(this.clock, { before: this.inVain++, ...length });
		this.tryAt = Math.max(this.askedUntil, this.clock.now() + ms);
	}

	private grow(): void {
		this.most = Math.min(this.most + 1, CONCURRENT_GENERATIONS);
	}
}
