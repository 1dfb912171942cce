import type { Typical } from './endModel';
import { SHOWN_POLL_SECONDS } from '../spec/limits';

/** Polls within a typical time. */
const POLLS_IN_TYPICAL_TIME = 6;

/** Without one, and after it: the part of the time gone by that may pass until the next poll. */
const PART = 1 / 8;

/** Between two polls of a job, ms. */
export const LEAST_GAP_MS = 500;
const LEAST_SHARED_MS = 300;

/** One request polls several jobs: it can come so many times as often. */
const SHARED = 3;

/** Between two polls of a job that may have ended at most, ms, where the user does not say. */
const MOST_GAP_MS = SHOWN_POLL_SECONDS * 1000;

interface PollingPlan {
	/** `undefined` when nothing is known. */
	typical?: Typical;
	/** Between two polls at most, ms, before the typical time too (the user's Poll Interval). */
	maxPollIntervalMs?: number;
	/** Several jobs are polled with one request. */
	isShared?: boolean;
	/** Requests are so few that none is spent early. */
	isScarce?: boolean;
}

/**
 * When to poll a job again: first when it can be done, then close together as long as it is
 * likely to end, then less and less often.
 *
 * @param polledMs time of the last poll, ms from the job's creation; `undefined` before the first
 * @returns ms from the job's creation
 */
export function nextPollMs(polledMs: number | undefined, plan: PollingPlan): number {
	const { typical, maxPollIntervalMs, isShared = false } = plan;
	if (plan.isScarce) return nextScarcePollMs(polledMs, plan);
	const most = Math.max(maxPollIntervalMs ?? MOST_GAP_MS, LEAST_GAP_MS);
	const gap = (ms: number) => {
		const own = Math.min(Math.max(ms, LEAST_GAP_MS), most);
		return isShared ? Math.max(own / SHARED, LEAST_SHARED_MS) : own;
	};
	if (!typical) return polledMs === undefined ? 0 : polledMs + gap(polledMs * PART);
	const within = (typical.toMs - typical.fromMs) / POLLS_IN_TYPICAL_TIME;
	if (polledMs === undefined || polledMs < typical.fromMs) {
		const first = typical.fromMs + Math.min(within, most) / 2;
		return maxPollIntervalMs === undefined ? first : Math.min(first, (polledMs ?? 0) + most);
	}
	return polledMs + gap(Math.max(within, (polledMs - typical.toMs) * PART));
}

/** First when most jobs are done; then whenever as much time has gone by again. */
function nextScarcePollMs(
	polledMs: number | undefined,
	{ typical, maxPollIntervalMs = Infinity }: PollingPlan,
): number {
	const gap = Math.max(polledMs ?? typical?.toMs ?? 0, MOST_GAP_MS);
	return (polledMs ?? 0) + Math.min(gap, Math.max(maxPollIntervalMs, LEAST_GAP_MS));
}
