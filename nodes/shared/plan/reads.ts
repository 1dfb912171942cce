import { SHOWN_POLL_SECONDS } from '../spec/limits';
import type { EndModel, Typical } from './endModel';
import {
	LEAST_LOOK_GAP_MS,
	LEAST_READ_GAP_MS,
	nextOwnRead,
	type LooksSeen,
	type OwnReadsSeen,
} from './looks';
import { latest, soonest, type Planned } from './planned';

/** What entries of the history are good for: to tell when jobs have ended, or also what they came to. */
export type TrustGrade = 'when' | 'what';

/** What is known of a job that is waited for. Times: elapsed ms. */
export interface JobSeen {
	startedAt: number;
	/** This run has created it. */
	isOurs: boolean;
	/** When the waiting ends. */
	deadlineAt: number;
	/** The time is up: reads go on until then, as long as none is answered. */
	graceUntil?: number;
	/** The last poll, its own or by the history. */
	polledAt?: number;
	/** The last poll of its own status, or when the waiting began. */
	readAt: number;
	/** When it was last seen to go on, or was created. */
	knownAt: number;
	/** It has ended, as far as is told. */
	isSaidToEnd: boolean;
	/** The history has told something that is not taken in yet. */
	hasNews: boolean;
	/** Its last read has failed: when the backoff after it is over. */
	backoffUntil?: number;
	/** Between two polls at most, ms (the user's Poll Interval). */
	maxPollIntervalMs?: number;
	/** When jobs of the kind end, where that is known. */
	typical?: Typical;
	/** Before this age, ms, none has, as far as was seen. */
	earliestMs: number;
	/** How likely such jobs have ended, where that is learned. */
	model?: EndModel;
	/** The history lists such jobs; and this one, as far as is known. */
	isInHistory: boolean;
	isListed: boolean;
	/** Its entries there may stand for its records; how far they do by now, and that they do not. */
	trust?: { grade?: TrustGrade; isPaused: boolean };
}

/** What is known of the history that lists jobs. Times: elapsed ms. */
export interface HistorySeen
	extends Pick<LooksSeen, 'lookedAt' | 'areOthers' | 'arePlacesWanted' | 'chance'> {
	/** It has been of use, as far as it was asked. */
	isUsable: boolean;
	/** The request that is under way: when it was sent. */
	askedAt?: number;
	/** Jobs of this process that are waited for. */
	watching: number;
	/** Of those, more than one may have ended, and is listed. */
	isUseful: boolean;
	/** Jobs wait for the first look. */
	awaitsFirstLook: boolean;
	/** Jobs are so short that two requests for each, and looks, are more than there are. */
	areShort: boolean;
	/** When it is to be looked at again. */
	nextLook: Planned;
	/** What is known of reads by when such jobs have ended. */
	ownReads: OwnReadsSeen;
}

/** What a job that is waited for does next. */
export interface JobStep extends Planned {
	/**
	 * `read`: its own status is read. `news`: what the history has told is taken in. `look`: it waits for a look.
	 * `over`: nobody could read it in time.
	 */
	as: 'read' | 'news' | 'look' | 'over';
	/** Of the request. `end`: it has likely ended, or its time is up. */
	priority: 'end' | 'poll';
	/** The read shows whether the history, which has told of the job, was right. */
	isCheck: boolean;
	/** When its time is up, or nobody could read it in time: it does something else then. */
	endsAt: number;
}

/** A job so young is polled by itself: it may be done already, and others are not. */
const YOUNG_MS = 500;

/** Where another job has not ended at once, none is looked at before this age, ms. */
const UNLIKELY_MS = 1000;

/** The first look of a process that begins tells of its first job, too, by this age, ms. */
const TOLD_BY_MS = 200;

/** However often the history tells that a job goes on, it is read by itself after this, ms. */
const CHECK_MS = 30_000;

/** The last read, which is due as the waiting ends, has so long to be sent, ms. */
const LAST_READ_MS = 2000;

/** Longest time to wait for an answer of the history, ms; then jobs are read by themselves. */
export const MAX_ANSWER_MS = 3000;

/**
 * What a job that is waited for does next, and when.
 *
 * @param shown `undefined` where nobody can look at it
 * @param isScarce requests are so few that none is spent early
 */
export function nextOfJob(
	job: JobSeen,
	shown: HistorySeen | undefined,
	isScarce: boolean,
	now: number,
): JobStep {
	const history = job.isInHistory ? shown : undefined;
	const { hasNews, isSaidToEnd, graceUntil, deadlineAt } = job;
	const isLate = now >= deadlineAt;
	const endsAt = graceUntil === undefined ? deadlineAt : graceUntil + LAST_READ_MS;
	const told = { isCheck: false, priority: 'end', endsAt } as const;
	if (hasNews && !isLate) return { ...told, as: 'news', at: 0, because: 'the history tells of it' };
	if (graceUntil !== undefined && now >= endsAt)
		return { ...told, as: 'over', at: 0, because: 'its time is up' };
	const due = nextPoll(job, shown, isScarce, now);
	const isPlanned =
		isLate || isSaidToEnd || isYoung(job, now) || (history && isLearned(job, history, isScarce));
	const step = {
		priority: isPlanned ? 'end' : 'poll',
		isCheck: isCheckDue(job, now) && history?.isUseful === true,
		endsAt,
	} as const;
	if (due.at > now) return { ...step, ...due, as: 'read' };
	const priority = history && !isLate ? lookInstead(job, history, due.at, now) : undefined;
	if (!priority) return { ...step, ...due, as: 'read' };
	const at = Math.min(checkAt(job), deadlineAt);
	return { ...told, priority, as: 'look', at, because: due.because };
}

