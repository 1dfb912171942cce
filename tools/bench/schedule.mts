import {
	CONCURRENT_GENERATIONS,
	REQUEST_WINDOW_MS,
	REQUESTS_PER_WINDOW,
} from '../../nodes/shared/spec/limits.ts';

/** What no client can beat that starts the jobs in this order, each the moment a place is free, ms. */
export function idealInOrder(durations: readonly number[], places: number): number {
	const jobs = durations.map((ms) => ({ ms }));
	return lastOf(schedule(jobs, places));
}

export interface Planned {
	ms: number;
	/** When it may start, ms from the start of all; at once when left out. */
	from?: number;
}

export interface Limits {
	places: number;
	/** In any `windowMs`. */
	requests: number;
	windowMs: number;
	/**
	 * What shows that jobs have ended: a request for each, or, where a list of all jobs can be trusted,
	 * one after the last.
	 */
	reads: 'each' | 'one';
}

/** Those of the service (section "Limits"). */
export const OF_THE_SERVICE: Omit<Limits, 'reads'> = {
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
export function idealInLimits(jobs: readonly Planned[], limits: Limits): number {
	const { places, requests, windowMs, reads } = limits;
	const { starts, ends } = schedule(jobs, places);
	const seen = reads === 'each' ? ends : [lastOf({ ends })];
	const times = [...starts, ...seen].sort((a, b) => a - b);
	for (let index = requests; index < times.length; index++) {
		times[index] = Math.max(times[index] ?? 0, (times[index - requests] ?? 0) + windowMs);
	}
	return times.at(-1) ?? 0;
}

interface Schedule {
	starts: number[];
	ends: number[];
}

/** Each in its turn, the moment a place is free. */
function schedule(jobs: readonly Planned[], places: number): Schedule {
	const freeAt = Array.from({ length: places }, () => 0);
	const starts = jobs.map(({ ms, from = 0 }) => {
		const first = freeAt.indexOf(Math.min(...freeAt));
		const start = Math.max(freeAt[first] ?? 0, from);
		freeAt[first] = start + ms;
		return start;
	});
	return { starts, ends: starts.map((start, index) => start + (jobs[index]?.ms ?? 0)) };
}

const lastOf = ({ ends }: Pick<Schedule, 'ends'>) =>
	ends.reduce((last, end) => Math.max(last, end), 0);
