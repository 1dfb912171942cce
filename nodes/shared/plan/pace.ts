import { CONCURRENT_GENERATIONS, REQUEST_WINDOW_MS, type RequestLimit } from '../spec/limits';

/** What requests have to do for the jobs of an account. */
export interface Work {
	/** Requests that may be planned with; those of other processes are theirs. */
	limit: RequestLimit;
	/** The part of them that is this process's. */
	share: number;
	/** Jobs that run, or could. */
	running: number;
	/** ms that a job takes on average. */
	averageMs: number;
	/** Requests that a job takes besides polls. */
	requestsPerJob: number;
	/** A poll tells of all jobs. */
	isShared: boolean;
}

/** A job takes its creation; some are read by themselves, too. */
const REQUESTS_OF_WATCHED = 1.04;
const REQUESTS_OF_READ = 1.5;

/** A poll so much sooner would save next to nothing, in times of a job. */
const LEAST_PART = 0.03;

/** Between two polls at most, in times of a job. */
const MOST_PART = 1 / 2;

/** With many processes, each looks at least as often as if there were so many, as a part. */
const LEAST_SHARE = 1 / 8;

/** How late the end of a job is seen, in times of the gap between its polls: they come where it is likely. */
const LATE = { shared: 1 / 2, own: 0.3 };

/** Part of the requests that creations and reads may take before looks beside them are too many. */
const MOST_PART_OF_CREATIONS = 0.7;

/** What is known of an account before requests that look for ends are paced. */
interface PaceSeen extends Pick<Work, 'limit' | 'share' | 'running' | 'averageMs'> {
	/** How many times as far apart as usual they are, after a 429. */
	slowness: number;
}

/** How far looks at the history are to be apart, ms. @param isTrusted what it tells of an end is believed */
export const gapBetweenLooksMs = (seen: PaceSeen, isTrusted: boolean): number =>
	seen.slowness *
	pacedGapMs({
		...seen,
		requestsPerJob: isTrusted ? REQUESTS_OF_WATCHED : REQUESTS_OF_READ,
		isShared: true,
	});

/** How far reads of any jobs are to be apart, ms. */
export const gapBetweenReadsMs = (seen: PaceSeen): number =>
	seen.slowness * pacedGapMs({ ...seen, requestsPerJob: 1, isShared: false });

/** Whether jobs are so short that two requests for each, and looks, are more than there are. */
export function areShort({ requests, windowMs }: RequestLimit, averageMs: number): boolean {
	const creationsAndReads = (2 * CONCURRENT_GENERATIONS * windowMs) / averageMs;
	return creationsAndReads > MOST_PART_OF_CREATIONS * requests;
}

/**
 * How far polls of a process are to be apart, so that its requests last: as close as what the jobs'
 * creations leave allows for good.
 *
 * @returns ms
 */
export function pacedGapMs(work: Work): number {
	const { share, averageMs } = work;
	return Math.min(
		Math.max(lastingGapMs(work), LEAST_PART * averageMs) / share,
		(MOST_PART * averageMs) / Math.max(share, LEAST_SHARE),
	);
}

/**
 * The gap between polls of all processes that lasts, ms. A place is taken for as long as its job and until the end is
 * seen; what creations leave of the requests in that time is for polls: cycle = average + late * gap, and
 * gap = window / (requests - creations), of which cycle is the larger root.
 */
function lastingGapMs({ limit, running, averageMs, requestsPerJob, isShared }: Work): number {
	const { requests, windowMs } = limit;
	const late = isShared ? LATE.shared : LATE.own * running;
	const creations = running * requestsPerJob * windowMs;
	const half = (creations + requests * averageMs + late * windowMs) / 2;
	const cycleMs = (half + Math.sqrt(half ** 2 - requests * creations * averageMs)) / requests;
	return (cycleMs - averageMs) / late;
}

/** The jobs of an account in this process. */
export interface Workload {
	/** Jobs that wait for a place, and those that will. */
	waiting: number;
	/** Jobs that take one, and are looked at. */
	active: number;
	/** Jobs that are waited for by their identifier, and hold none. */
	followed: number;
	/** How long a job takes, on average, ms. */
	averageMs: number;
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

/** Polls are never further apart than this part of a job's duration. */
const MOST_GAP = 1 / 3;

/**
 * What polls have to leave of the requests: each job that waits takes a creation and the reading of
 * its end, each that runs the latter; until all are done, or for as long as the window is.
 */
export function forecastOf({ waiting, active, followed, averageMs }: Workload): Forecast {
	// Places do not become free together: a part of a job is left when the last one begins.
	const jobs = waiting + active + followed;
	const rounds = Math.ceil(jobs / CONCURRENT_GENERATIONS) + 1 / 4;
	const withinMs = Math.min(rounds * averageMs, REQUEST_WINDOW_MS);
	const started = Math.min(waiting, (withinMs / averageMs) * CONCURRENT_GENERATIONS);
	return {
		jobs: active + followed,
		requests: 2 * started + active,
		withinMs,
		mostGapMs: averageMs * MOST_GAP,
	};
}