/** How urgent a look is that the job waits for; `undefined` where it is read by itself. */
function lookInstead(job: JobSeen, history: HistorySeen, dueAt: number, now: number) {
	if (job.isSaidToEnd) return undefined;
	const isSlow = history.askedAt !== undefined && now >= history.askedAt + MAX_ANSWER_MS;
	if (standsForReads(job, history, now)) return 'end';
	const isTold = history.askedAt === undefined && history.lookedAt >= dueAt;
	return mayLook(job, history, now) && !isTold && !isSlow ? 'poll' : undefined;
}

/** When a job is to be polled again: by itself, or with the history. */
export function nextPoll(
	job: JobSeen,
	shown: HistorySeen | undefined,
	isScarce: boolean,
	now: number,
): Planned {
	const history = job.isInHistory ? shown : undefined;
	const { graceUntil, deadlineAt, backoffUntil = 0 } = job;
	const timeIsUp = { at: graceUntil ?? deadlineAt, because: 'its time is up' };
	const backoff = { at: backoffUntil, because: 'its last read has failed' };
	if (graceUntil !== undefined) {
		return backoffUntil > 0 ? soonest(backoff, timeIsUp) : { ...timeIsUp, at: 0 };
	}
	if (job.isSaidToEnd) {
		return soonest(latest({ at: 0, because: 'it is said to have ended' }, backoff), timeIsUp);
	}
	if (history && standsForReads(job, history, now)) {
		return soonest(history.nextLook, ...atMost(job), timeIsUp);
	}
	if (history && isLearned(job, history, isScarce)) {
		const likely = nextOwnRead(job, history.ownReads, now);
		return soonest(likely, ...atMost(job), timeIsUp);
	}
	return soonest(latest(spaced(job, history, isScarce), backoff), timeIsUp);
}

/** Whether the history stands for the job's own status. */
function standsForReads(job: JobSeen, history: HistorySeen, now: number): boolean {
	const { isUsable, watching, arePlacesWanted, areOthers } = history;
	if (!isUsable || !job.isListed || !job.trust) return false;
	const isAlone = watching < 2 && !arePlacesWanted;
	if (isAlone || job.backoffUntil !== undefined || isCheckDue(job, now)) return false;
	return areOthers || job.trust.grade !== undefined;
}

/** Whether jobs like it have ended, and nothing better than its own status tells when it does. */
function isLearned(
	job: JobSeen,
	history: HistorySeen,
	isScarce: boolean,
): job is JobSeen & { model: EndModel } {
	if (job.backoffUntil !== undefined || isScarce || !job.typical?.seenMs || !job.model)
		return false;
	return history.areShort && (!history.isUseful || isHintTooDear(job, history));
}

/** Whether a look may come before its own status is read. */
function mayLook(job: JobSeen, history: HistorySeen, now: number): boolean {
	if (!job.isListed || !history.isUseful || isHintTooDear(job, history)) return false;
	return !isYoung(job, now) && !isCheckDue(job, now) && job.backoffUntil === undefined;
}

const isYoung = ({ isOurs, startedAt }: JobSeen, now: number): boolean =>
	isOurs && now - startedAt < YOUNG_MS;

/** Whatever the history says, the job is read by itself from time to time. */
const isCheckDue = (job: JobSeen, now: number): boolean => now >= checkAt(job);

const checkAt = ({ readAt, maxPollIntervalMs = 0 }: JobSeen) =>
	readAt + Math.max(CHECK_MS, maxPollIntervalMs);

/** A look that has to be followed by a read is one request too many where jobs are short. */
const isHintTooDear = ({ trust }: JobSeen, { areShort }: HistorySeen) =>
	trust?.isPaused === true && areShort;

function atMost(job: JobSeen): Planned[] {
	const { maxPollIntervalMs = Infinity, polledAt = job.readAt } = job;
	return [
		{ at: polledAt + maxPollIntervalMs, because: 'of the Poll Interval' },
		{ at: checkAt(job), because: 'the history is checked by a read' },
	];
}

/** By the time that such jobs take, and else at growing gaps. */
function spaced(job: JobSeen, history: HistorySeen | undefined, isScarce: boolean): Planned {
	const { startedAt, polledAt, typical, maxPollIntervalMs } = job;
	const polledMs = polledAt === undefined ? undefined : polledAt - startedAt;
	const plan = { typical, maxPollIntervalMs, isShared: history?.isUseful, isScarce };
	const leastMs = polledMs === undefined && !typical ? firstPollMs(job, history) : 0;
	return {
		at: startedAt + Math.max(leastMs, nextPollMs(polledMs, plan)),
		because: typical ? 'it is due by the time that such jobs take' : 'it is due by its age',
	};
}

/** Of a kind that nobody has timed: the age, ms, before which a job has hardly ended, or the first look tells of it. */
function firstPollMs({ earliestMs }: JobSeen, history: HistorySeen | undefined): number {
	if (earliestMs > 0) return Math.max(earliestMs, UNLIKELY_MS);
	return history?.awaitsFirstLook ? TOLD_BY_MS : 0;
}

/** Polls within a typical time. */
const POLLS_IN_TYPICAL_TIME = 6;

/** Without one, and after it: the part of the time gone by that may pass until the next poll. */
const PART = 1 / 8;

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
	const most = Math.max(maxPollIntervalMs ?? MOST_GAP_MS, LEAST_READ_GAP_MS);
	const gap = (ms: number) => {
		const own = Math.min(Math.max(ms, LEAST_READ_GAP_MS), most);
		return isShared ? Math.max(own / SHARED, LEAST_LOOK_GAP_MS) : own;
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
	return (polledMs ?? 0) + Math.min(gap, Math.max(maxPollIntervalMs, LEAST_READ_GAP_MS));
}
