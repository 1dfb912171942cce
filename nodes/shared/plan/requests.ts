import {
	CONCURRENT_GENERATIONS,
	REQUEST_WINDOW_MS,
	REQUESTS_PER_WINDOW,
	SHOWN_POLL_SECONDS,
	type RequestLimit,
} from '../spec/limits';
import type { Forecast } from './pace';
import { latest, type Planned } from './planned';

/**
 * What a request is for; the first goes first. `end`: to read a job that is likely to have ended, or
 * whose time is up. `poll`: to see whether a job has ended, which can wait and be spread out.
 * `other`: whatever else is read or written. `trigger`: to see whether a workflow has to start.
 */
export const PRIORITIES = ['create', 'end', 'other', 'poll', 'trigger'] as const;
export type Priority = (typeof PRIORITIES)[number];

/** A request that counts. */
export interface SentRequest {
	priority: Priority;
	/** When it counts no more, elapsed ms; Infinity while it has no answer. */
	backAt: number;
	/** The service has refused it for a limit (429). */
	isRefused?: boolean;
}

/** What is known of the requests of an account (section "Limits"). Times: elapsed ms. */
export interface RequestsSeen {
	limit: RequestLimit;
	/** Those that count. */
	sent: readonly SentRequest[];
	/** After a 429 to anything but a creation, none is sent until then. */
	pausedUntil: number;
	/** Polls are spread: the next goes then. */
	nextPollAt: number;
	/** What the jobs of this process will need. */
	forecast: Forecast;
	/** Jobs run in another process, as far as triggers have seen. */
	hasJobsElsewhere: boolean;
	/** The part of the requests that is this process's. */
	share: number;
	/** How many times as far apart as usual polls are. */
	slowness: number;
	/** Other requests that wait. */
	otherWaiting: number;
}

/** Part of the requests that polls leave for what nobody foresees. */
const RESERVE_SHARE = 0.1;

/**
 * Part of the requests that polls can have at most beside other requests: with it, an authenticated account polls all
 * its places as often as the document does.
 */
const MOST_POLL_SHARE = shownPolls(REQUEST_WINDOW_MS) / REQUESTS_PER_WINDOW;

/** Part of the requests that triggers can have: out of the reserve while there are jobs, and while there are none. */
const TRIGGER_SHARE = 0.03;
const LONE_TRIGGER_SHARE = 0.3;

/** For a window after a 429, polls are so many times as far apart: others use the account, too. */
const SLOWDOWN = 2;

/** A pause that only the age of this process's requests tells of is made where it is shorter than this, ms. */
const MOST_PAUSE_BY_AGE_MS = 20_000;

/** A priority waits while so many requests of these are in the window. */
type Bounds = Readonly<
	Partial<
		Record<Priority, { priorities: readonly Priority[]; most: keyof Shares; because: string }>
	>
>;

/** While there are jobs to poll. */
const BESIDE_JOBS: Bounds = {
	other: { priorities: ['other'], most: 'other', because: 'polls have a share of their own' },
	poll: {
		priorities: ['other', 'poll'],
		most: 'foreseen',
		because: 'some are kept for what nobody foresees',
	},
	trigger: {
		priorities: ['trigger'],
		most: 'triggers',
		because: 'triggers have a small share while jobs run',
	},
};

/** While there are none: whoever starts a job must not find the requests of an hour used up. */
const WITHOUT_JOBS: Bounds = {
	trigger: { priorities: ['trigger'], most: 'loneTriggers', because: 'triggers have a share' },
};

/** Priorities whose requests are planned with; triggers take from the reserve. */
const PLANNED = PRIORITIES.filter((priority) => priority !== 'trigger');

