import type { Clock } from '../clock/clock';
import {
	ACCOUNT_KINDS,
	CONCURRENT_GENERATIONS,
	REQUEST_WINDOW_MS,
	SHOWN_POLL_SECONDS,
	type RequestLimit,
} from '../spec/limits';
import { attempt } from './attempt';
import { Pause } from './backoff';
import { gaveUp } from './failures';
import { FairQueue } from './fairQueue';
import { perAccount } from './perAccount';
import { isTooMany } from './serviceError';
import { QueueScheduler, type QueueEntry } from './queueScheduler';

/**
 * What a request is for; the first goes first. `end`: to read a job that is likely to have ended, or
 * whose time is up. `poll`: to see whether a job has ended, which can wait and be spread out.
 * `read`: whatever else is read or written. `trigger`: to see whether a workflow has to start.
 */
export const PRIORITIES = ['create', 'end', 'read', 'poll', 'trigger'] as const;
export type Priority = (typeof PRIORITIES)[number];

/** After a 429 that does not say how long. */
const BACKOFF = { firstMs: 1000, longestMs: 30_000 };

/** Each 429 after a success doubles the gap between polls, up to 16 times; each window without one halves it. */
const SLOWDOWN = 2;

const MOST_SLOWDOWN = 16;

/** A pause that only the age of this process's requests tells of is made where it is shorter than this, ms. */
const MOST_PAUSE_BY_AGE_MS = 20_000;

/** Clocks run unevenly by less, ms. */
const LEAST_JUMP_MS = 1000;

/** Part of the requests that polls leave for what nobody foresees. */
const RESERVE_SHARE = 0.1;

/** Part of the requests that polls can have at most beside reads. */
const MOST_POLL_SHARE = 0.3;

/** Part of the requests that triggers can have: out of the reserve while there are jobs, and else. */
const TRIGGER_SHARE = 0.03;
const LONE_TRIGGER_SHARE = 0.3;

/** A priority waits while so many requests of these are in the window. */
type Bounds = Readonly<
	Partial<Record<Priority, { priorities: readonly Priority[]; most: keyof Shares }>>
>;

/** While there are jobs to poll. */
const BESIDE_JOBS: Bounds = {
	read: { priorities: ['read'], most: 'reads' },
	poll: { priorities: ['read', 'poll'], most: 'foreseen' },
	trigger: { priorities: ['trigger'], most: 'triggers' },
};

/** While there are none: whoever starts a job must not find the requests of an hour used up. */
const WITHOUT_JOBS: Bounds = {
	trigger: { priorities: ['trigger'], most: 'loneTriggers' },
};

/** What polls and reads are planned with; triggers take from the reserve. */
const PLANNED = PRIORITIES.filter((priority) => priority !== 'trigger');

/** How the requests of a window are shared out. */
interface Shares {
	/** All but what polls leave for what nobody foresees. */
	foreseen: number;
	/** Reads take no more. */
	reads: number;
	/** Polls have these at least. */
	polls: number;
	/** Triggers take no more while there are jobs to poll, and while there are none. */
	triggers: number;
	loneTriggers: number;
}

function sharesOf({ requests, windowMs }: RequestLimit): Shares {
	const foreseen = requests - Math.ceil(requests * RESERVE_SHARE);
	const most = Math.floor(requests * MOST_POLL_SHARE);
	const polls = Math.min(shownPolls(windowMs), most);
	const share = (part: number) => Math.max(1, Math.floor(requests * part));
	return {
		foreseen,
		reads: foreseen - polls,
		polls,
		triggers: share(TRIGGER_SHARE),
		loneTriggers: share(LONE_TRIGGER_SHARE),
	};
}

/** Requests that poll all jobs of an account as often as the document does. */
function shownPolls(windowMs: number): number {
	return (CONCURRENT_GENERATIONS * windowMs) / (SHOWN_POLL_SECONDS * 1000);
}

/** Whether an account cannot poll its jobs as often as the document does. */
export function isScarce(limit: RequestLimit): boolean {
	return sharesOf(limit).polls < shownPolls(limit.windowMs);
}

/** What is still to come on an account, as far as can be told. */
export interface Forecast {
	/** Jobs that have to be polled. */
	jobs: number;
	/** Requests that will be needed besides polls. */
	requests: number;
	/** In so many ms. */
	withinMs: number;
	/** Longest gap between polls that makes sense, ms. */
	mostGapMs: number;
}

const UNKNOWN: Forecast = {
	jobs: 0,
	requests: 0,
	withinMs: REQUEST_WINDOW_MS,
	mostGapMs: REQUEST_WINDOW_MS / 12,
};

