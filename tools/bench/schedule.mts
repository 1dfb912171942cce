import {
	CONCURRENT_GENERATIONS,
	REQUEST_WINDOW_MS,
	REQUESTS_PER_WINDOW,
} from '../../nodes/shared/spec/limits.ts';

export interface Planned {
	ms: number;
	/** When it may start, in ms from the beginning; at once when left out. */
	from?: number;
}

/**
 * The requests that show that jobs have ended: one for each job, or one after the last end if a list of all jobs can be
 * trusted.
 */
export type Reads = 'each' | 'one';

/** The limits of the service (section "Limits"): `requests` in any `windowMs`, and `places`. */
export const OF_THE_SERVICE: Record<'places' | 'requests' | 'windowMs', number> = {
	places: CONCURRENT_GENERATIONS,
	requests: REQUESTS_PER_WINDOW,
	windowMs: REQUEST_WINDOW_MS,
};

/**
 * The shortest time in ms until a client has seen the last end, if it starts the jobs in this order within both limits
 * and knows how long each takes.
 *
 * Without the request limit, the k-th request goes at the k-th start or end in the list schedule. With the limit, it
 * also has to wait until a window has passed since the request that came `requests` before it.
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

/** Starts the jobs in order, each as soon as a place is free. */
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
