import {
	CONCURRENT_GENERATIONS,
	REQUEST_WINDOW_MS,
	REQUESTS_PER_WINDOW,
} from '../../nodes/shared/spec/limits.ts';

export interface Planned {
	ms: number;
	/** When it may start, ms from the start of all; at once when left out. */
	from?: number;
}

/**
 * What shows that jobs have ended: a request for each, or, where a list of all jobs can be trusted, one after
 * the last.
 */
export type Reads = 'each' | 'one';

/** The limits of the service (section "Limits"): so many requests in any `windowMs`. */
export const OF_THE_SERVICE: Record<'places' | 'requests' | 'windowMs', number> = {
	places: CONCURRENT_GENERATIONS,
	requests: REQUESTS_PER_WINDOW,
	windowMs: REQUEST_WINDOW_MS,
};

/**
 * What no client can beat that starts the jobs in this order within both limits, although it knows how
 * long each takes: ms until it has seen the last end.
 *
 * Without the request limit, the k-th request can go when so many jobs have started and ended in the list
 * schedule. With it, it cannot go either before a window has passed since the one that came as many before
 * it as a window takes.
 */
export function idealOf(
	jobs: readonly Planned[],
	reads: Reads = 'one',
	{ places, requests, windowMs } = OF_THE_SERVICE,
): number {
	const { starts, ends } = schedule(jobs, places);
	const seen = reads === 'each' ? ends : [Math.max(0, ...ends)];
	const times = [...starts, ...seen].sort((a, b) => a - b);
	for (let index = requests; index < times.length; index++) {
		times[index] = Math.max(times[index] ?? 0, (times[index - requests] ?? 0) + windowMs);
	}
	return times.at(-1) ?? 0;
}

/** Each in its turn, the moment a place is free. */
function schedule(jobs: readonly Planned[], places: number) {
	const freeAt = Array.from({ length: places }, () => 0);
	const starts = jobs.map(({ ms, from = 0 }) => {
		const first = freeAt.indexOf(Math.min(...freeAt));
		const start = Math.max(freeAt[first] ?? 0, from);
		freeAt[first] = start + ms;
		return start;
	});
	return { starts, ends: starts.map((start, index) => start + (jobs[index]?.ms ?? 0)) };
}