/** How the requests of a window are shared out. */
interface Shares {
	/** All but what polls leave for what nobody foresees. */
	foreseen: number;
	/** Other requests take no more. */
	other: number;
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
		other: foreseen - polls,
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

/** When the next request of the priority may be sent. */
export function opensAt(seen: RequestsSeen, priority: Priority): Planned {
	const { limit, sent, pausedUntil, nextPollAt } = seen;
	const bound = boundsOf(seen, priority);
	const taken = bound ? ofPriorities(sent, bound.priorities) : [];
	return latest(
		{ at: pausedUntil, because: 'the service has refused a request, and the pause is not over' },
		{ at: roomAt(sent, limit.requests), because: 'all requests of the window are used' },
		...(bound ? [{ at: roomAt(taken, sharesOf(limit)[bound.most]), because: bound.because }] : []),
		...(priority === 'poll' ? [{ at: nextPollAt, because: 'polls are spread' }] : []),
	);
}

/** Jobs of other processes, such as n8n's workers, are no reason to keep requests back for polls. */
function boundsOf(seen: RequestsSeen, priority: Priority): Bounds[Priority] {
	const areJobs = priority === 'trigger' ? areJobsSeen(seen) : seen.forecast.jobs > 0;
	return (areJobs ? BESIDE_JOBS : WITHOUT_JOBS)[priority];
}

/** Whether jobs run, as far as is known, in this process or in another. */
export const areJobsSeen = ({ hasJobsElsewhere, forecast }: RequestsSeen): boolean =>
	hasJobsElsewhere || forecast.jobs > 0;

/** How long polls wait for one another, ms: they share what the requests to come leave of the window. */
export function pollGapMs(seen: RequestsSeen, now: number): number {
	const { limit, sent, forecast, share, slowness, otherWaiting } = seen;
	const { jobs, requests, withinMs, mostGapMs } = forecast;
	const { foreseen, other } = sharesOf(limit);
	const taken = (priorities: readonly Priority[]) =>
		ofPriorities(sent, priorities).filter(({ backAt: at }) => at > now + withinMs).length;
	const otherToCome = Math.min(otherWaiting, Math.max(0, other - taken(['other'])));
	const left = foreseen * share - taken(PLANNED) - (jobs > 0 ? otherToCome : 0) - requests;
	const gap = left > 0 ? Math.min(withinMs / left, mostGapMs) : mostGapMs;
	return Math.ceil(slowness * gap);
}

/** What polls that know well when to come may be planned with: others foresee nothing of ours. */
export function plannable({ limit, share }: RequestsSeen): RequestLimit {
	const reserve = share < 1 ? RESERVE_SHARE : 0;
	return { requests: limit.requests * (1 - reserve), windowMs: limit.windowMs };
}

/** How many times as far apart as usual polls are. @param sinceMs since the last 429 */
export const slownessAfter = (sinceMs: number): number =>
	sinceMs < REQUEST_WINDOW_MS ? SLOWDOWN : 1;

/**
 * How long a pause lasts after a 429 that does not say. Once the oldest request of this process stops counting,
 * there is room for one. Where processes share an account, it is about as old as the oldest of all: none is free earlier.
 *
 * @param firstMs of the backoff
 */
export function backoffBounds(
	{ sent, share }: RequestsSeen,
	firstMs: number,
	now: number,
): { leastMs: number; mostMs: number } {
	const counting = sent.filter(({ isRefused }) => !isRefused);
	const oldest = Math.min(...counting.map(({ backAt: at }) => at));
	const ms = Math.max(oldest - now, firstMs);
	return { leastMs: share < 1 && ms < MOST_PAUSE_BY_AGE_MS ? ms : 0, mostMs: ms };
}

const ofPriorities = (sent: readonly SentRequest[], priorities: readonly Priority[]) =>
	sent.filter(({ priority }) => priorities.includes(priority));

/** When fewer than so many are taken, elapsed ms; never by itself while all are under way. */
function roomAt(taken: readonly SentRequest[], most: number): number {
	if (taken.length < most) return 0;
	const times = taken.map((request) => request.backAt).sort((one, other) => one - other);
	return times[taken.length - most]!;
}
