import { CONCURRENT_GENERATIONS, REQUEST_WINDOW_MS } from '../spec/limits';

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
