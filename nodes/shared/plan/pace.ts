import { CONCURRENT_GENERATIONS, REQUEST_WINDOW_MS, type RequestLimit } from '../spec/limits';

/** What requests have to do for the jobs of an account. */
export interface Work {
	/** Requests of the account that may be planned with, by all processes together. */
	limit: RequestLimit;
	/** The part of them that belongs to this process. */
	share: number;
	/** Jobs that run, or could. */
	running: number;
	/** How long a job takes on average, in ms. */
	averageMs: number;
	/** Requests that a job takes besides polls. */
	requestsPerJob: number;
	/** One poll shows all jobs. */
	isShared: boolean;
}

/** Requests per job besides looks: its creation, and reads of some jobs, fewer where the history is trusted. */
const REQUESTS_OF_WATCHED = 1.04;
const REQUESTS_OF_READ = 1.5;

/** Shortest gap between polls, as a part of a job's duration: closer polls would save next to nothing. */
const LEAST_PART = 0.03;

/** Longest gap between polls, as a part of a job's duration. */
const MOST_PART = 1 / 2;

/** However many processes there are, each polls at least as often as if this were its share. */
const LEAST_SHARE = 1 / 8;

/** How late the end of a job is seen, as a part of the gap between polls, which come when ends are likely. */
const LATE = { shared: 1 / 2, own: 0.3 };

/** If creations and reads take more than this part of the requests, looks beside them are too many. */
const MOST_PART_OF_CREATIONS = 0.7;

/** What has to be known of an account to pace the requests that look for ends. */
interface PaceSeen extends Pick<Work, 'limit' | 'share' | 'running' | 'averageMs'> {
	/** The factor by which they are further apart after a 429; otherwise 1. */
	slowness: number;
}

/** How far apart looks at the history are to be, in ms. @param isTrusted what it says of an end is believed */
export const gapBetweenLooksMs = (seen: PaceSeen, isTrusted: boolean): number =>
	seen.slowness *
	pacedGapMs({
		...seen,
		requestsPerJob: isTrusted ? REQUESTS_OF_WATCHED : REQUESTS_OF_READ,
		isShared: true,
	});

/** How far apart reads are to be, whichever jobs they are of, in ms. */
export const gapBetweenReadsMs = (seen: PaceSeen): number =>
	seen.slowness * pacedGapMs({ ...seen, requestsPerJob: 1, isShared: false });

/** Whether jobs are so short that requests do not suffice for two per job and looks besides. */
export function areShort({ requests, windowMs }: RequestLimit, averageMs: number): boolean {
	const creationsAndReads = (2 * CONCURRENT_GENERATIONS * windowMs) / averageMs;
	return creationsAndReads > MOST_PART_OF_CREATIONS * requests;
}

/**
 * How far apart polls of a process are to be: as close as it can keep up on the requests that creations leave.
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
 * The shortest gap between polls of all processes that can be kept up, in ms. A job holds its place until its end is
 * seen, and polls get the requests that creations leave. So cycle = average + late * gap, and
 * gap = window / (requests - creations), where creations are those in a window; cycle is the larger root.
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
	/** Jobs that wait for a place, or will. */
	waiting: number;
	/** Jobs that hold a place, and are looked at. */
	active: number;
	/** Jobs that are waited for by their identifier, and hold no place. */
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
	/** The time in which they will be needed, in ms. */
	withinMs: number;
	/** Longest gap between polls that makes sense, in ms. */
	mostGapMs: number;
}

/** Longest gap between polls that makes sense, as a part of a job's duration. */
const MOST_GAP = 1 / 3;

/**
 * The requests that polls have to leave: a creation and a read of the end for each job that waits, a read for each
 * that runs. It looks ahead until all jobs are done, but one window at most.
 */
export function forecastOf({ waiting, active, followed, averageMs }: Workload): Forecast {
	// Places do not become free together, so the last job ends a part of a job later than full rounds would.
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
