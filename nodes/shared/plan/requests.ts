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
 * What a request is for, the most urgent first. `end`: to read a job that is likely to have ended, or
 * whose time is up. `poll`: to see whether a job has ended, which can wait and be spread out.
 * `other`: any other read or write. `trigger`: to see whether a workflow has to start.
 */
export const PRIORITIES = ['create', 'end', 'other', 'poll', 'trigger'] as const;
export type Priority = (typeof PRIORITIES)[number];

/** A request that counts. */
export interface SentRequest {
	priority: Priority;
	/** When it stops counting, elapsed ms; Infinity while it has no answer. */
	backAt: number;
	/** The service refused it because of a limit (429). */
	isRefused?: boolean;
}

/** What is known of the requests of an account (section "Limits"). Times: elapsed ms. */
export interface RequestsSeen {
	limit: RequestLimit;
	/** Those that count. */
	sent: readonly SentRequest[];
	/** After a 429 to anything but a creation, none is sent until then. */
	pausedUntil: number;
	/** Polls are spread: the next one may go at this time. */
	nextPollAt: number;
	/** What the jobs of this process will need. */
	forecast: Forecast;
	/** Jobs run in another process, as far as triggers have seen. */
	hasJobsElsewhere: boolean;
	/** The part of the requests that is this process's. */
	share: number;
	/** The factor by which polls are further apart after a 429; otherwise 1. */
	slowness: number;
	/** Other requests that wait. */
	otherWaiting: number;
}

/** Part of the requests that polls leave for what nobody foresees. */
const RESERVE_SHARE = 0.1;

/**
 * The most that polls can have beside other requests, as a part of all. With it, an authenticated account polls all
 * its places as often as the service's documentation does.
 */
const MOST_POLL_SHARE = shownPolls(REQUEST_WINDOW_MS) / REQUESTS_PER_WINDOW;

/** Part of the requests that triggers can have: while there are jobs, out of the reserve; and while there are none. */
const TRIGGER_SHARE = 0.03;
const LONE_TRIGGER_SHARE = 0.3;

/** After a 429, polls are this many times as far apart: others use the account, too. It wears off within this time, in ms. */
const SLOWDOWN = 2.25;
const SLOWED_MS = 120_000;

/** The first pause after a 429, in ms: where others use up the requests of a minute, room comes after some seconds. */
export const FIRST_PAUSE_MS = 8000;

/** A priority waits while the window has `most` requests of these priorities. */
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

/** While there are none: when somebody starts a job, the requests of an hour must not be used up. */
const WITHOUT_JOBS: Bounds = {
	trigger: { priorities: ['trigger'], most: 'loneTriggers', because: 'triggers have a share' },
};

/** Priorities whose requests polls make room for; triggers take from the reserve. */
const PLANNED = PRIORITIES.filter((priority) => priority !== 'trigger');

/** How the requests of a window are shared out. */
interface Shares {
	/** All but the reserve for what nobody foresees. */
	foreseen: number;
	/** The most that `other` requests take beside jobs. */
	other: number;
	/** The least that polls have. */
	polls: number;
	/** The most that triggers take while there are jobs to poll, and while there are none. */
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

/** How many requests poll all jobs of an account as often as the service's documentation does. */
function shownPolls(windowMs: number): number {
	return (CONCURRENT_GENERATIONS * windowMs) / (SHOWN_POLL_SECONDS * 1000);
}

/** Whether an account cannot poll its jobs as often as the service's documentation does. */
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

/** The gap between polls, in ms: they share what the requests to come leave of the window. */
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

/** What well-timed polls may be planned with: all but a reserve for others, who do not foresee our requests. */
export function plannable({ limit, share }: RequestsSeen): RequestLimit {
	const reserve = share < 1 ? RESERVE_SHARE : 0;
	return { requests: limit.requests * (1 - reserve), windowMs: limit.windowMs };
}

/** The factor by which polls are further apart than usual. @param sinceMs ms since the last 429 */
export const slownessAfter = (sinceMs: number): number =>
	1 + (SLOWDOWN - 1) * Math.max(0, 1 - sinceMs / SLOWED_MS);

/**
 * The longest pause after a 429 that does not say how long, in ms: once the oldest request of this process stops
 * counting, there is room for one. No pause is shorter than the first.
 */
export function mostPauseMs({ sent }: RequestsSeen, now: number): number {
	const counting = sent.filter(({ isRefused }) => !isRefused);
	const oldest = Math.min(...counting.map(({ backAt: at }) => at));
	return Math.max(oldest - now, FIRST_PAUSE_MS);
}

const ofPriorities = (sent: readonly SentRequest[], priorities: readonly Priority[]) =>
	sent.filter(({ priority }) => priorities.includes(priority));

/** When fewer than `most` will be taken, elapsed ms; Infinity if that needs an answer to a request under way. */
function roomAt(taken: readonly SentRequest[], most: number): number {
	if (taken.length < most) return 0;
	const times = taken.map((request) => request.backAt).sort((one, other) => one - other);
	return times[taken.length - most]!;
}
