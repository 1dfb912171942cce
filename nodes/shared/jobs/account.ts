import { rateLimiterOf, type Forecast } from '../service/rateLimiter';
import { perAccount } from '../service/perAccount';
import { CONCURRENT_GENERATIONS, REQUEST_WINDOW_MS } from '../spec/limits';
import { claimsOf, type Claims } from './claims';
import type { Clock } from '../clock/clock';
import { durationsOf, type Durations } from './durations';
import { historyPollerOf, type HistoryPoller } from './historyPoller';
import { pendingOf, type PendingPrompts } from './pendingPrompts';
import { concurrencyLimiterOf, type ConcurrencyLimiter } from './concurrencyLimiter';

/** What all runs of an account share in this process, besides its rate limiter. */
export interface Account {
	limiter: ConcurrencyLimiter;
	historyPoller: HistoryPoller;
	durations: Durations;
	/** Jobs that are waited for by their identifier, and hold no slot. */
	followed: { count: number };
	/** Jobs whose order is known. */
	claims: Claims;
	/** Prompts of creations that are under way. */
	pending: PendingPrompts;
	/** Media types of which the history has been seen to list jobs that had not ended. */
	unfinishedShown: Set<string>;
}

const followedOf = perAccount(() => ({ count: 0 }));
const unfinishedShownOf = perAccount(() => new Set<string>());

/** @param id as the service door names it */
export function accountOf(id: string, clock: Clock): Account {
	const account = {
		limiter: concurrencyLimiterOf(id, clock),
		historyPoller: historyPollerOf(id, clock),
		durations: durationsOf(id, clock),
		followed: followedOf(id, clock),
		claims: claimsOf(id, clock),
		pending: pendingOf(id, clock),
		unfinishedShown: unfinishedShownOf(id, clock),
	};
	rateLimiterOf(id, clock).forecast = () => forecast(account);
	return account;
}

/** Taken for the average duration before a job has ended, ms; no less than the oldest has taken. */
const UNKNOWN_DURATION_MS = 6000;

/** Polls are never further apart than this part of a job's duration. */
const MOST_GAP = 1 / 3;

/**
 * What polls have to leave of the requests: each job that waits takes a creation and the reading of
 * its end, each that runs the latter; until all are done, or for as long as the window is.
 */
function forecast({ limiter, durations, followed }: Account): Forecast {
	const { waiting, running, oldestMs } = limiter;
	const average = Math.max(1, durations.average ?? Math.max(UNKNOWN_DURATION_MS, oldestMs));
	// Slots do not end together: a part of a job is left when the last one begins.
	const jobs = waiting + running + followed.count;
	const rounds = Math.ceil(jobs / CONCURRENT_GENERATIONS) + 1 / 4;
	const withinMs = Math.min(rounds * average, REQUEST_WINDOW_MS);
	const started = Math.min(waiting, (withinMs / average) * CONCURRENT_GENERATIONS);
	return {
		jobs: running + followed.count,
		requests: 2 * started + running,
		withinMs,
		mostGapMs: average * MOST_GAP,
	};
}
