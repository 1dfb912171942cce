import type { Clock } from '../clock/clock';
import { type AccountKind, AUTHENTICATED, CONCURRENT_GENERATIONS } from '../spec/limits';

/**
 * What a request is for, the most urgent first. `end`: to read a job that is said to have ended, or whose time is up.
 * `other`: whatever else a node does. `trigger`: to see whether a workflow has to start.
 */
export const PRIORITIES = ['create', 'end', 'other', 'poll', 'trigger'] as const;
export type Priority = (typeof PRIORITIES)[number];

/** How much of the window may be used before a request of the priority waits: the rest is left to more urgent ones. */
const USED_AT_MOST: Readonly<Record<Priority, number>> = {
	create: 1,
	end: 1,
	other: 1,
	poll: 0.97,
	trigger: 0.5,
};

/** The shortest and the longest pause after a 429 to anything but a creation, in ms. */
const FIRST_PAUSE_MS = 6000;
const LONGEST_PAUSE_MS = 30_000;

/** The part of the account's requests that five running jobs earn, and the part that can be owed. */
const EARNED = 0.95;
const OWED = 0.05;

/** How many polls can be saved up, and a process begins with: several that begin together must not use up the minute. */
const SAVED = 1;

/** A process without a running job earns for this part of one: it may follow jobs that others have created. */
const LEAST_RUNNING = 0.2;

/** A process that is alone spends on polls what is left of this part of the window, this many times as fast. */
const SHARED_OUT = 0.9;
const HASTE = 3;

/** The service has refused a request because of a limit (429), and may say when to send it again. */
type TooMany = { retryAfterMs?: number };

/** A request that is granted. */
export interface Granted {
	/** Why, in words. */
	because: string;
	/** To be called when it is answered, or never will be. */
	answered(tooMany?: TooMany): void;
}

/** A request that was sent. It counts until a full window after its answer: the service may count it until then. */
interface SentRequest {
	priority: Priority;
	/** ms since 1970. */
	answeredAt?: number;
}

/** The requests of an account (section "Limits"): which count, and how polls are spread. */
export class Requests {
	/** What the account may send. Another credential for it, or a changed one, may set another limit. */
	limit: Pick<AccountKind, 'requests' | 'windowMs'> = AUTHENTICATED;

	private sent: SentRequest[] = [];

	/** Until when nothing is sent after a 429 to anything but a creation, and how many of them came in a row. */
	private pausedUntil = 0;
	private refusals = 0;

	/** How many polls are earned: as of when, and how many each ms adds. */
	private earned = SAVED;
	private earnedAt = 0;
	private earnedPerMs = 0;

	constructor(private readonly clock: Clock) {}

	/** Notes that a request is sent. */
	send(priority: Priority): SentRequest {
		this.earned -= 1;
		const request = { priority };
		this.sent.push(request);
		return request;
	}

	/** Notes an answer. A 429 to a creation may be about running jobs alone: `Places` learns from that. */
	answered(request: SentRequest, tooMany?: TooMany): void {
		request.answeredAt = this.clock.now();
		if (!tooMany) this.refusals = 0;
		if (!tooMany || request.priority === 'create') return;
		const { retryAfterMs } = tooMany;
		// Of several that were under way together, only the first counts.
		if (this.pauseLeftMs > 0 && retryAfterMs === undefined) return;
		const length = { retryAfterMs, firstMs: FIRST_PAUSE_MS, longestMs: LONGEST_PAUSE_MS };
		const ms = pauseMs(this.clock, { before: this.refusals++, ...length });
		this.pausedUntil = Math.max(this.pausedUntil, request.answeredAt + ms);
	}

	/** How long until a request of the priority may be sent, in ms; Infinity if that needs an answer to another. */
	opensInMs(priority: Priority): number {
		const { requests, windowMs } = this.limit;
		const { counting, pauseLeftMs } = this;
		const now = this.clock.now();
		const most = Math.floor(requests * USED_AT_MOST[priority]);
		if (counting.length < most) return pauseLeftMs;
		const left = counting.map(({ answeredAt }) =>
			answeredAt === undefined ? Infinity : answeredAt + windowMs - now,
		);
		left.sort((one, other) => one - other);
		return Math.max(pauseLeftMs, left[counting.length - most]!);
	}