interface Ticket {
	priority: Priority;
	/** The run it belongs to. */
	owner: object;
	/** Calls the request off while it waits. */
	signal?: AbortSignal;
	/** Called when it is sent. */
	onSend?: () => void;
}

interface Token {
	priority: Priority;
	/** When it can be used again, elapsed ms. */
	backAt: number;
	/** The service has refused the request for a limit (429). */
	isRefused?: boolean;
}

/**
 * Keeps an account within its requests a minute, or an hour (section "Limits"): creations go first, polls of
 * running jobs are spread over what is left and have a share that reads cannot take, triggers have a small
 * share of what is held in reserve, runs are served in turn.
 * A 429 to anything but a creation shows that others use the account, too: everything pauses, and polls keep a slower
 * pace for a while.
 */
export class RateLimiter {
	private readonly priorities: Record<Priority, FairQueue<QueueEntry<Token>>> = {
		create: new FairQueue(),
		end: new FairQueue(),
		read: new FairQueue(),
		poll: new FairQueue(),
		trigger: new FairQueue(),
	};

	private readonly scheduler: QueueScheduler;

	private tokens: Token[] = [];

	/** Set by the account, which knows its jobs. */
	forecast: () => Forecast = () => UNKNOWN;

	/** The part of the account's requests that is this process's. Set by the account. */
	share: () => number = () => 1;

	/** What the account may send; another credential, or a changed one, may set another. */
	limit: RequestLimit = ACCOUNT_KINDS[0];

	/** Set by triggers, whose lists show the jobs of all processes. */
	hasJobsElsewhere = false;

	private readonly pause: Pause;

	private nextPollAt = 0;

	/** How far the time of day has ever been ahead of the elapsed time, ms. */
	private aheadMs: number;

	/** How much slower polls are, and since when. */
	private slow = { at: 0, factor: 1 };

	constructor(private readonly clock: Clock) {
		this.aheadMs = clock.now() - clock.elapsed();
		this.pause = new Pause(clock, BACKOFF);
		this.scheduler = new QueueScheduler(clock, () => this.admit());
	}

	/**
	 * Sends a request in its turn. It counts until a full window after its answer, since the service
	 * may have counted it at any time between.
	 *
	 * @throws ServiceError when the signal has fired before the turn came
	 */
	async send<T>(
		request: () => Promise<T>,
		{ priority, owner, signal, onSend }: Ticket,
	): Promise<T> {
		const token: Token = { priority, backAt: Infinity };
		await this.scheduler.wait(this.priorities[priority], owner, token, { signal }).catch(() => {
			throw gaveUp();
		});
		onSend?.();
		const answer = await attempt(request());
		token.isRefused = 'error' in answer && isTooMany(answer.error);
		this.learn('error' in answer ? answer.error : undefined, priority);
		token.backAt = this.clock.elapsed() + this.limit.windowMs;
		this.scheduler.serve();
		if ('error' in answer) throw answer.error;
		return answer.value;
	}

	/** A 429 to a creation may be about running jobs alone, and is the concurrency limiter's to learn from. */
	private learn(error: unknown, priority: Priority): void {
		this.followJump();
		if (error === undefined) return this.pause.succeeded();
		if (!isTooMany(error) || priority === 'create') return;
		// Tries in vain until there are requests again tell nothing new.
		if (this.pause.isOver && this.pause.hasSucceeded) {
			const factor = Math.min(this.slowness() * SLOWDOWN, MOST_SLOWDOWN);
			this.slow = { at: this.clock.elapsed(), factor };
		}
		this.pause.extend(error.retryAfterMs, this.backoffBounds());
	}

	/**
	 * Once the oldest request of this process stops counting, there is one again. Where processes share an
	 * account, it is about as old as the oldest of all: none is free earlier.
	 */
	private backoffBounds(): { leastMs: number; mostMs: number } {
		const counting = this.taken(PRIORITIES).filter(({ isRefused }) => !isRefused);
		const oldest = Math.min(...counting.map(({ backAt }) => backAt));
		const ms = Math.max(oldest - this.clock.elapsed(), BACKOFF.firstMs);
		return { leastMs: this.isShared && ms < MOST_PAUSE_BY_AGE_MS ? ms : 0, mostMs: ms };
	}

