import { sum } from './result.mts';

/** What no client can beat, ms, for jobs that take so long and so many places. */
export interface Bounds {
	/** Each job starts in the given order the moment a place is free. */
	list: number;
	/** As `list`, the longest job first, for which one would have to know how long they take. */
	longestFirst: number;
	/** All places busy all the time, or the longest job: no order does better. */
	absolute: number;
}

export function bounds(durations: readonly number[], places: number): Bounds {
	return {
		list: makespan(durations, places),
		longestFirst: makespan(
			[...durations].sort((a, b) => b - a),
			places,
		),
		absolute: Math.max(sum(durations) / places, ...longest(durations)),
	};
}

function makespan(durations: readonly number[], places: number): number {
	const freeAt = Array.from({ length: places }, () => 0);
	for (const duration of durations) {
		const first = freeAt.indexOf(Math.min(...freeAt));
		freeAt[first] = (freeAt[first] ?? 0) + duration;
	}
	return Math.max(...freeAt);
}

function longest(durations: readonly number[]): number[] {
	return durations.length === 0 ? [] : [durations.reduce((a, b) => Math.max(a, b))];
}
