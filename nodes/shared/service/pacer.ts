import type { Clock } from '../jobs/clock';
import { REQUEST_WINDOW_MS, REQUESTS_PER_WINDOW } from '../spec/limits';
import { attempt } from './attempt';
import { gaveUp } from './failures';
import { FairQueue } from './fairQueue';
import { perAccount } from './perAccount';
import { isTooMany } from './serviceError';
import { Turns, type Waiter } from './turns';

/**
 * What a request is for; the first goes first. `look`: to see whether a job has ended, which can
 * wait and be spread out. `read`: whatever else is read or written.
 */
export const LANES = ['create', 'read', 'look'] as const;
export type Lane = (typeof LANES)[number];

/** The longest that one answer can make an account wait, whatever it says, ms. */
export const MAX_PAUSE_MS = 300_000;

/** First pause after a 429 that does not say how long, ms; doubled with each that follows. */
const FIRST_PAUSE_MS = 1000;
const LONGEST_GUESS_MS = 30_000;

/** Each 429 makes the gap between looks so many times as long, up to; a window without one halves it. */
const SLOWDOWN = 2;
const MOST_SLOWDOWN = 16;

/** Requests that looks leave for what nobody foresees. */
const RESERVE = 10;

/** What is still to come on an account, as far as can be told. */
export interface Forecast {
	/** Requests that will be needed besides looks. */
	requests: number;
	/** In so many ms. */
	withinMs: number;
	/** Longest gap between looks that makes sense, ms. */
	mostGapMs: number;
}

const UNKNOWN: Forecast = {
	requests: 0,
	withinMs: REQUEST_WINDOW_MS,
	mostGapMs: REQUEST_WINDOW_MS / 12,
};

interface Ticket {
	lane: Lane;
	/** The run it belongs to. */
	owner: object;
	/** Ends the waiting for the turn. */
	signal?: AbortSignal;
	/** Called when the turn has come. */
	onTurn?: () => void;
}

interface Token {
	/** When it can be used again, ms since 1970. */
	backAt: number;
}

/**
 * Keeps an account within its requests a minute (section "Limits"): creations go first, looks at
 * running jobs are spread over what is left, runs take turns. A 429 tells that another process uses
 * the account, too: everything pauses, and looks keep a slower pace for a while.
 */
export class Pacer {
	private readonly lanes: Record<Lane, FairQueue<Waiter<Token>>> = {
		create: new FairQueue(),
		read: new FairQueue(),
		look: new FairQueue(),
	};

	private readonly turns: Turns;

	private tokens: Token[] = [];

	/** Told by the scheduler. */
	forecast: () => Forecast = () => UNKNOWN;

	private pausedUntil = 0;

	private nextLookAt = 0;

	/** Since the last answer other than 429. */
	private refusals = 0;

	/** How much slower looks are, and since when. */
	private slow = { at: 0, factor: 1 };

	constructor(private readonly clock: Clock) {
		this.turns = new Turns(clock, () => this.admit());
	}

	/**
	 * Sends a request in its turn. It counts until a full window after its answer, since the service
	 * may have counted it at any time between.
	 *
	 * @throws ServiceError when the signal has fired before the turn came
	 */
	async send<T>(request: () => Promise<T>, { lane, owner, signal, onTurn }: Ticket): Promise<T> {
		const token: Token = { backAt: Infinity };
		await this.turns.wait(this.lanes[lane], owner, token, { signal }).catch(() => {
			throw gaveUp();
		});
		onTurn?.();
		const answer = await attempt(request());
		this.learn('error' in answer ? answer.error : undefined, lane);
		token.backAt = this.clock.now() + REQUEST_WINDOW_MS;
		this.turns.serve();
		if ('error' in answer) throw answer.error;
		return answer.value;
	}

	/** A 429 to a creation may be about running jobs alone, and is the scheduler's to learn from. */
	private learn(error: unknown, lane: Lane): void {
		if (!isTooMany(error)) {
			this.refusals = 0;
			return;
		}
		if (lane === 'create') return;
		const now = this.clock.now();
		const known = error.retryAfterMs;
		// Of several that were under way together, one counts.
		const isFirst = now >= this.pausedUntil;
		if (!isFirst && known === undefined) return;
		const factor = Math.min(this.slowness() * SLOWDOWN, MOST_SLOWDOWN);
		if (isFirst) this.slow = { at: now, factor };
		const guess = Math.min(FIRST_PAUSE_MS * 2 ** this.refusals, LONGEST_GUESS_MS);
		if (isFirst) this.refusals += 1;
		const pause = Math.min(known ?? guess, MAX_PAUSE_MS);
		this.pausedUntil = Math.max(this.pausedUntil, now + pause);
	}

	private admit(): number | undefined {
		for (;;) {
			const lane = LANES.find((name) => !this.lanes[name].isEmpty);
			if (!lane) return undefined;
			const at = this.openAt(lane);
			if (at > this.clock.now()) return at === Infinity ? undefined : at;
			const waiter = this.lanes[lane].take();
			if (waiter) this.tokens.push(waiter.asks);
			if (lane === 'look') this.nextLookAt = this.clock.now() + this.lookGap();
			waiter?.go();
		}
	}

	/** Looks share what the requests to come leave of the window. */
	private lookGap(): number {
		const { requests, withinMs, mostGapMs } = this.forecast();
		const left = REQUESTS_PER_WINDOW - RESERVE - this.inWindow(withinMs) - requests;
		const gap = left > 0 ? Math.min(withinMs / left, mostGapMs) : mostGapMs;
		return Math.ceil(this.slowness() * gap);
	}

	/** When the next request of the lane may be sent, ms since 1970. */
	private openAt(lane: Lane): number {
		const look = lane === 'look' ? this.nextLookAt : 0;
		return Math.max(this.pausedUntil, this.tokenAt(), look);
	}

	/** When a request is left, ms since 1970; never by itself while all are under way. */
	private tokenAt(): number {
		const inWindow = this.inWindow();
		if (inWindow < REQUESTS_PER_WINDOW) return 0;
		return Math.min(...this.tokens.map(({ backAt }) => backAt));
	}

	/** Requests that count now, and will in so many ms. */
	private inWindow(laterMs = 0): number {
		const now = this.clock.now();
		this.tokens = this.tokens.filter(({ backAt }) => backAt > now);
		return this.tokens.filter(({ backAt }) => backAt > now + laterMs).length;
	}

	private slowness(): number {
		const windows = Math.floor((this.clock.now() - this.slow.at) / REQUEST_WINDOW_MS);
		return Math.max(1, this.slow.factor / 2 ** windows);
	}
}

/** The pacer of an account. */
export const pacerOf = perAccount((clock) => new Pacer(clock));