	private admit(): number | undefined {
		this.followJump();
		for (;;) {
			const waiting = PRIORITIES.filter((name) => !this.priorities[name].isEmpty);
			const priority = waiting.find((name) => this.openAt(name) <= this.clock.elapsed());
			if (!priority) {
				const at = Math.min(...waiting.map((name) => this.openAt(name)));
				return at === Infinity ? undefined : at;
			}
			const entry = this.priorities[priority].take();
			if (entry) this.tokens.push(entry.asks);
			if (priority === 'poll') this.nextPollAt = this.clock.elapsed() + this.pollGap();
			entry?.go();
		}
	}

	/**
	 * While the machine slept, the windows of the service have gone by. If somebody has only set the clock forth, some
	 * requests come too early, and the service says so.
	 */
	private followJump(): void {
		const aheadMs = this.clock.now() - this.clock.elapsed();
		const jumpMs = aheadMs - this.aheadMs;
		if (jumpMs < LEAST_JUMP_MS) return;
		this.aheadMs = aheadMs;
		for (const token of this.tokens) token.backAt -= jumpMs;
		this.nextPollAt -= jumpMs;
		this.slow.at -= jumpMs;
		this.pause.advance(jumpMs);
	}

	/** Polls share what the requests to come leave of the window. */
	private pollGap(): number {
		const { jobs, requests, withinMs, mostGapMs } = this.forecast();
		const { foreseen } = sharesOf(this.limit);
		const taken =
			this.taken(PLANNED, withinMs).length + (jobs > 0 ? this.readsToCome(withinMs) : 0);
		const left = foreseen * this.share() - taken - requests;
		const gap = left > 0 ? Math.min(withinMs / left, mostGapMs) : mostGapMs;
		return Math.ceil(this.slowness() * gap);
	}

	private get isShared(): boolean {
		return this.share() < 1;
	}

	/** What polls that know well when to come may be planned with: others foresee nothing of ours. */
	get plannable(): RequestLimit {
		const { requests, windowMs } = this.limit;
		const reserve = this.isShared ? RESERVE_SHARE : 0;
		return { requests: requests * (1 - reserve), windowMs };
	}

	/** When so many requests can be sent at once, elapsed ms. */
	freeAt(count: number): number {
		const { requests } = this.limit;
		return backAt(this.taken(PRIORITIES), Math.max(1, requests - count + 1));
	}

	/** A gap between polls, longer where others use the account, ms. */
	slowed(gapMs: number): number {
		return this.slowness() * gapMs;
	}

	/** Reads that wait, and will be sent in so many ms. */
	private readsToCome(withinMs: number): number {
		const { reads } = sharesOf(this.limit);
		const open = Math.max(0, reads - this.taken(['read'], withinMs).length);
		return Math.min(this.priorities.read.size, open);
	}

	/** When the next request of the priority may be sent, elapsed ms. */
	private openAt(priority: Priority): number {
		const poll = priority === 'poll' ? this.nextPollAt : 0;
		const share = this.boundsOf(priority);
		const shareAt = share
			? backAt(this.taken(share.priorities), sharesOf(this.limit)[share.most])
			: 0;
		const tokenAt = backAt(this.taken(PRIORITIES), this.limit.requests);
		return Math.max(this.pause.until, tokenAt, shareAt, poll);
	}

	/** Jobs of other processes, such as n8n's workers, are no reason to keep requests back for polls. */
	private boundsOf(priority: Priority): Bounds[Priority] {
		const isBusy = priority === 'trigger' ? this.isBusy : this.forecast().jobs > 0;
		return (isBusy ? BESIDE_JOBS : WITHOUT_JOBS)[priority];
	}

	/** Whether jobs run, as far as is known, in this process or in another. */
	get isBusy(): boolean {
		return this.hasJobsElsewhere || this.forecast().jobs > 0;
	}

	/** Requests of the priorities that count now, and will in so many ms. */
	private taken(priorities: readonly Priority[], laterMs = 0): Token[] {
		const now = this.clock.elapsed();
		this.tokens = this.tokens.filter((token) => token.backAt > now);
		return this.tokens.filter(
			(token) => token.backAt > now + laterMs && priorities.includes(token.priority),
		);
	}

	private slowness(): number {
		const sinceMs = Math.max(0, this.clock.elapsed() - this.slow.at);
		const windows = Math.floor(sinceMs / REQUEST_WINDOW_MS);
		return Math.max(1, this.slow.factor / 2 ** windows);
	}
}

/** When fewer than so many are taken, elapsed ms; never by itself while all are under way. */
function backAt(taken: readonly Token[], most: number): number {
	if (taken.length < most) return 0;
	const times = taken.map((token) => token.backAt).sort((one, other) => one - other);
	return times[taken.length - most]!;
}

/** The rate limiter of an account. */
export const rateLimiterOf = perAccount((clock) => new RateLimiter(clock));