	/**
	 * Polls have to be earned, so that processes share an account without knowing of one another: each running job
	 * earns a fifth of the account's requests for its process. More urgent requests are paid from that, too, but do not
	 * wait for it.
	 *
	 * @param running jobs of this process
	 * @param options.mayHurry nobody else uses the account, and no job waits for a place: then what is left of the window can
	 *   be spent, too
	 */
	earn(running: number, { mayHurry }: { mayHurry: boolean }): void {
		const { requests, windowMs } = this.limit;
		const now = this.clock.now();
		const sum = this.earned + (now - this.earnedAt) * this.earnedPerMs;
		// Looks for a place must not put off the polls of the job that gets it.
		const least = running > 0 ? -requests * OWED : 0;
		this.earned = Math.max(least, Math.min(sum, SAVED));
		this.earnedAt = now;
		const own = (EARNED * requests * Math.max(running, LEAST_RUNNING)) / CONCURRENT_GENERATIONS;
		const left = requests * SHARED_OUT - this.counting.length;
		this.earnedPerMs = Math.max(own, mayHurry ? HASTE * left : 0) / windowMs;
	}

	/** When the next poll is earned. */
	get earnedBy(): number {
		return this.earnedAt + Math.max(0, 1 - this.earned) / this.earnedPerMs;
	}

	private get pauseLeftMs(): number {
		return Math.max(0, this.pausedUntil - this.clock.now());
	}

	private get counting(): SentRequest[] {
		const { windowMs } = this.limit;
		const now = this.clock.now();
		this.sent = this.sent.filter(({ answeredAt = now }) => now - answeredAt < windowMs);
		return this.sent;
	}
}

/** The longest pause that one answer can cause, whatever it asks for, in ms. */
export const MAX_PAUSE_MS = 300_000;

/**
 * Exponential backoff, in ms.
 *
 * @param failures how many came in a row before the latest one
 */
export const backoffMs = (failures: number, longestMs = 10_000, firstMs = 1000): number =>
	Math.min(firstMs * 2 ** failures, longestMs);

interface Refused {
	/** How many 429s came in a row before this one. */
	before: number;
	/** How long the service asks to wait. */
	retryAfterMs?: number;
	firstMs: number;
	longestMs: number;
}

/** The pause after a 429, in ms: as long as the service asks, or else a backoff, drawn between half and all of it. */
export function pauseMs(
	clock: Clock,
	{ before, retryAfterMs, firstMs, longestMs }: Refused,
): number {
	const jittered = backoffMs(before, longestMs, firstMs) * (0.5 + clock.random() / 2);
	return Math.min(retryAfterMs ?? jittered, MAX_PAUSE_MS);
}

/** The shortest pause that counts, in ms: the header is in seconds, so that less means none. */
const LEAST_MS = 1000;

/**
 * The header Retry-After, a number of seconds or a date, in ms. `undefined` where it names no pause that counts: then
 * the caller's backoff applies.
 *
 * @param now ms since 1970
 */
export function retryAfterIn(headers: unknown, now: number): number | undefined {
	const value: unknown = Object(headers)['retry-after'];
	if (typeof value !== 'string' || value.trim() === '') return undefined;
	const seconds = Number(value);
	const ms = Number.isNaN(seconds) ? Date.parse(value) - now : seconds * 1000;
	return ms >= LEAST_MS && Number.isFinite(ms) ? ms : undefined;
}

/** When a job ends according to the service's documentation, ms from its creation. */
export interface Typical {
	fromMs: number;
	toMs: number;
}

/** The gap to the next poll is this part of the documented range, or else of the job's age. */
const PART = 1 / 6;

/** The shortest and the longest gap between two polls of a job, in ms; the document's own loop has the longest. */
const SHORTEST_GAP_MS = 1000;
const LONGEST_GAP_MS = 10_000;

/**
 * When to poll a job next, ms from its creation.
 *
 * @param polledMs when it was last polled, ms from its creation; 0 before the first time
 */
export function nextPollMs(polledMs: number, typical?: Typical): number {
	if (typical && polledMs < typical.fromMs) return typical.fromMs;
	const isInRange = typical && polledMs <= typical.toMs;
	const span = isInRange ? typical.toMs - typical.fromMs : polledMs;
	return polledMs + Math.min(Math.max(span * PART, SHORTEST_GAP_MS), LONGEST_GAP_MS);
}
