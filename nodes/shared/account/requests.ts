import type { Clock } from '../clock/clock';
import { type AccountKind, AUTHENTICATED, CONCURRENT_GENERATIONS } from '../spec/limits';
import { pauseMs } from './pauses';

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
