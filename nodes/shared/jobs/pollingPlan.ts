import { SHOWN_POLL_SECONDS } from '../spec/limits';

/** When a job can be expected to end, ms from its creation. */
export interface Typical {
	fromMs: number;
	toMs: number;
}

/** Looks within a typical time. */
const LOOKS = 6;

/** Without one, and after it: the part of the time gone by that may pass until the next look. */
const PART = 1 / 8;

/** Between two looks at a job, ms. */
export const LEAST_GAP_MS = 500;
const LEAST_SHARED_MS = 300;

/** One request looks at several jobs: it can come so many times as often. */
const SHARED = 3;

/** Between two looks at a job that may have ended at most, ms, where the user does not say. */
const MOST_GAP_MS = SHOWN_POLL_SECONDS * 1000;

interface Plan {
	/** `undefined` when nothing is known. */
	typical?: Typical;
	/** Between two looks at most, ms, before the typical time too (the user's Poll Interval). */
	ceilingMs?: number;
	/** Several jobs are looked at with one request. */
	isShared?: boolean;
}

/**
 * When to look at a job again: first when it can be done, then close together as long as it is
 * likely to end, then less and less often.
 *
 * @param lookedMs time of the last look, ms from the job's creation; `undefined` before the first
 * @returns ms from the job's creation
 */
export function nextLook(lookedMs: number | undefined, plan: Plan): number {
	const { typical, ceilingMs, isShared = false } = plan;
	const most = Math.max(ceilingMs ?? MOST_GAP_MS, LEAST_GAP_MS);
	const gap = (ms: number) => {
		const own = Math.min(Math.max(ms, LEAST_GAP_MS), most);
		return isShared ? Math.max(own / SHARED, LEAST_SHARED_MS) : own;
	};
	if (!typical) return lookedMs === undefined ? 0 : lookedMs + gap(lookedMs * PART);
	const within = (typical.toMs - typical.fromMs) / LOOKS;
	if (lookedMs === undefined || lookedMs < typical.fromMs) {
		const first = typical.fromMs + Math.min(within, most) / 2;
		return ceilingMs === undefined ? first : Math.min(first, (lookedMs ?? 0) + most);
	}
	return lookedMs + gap(Math.max(within, (lookedMs - typical.toMs) * PART));
}
