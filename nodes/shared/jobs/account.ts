import { rateLimiterOf, type Forecast, type RateLimiter } from '../service/rateLimiter';
import { perAccount } from '../service/perAccount';
import { CONCURRENT_GENERATIONS, REQUEST_WINDOW_MS } from '../spec/limits';
import { claimsOf, type Claims } from './claims';
import type { Clock } from '../clock/clock';
import { detachedJobsOf, type DetachedJobs } from './detachedJobs';
import { durationsOf, type Durations } from './durations';
import { historyPollerOf, type HistoryPoller } from './historyPoller';
import { historyTrustOf, type HistoryTrust } from './historyTrust';
import { pollGapMs } from './pace';
import { concurrencyLimiterOf, type ConcurrencyLimiter } from './concurrencyLimiter';

/** What all runs of an account share in this process, besides its rate limiter. */
export interface Account {
	limiter: ConcurrencyLimiter;
	historyPoller: HistoryPoller;
	historyTrust: HistoryTrust;
	durations: Durations;
	/** Jobs that are waited for by their identifier, and hold no slot. */
	followed: { count: number };
	/** Jobs that nobody waits for. */
	detached: DetachedJobs;
	/** Jobs whose order is known. */
	claims: Claims;
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
		historyTrust: historyTrustOf(id, clock),
		durations: durationsOf(id, clock),
		followed: followedOf(id, clock),
		detached: detachedJobsOf(id, clock),
		claims: claimsOf(id, clock),
		unfinishedShown: unfinishedShownOf(id, clock),
	};
	const rateLimiter = rateLimiterOf(id, clock);
	rateLimiter.forecast = () => forecast(account);
	rateLimiter.share = () => account.historyPoller.share;
	account.historyPoller.surroundings = {
		gapMs: ({ isShared }) => gapMs(account, rateLimiter, isShared),
		averageMs: () => averageMs(account),
		modelOfAny: () => account.durations.modelOfAny(),
		isOwn: (jobId) => account.claims.has(jobId),
		running: () => account.limiter.active - account.limiter.creating,
		creating: () => account.limiter.creating,
		isShort: () => {
			const { requests, windowMs } = rateLimiter.limit;
			return (2 * CONCURRENT_GENERATIONS * windowMs) / averageMs(account) > MOST_SHARE * requests;
		},
		freeAt: (requests) => rateLimiter.freeAt(requests),
		isWaiting: () => account.limiter.waiting > 0,
		isOpening: () => account.limiter.waiting > 0 && account.limiter.isOpening,
		onOthers: (ids, ended) => account.limiter.seeOthers(ids, ended),
		onEntry: (jobId, news) => account.historyTrust.compare(jobId, news),
	};
	account.limiter.isUnknown = () =>
		account.historyPoller.isUsable && !account.historyPoller.hasLooked(KNOWN_MS);
	account.limiter.averageMs = () => averageMs(account);
	account.limiter.canLook = () => account.historyPoller.isUsable;
	return account;
}

/** For so long, a look at the history tells whether others use the account, ms. */
const KNOWN_MS = 10_000;

/** Taken for the average duration before a job has ended, ms; no less than the oldest has taken. */
const UNKNOWN_DURATION_MS = 6000;

/** Polls are never further apart than this part of a job's duration. */
const MOST_GAP = 1 / 3;

/**
 * What polls have to leave of the requests: each job that waits takes a creation and the reading of
 * its end, each that runs the latter; until all are done, or for as long as the window is.
 */
function forecast({ limiter, durations, followed }: Account): Forecast {
	const { waiting, active } = limiter;
	const average = averageMs({ limiter, durations });
	// Slots do not end together: a part of a job is left when the last one begins.
	const jobs = waiting + active + followed.count;
	const rounds = Math.ceil(jobs / CONCURRENT_GENERATIONS) + 1 / 4;
	const withinMs = Math.min(rounds * average, REQUEST_WINDOW_MS);
	const started = Math.min(waiting, (withinMs / average) * CONCURRENT_GENERATIONS);
	return {
		jobs: active + followed.count,
		requests: 2 * started + active,
		withinMs,
		mostGapMs: average * MOST_GAP,
	};
}

/** How long a job takes, as far as is known, ms. */
const averageMs = ({ limiter, durations }: Pick<Account, 'limiter' | 'durations'>): number =>
	Math.max(1, durations.average ?? Math.max(UNKNOWN_DURATION_MS, limiter.oldestMs));

/** Part of the requests that creations and reads may take before looks beside them are too many. */
const MOST_SHARE = 0.7;

/** A job takes its creation; some are read by themselves, too. */
const REQUESTS_OF_WATCHED = 1.04;
const REQUESTS_OF_READ = 1.5;

function gapMs(account: Account, rateLimiter: RateLimiter, isShared: boolean): number {
	const { limiter, historyPoller } = account;
	const { waiting, active, others } = limiter;
	return rateLimiter.slowed(
		pollGapMs({
			limit: rateLimiter.plannable,
			share: historyPoller.share,
			running: Math.max(1, Math.min(CONCURRENT_GENERATIONS, active + others + waiting)),
			averageMs: averageMs(account),
			requestsPerJob: !isShared
				? 1
				: account.historyTrust.isAnyTrusted
					? REQUESTS_OF_WATCHED
					: REQUESTS_OF_READ,
			isShared,
		}),
	);
}
