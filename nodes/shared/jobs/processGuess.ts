import { CONCURRENT_GENERATIONS } from '../spec/limits';

/**
 * Of the jobs that are at most so much older than the newest, those that were created so soon after the first
 * are of processes that have begun together, ms.
 */
const YOUNG_MS = 1000;
const TOGETHER_MS = 60;

/** Where those take all places there are, others have found none: so many processes in all. */
const MORE_THAN_PLACES = 8;

/** No more are reckoned with. */
const MOST = 10;

/** Whoever has jobs to create leaves no place empty for long: where no job of others runs, there are no more. */
const MOST_IDLE = 3;

/** What the first look has told counts as much as so many jobs of this process; less where none began together. */
const WEIGHT = 20;
const WEIGHT_ALONE = 8;

/** Clocks differ, and answers take time, by so much, ms. */
const LATENESS_MS = 1000;

/** When jobs were created that the history lists, ms since 1970. */
export interface Listed {
	/** Of this process, of the last minute. */
	own: readonly number[];
	/** Of others, of the last minute. */
	others: readonly number[];
	/** Those of others that take places. */
	running: readonly number[];
}

/**
 * How many processes use an account. Nothing tells: those that begin together have one job each at the
 * first look, and in the long run each has made its part of the newest jobs.
 */
export class ProcessGuess {
	/** By the first look that has shown jobs of others. */
	private first?: number;

	/**
	 * @param now ms since 1970
	 * @returns processes, at least 1; not a whole number
	 */
	after({ own, others, running }: Listed, now: number): number {
		const since = Math.min(now, ...own) - LATENESS_MS;
		const beside = others.filter((at) => at >= since).length;
		if (running.length === 0 && beside === 0) {
			this.first = undefined;
			return 1;
		}
		this.first ??= begunTogether(own, running);
		// Where they have not begun together, as many may have come one by one as run jobs now.
		const first = this.first > 1 ? this.first : 1 + running.length / 2;
		const weight = this.first > 1 ? WEIGHT : WEIGHT_ALONE;
		const guess = (own.length + beside + weight * first) / (own.length + weight);
		return Math.min(Math.max(guess, 2), running.length === 0 ? MOST_IDLE : MOST);
	}
}

/**
 * How many have begun together, with this one; 1 where its first job is not of that group. Times are compared with one another alone:
 * the clock of the service may be another.
 */
function begunTogether(own: readonly number[], running: readonly number[]): number {
	const latest = Math.max(...(own.length > 0 ? own : running));
	const young = [...own, ...running].filter((at) => at > latest - YOUNG_MS);
	const from = Math.min(...young);
	const isTogether = (at: number) => at >= from && at <= from + TOGETHER_MS;
	if (!(own.length > 0 ? own.some(isTogether) : running.every(isTogether))) return 1;
	const together = running.filter(isTogether).length + 1;
	return together < CONCURRENT_GENERATIONS ? together : MORE_THAN_PLACES;
}

/**
 * When one of the processes that have begun together is to look, so that they look evenly: in the order of
 * their first jobs, and after them those that have none. Where others were there before, by chance.
 *
 * @param chance from 0 to below 1
 * @returns a part of the time between two looks of one process, from 0 to below 1
 */
export function turnOf({ own, running }: Listed, processes: number, chance: number): number {
	const before =
		own.length > 0
			? running.filter((at) => at < Math.min(...own)).length + 1 / 2
			: running.length + chance * (processes - running.length);
	return before < processes ? before / processes : chance;
}
