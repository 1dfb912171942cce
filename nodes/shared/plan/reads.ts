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

/** What entries of the history are trusted for: when jobs have ended, or also what their results are. */
export type TrustGrade = 'when' | 'what';

/** What is known of a job that is waited for. Times: elapsed ms. */
export interface JobSeen {
	startedAt: number;
	/** This run created it. */
	isOurs: boolean;
	/** When the waiting ends. */
	deadlineAt: number;
	/** Set once its time is up: until then, reads go on as long as none is answered. */
	graceUntil?: number;
	/** When it was last polled, by a read or by a look. */
	polledAt?: number;
	/** When the job itself was last read, or when the waiting began. */
	readAt: number;
	/** When it was last seen to run, or was created. */
	knownAt: number;
	/** It is said to have ended; no read has shown it yet. */
	isSaidToEnd: boolean;
	/** The history has news of it that has not been taken in yet. */
	hasNews: boolean;
	/** Set if its last read failed: when the backoff is over. */
	backoffUntil?: number;
	/** When jobs of the kind end, where that is known. */
	typical?: Typical;
	/** No job of the kind was seen to end before this age, in ms. */
	earliestMs: number;
	/** How likely such jobs are to have ended, where that is learned. */
	model?: EndModel;
	/** The history lists such jobs; and this one, as far as is known. */
	isInHistory: boolean;
	isListed: boolean;
	/** Set if its entries there may be trusted: how far they are by now, and whether trust is suspended. */
	trust?: { grade?: TrustGrade; isPaused: boolean };
}

/** What is known of the history that lists jobs. Times: elapsed ms. */
export interface HistorySeen
	extends Pick<LooksSeen, 'lookedAt' | 'areOthers' | 'arePlacesWanted' | 'chance'> {
	/** It has not lately been given up as useless. */
	isUsable: boolean;
	/** When the look under way was sent; `undefined` if there is none. */
	askedAt?: number;
	/** Jobs of this process that are waited for. */
	watching: number;
	/** More than one of those is listed and may have ended, so that one look can replace several reads. */
	isUseful: boolean;
	/** Jobs wait for the first look. */
	awaitsFirstLook: boolean;
	/** Jobs are so short that requests do not suffice for two per job and looks besides. */
	areShort: boolean;
	/** When the next look is due. */
	nextLook: Planned;
	/** What is known for reads that are timed by when such jobs ended. */
	ownReads: OwnReadsSeen;
}

/** What a job that is waited for does next. */
export interface JobStep extends Planned {
	/**
	 * `read`: the job itself is read. `news`: what the history has told is taken in. `look`: it waits for a look.
	 * `over`: nobody could read it in time.
	 */
	as: 'read' | 'news' | 'look' | 'over';
	/** Of the request. `end`: it has likely ended, or its time is up. */
	priority: 'end' | 'poll';
	/** The read checks whether what the history says of the job is right. */
	isCheck: boolean;
	/** When its time is up or, after that, when it is too late for the last read: its next step changes then. */
	endsAt: number;
}

/** A job younger than this, in ms, is read separately: it may be done already, unlike the others. */
const YOUNG_MS = 500;

/** If another job of the kind did not end at once, none is first polled before this age, in ms. */
const UNLIKELY_MS = 1000;

/** By this age, in ms, the first look of a process that begins shows its first job, too. */
const TOLD_BY_MS = 200;

/** After this, in ms, a job itself is read, however often the history says that it goes on. */
const CHECK_MS = 30_000;

/** How long the last read, which is due when the waiting ends, may take to be sent, in ms. */
const LAST_READ_MS = 2000;

/** Longest time to wait for an answer of the history, in ms; then jobs are read separately. */
export const MAX_ANSWER_MS = 3000;

/**
 * What a job that is waited for does next, and when.
 *
 * @param shown `undefined` where nobody can look at the history
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

/** The priority of the look that the job waits for; `undefined` if the job itself is read. */
function lookInstead(job: JobSeen, history: HistorySeen, dueAt: number, now: number) {
	if (job.isSaidToEnd) return undefined;
	const isSlow = history.askedAt !== undefined && now >= history.askedAt + MAX_ANSWER_MS;
	if (standsForReads(job, history, now)) return 'end';
	const isTold = history.askedAt === undefined && history.lookedAt >= dueAt;
	return mayLook(job, history, now) && !isTold && !isSlow ? 'poll' : undefined;
}

/** When a job is to be polled again, by a read or by a look. */
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
		return soonest(history.nextLook, check(job), timeIsUp);
	}
	if (history && isLearned(job, history, isScarce)) {
		const likely = nextOwnRead(job, history.ownReads, now);
		return soonest(likely, check(job), timeIsUp);
	}
	return soonest(latest(spaced(job, history, isScarce), backoff), timeIsUp);
}

/** Whether looks at the history replace reads of the job. */
function standsForReads(job: JobSeen, history: HistorySeen, now: number): boolean {
	const { isUsable, watching, arePlacesWanted, areOthers } = history;
	if (!isUsable || !job.isListed || !job.trust) return false;
	const isAlone = watching < 2 && !arePlacesWanted;
	if (isAlone || job.backoffUntil !== undefined || isCheckDue(job, now)) return false;
	return areOthers || job.trust.grade !== undefined;
}

/** Whether reads are timed by when jobs like it ended: that is known, and looks would be no better. */
function isLearned(
	job: JobSeen,
	history: HistorySeen,
	isScarce: boolean,
): job is JobSeen & { model: EndModel } {
	if (job.backoffUntil !== undefined || isScarce || !job.typical?.seenMs || !job.model)
		return false;
	return history.areShort && (!history.isUseful || isHintTooDear(job, history));
}

/** Whether to try a look before the job itself is read. */
function mayLook(job: JobSeen, history: HistorySeen, now: number): boolean {
	if (!job.isListed || !history.isUseful || isHintTooDear(job, history)) return false;
	return !isYoung(job, now) && !isCheckDue(job, now) && job.backoffUntil === undefined;
}

const isYoung = ({ isOurs, startedAt }: JobSeen, now: number): boolean =>
	isOurs && now - startedAt < YOUNG_MS;

/** Whatever the history says, the job itself is read from time to time. */
const isCheckDue = (job: JobSeen, now: number): boolean => now >= checkAt(job);

const checkAt = ({ readAt }: JobSeen) => readAt + CHECK_MS;

/** A look that has to be followed by a read is one request too many where jobs are short. */
const isHintTooDear = ({ trust }: JobSeen, { areShort }: HistorySeen) =>
	trust?.isPaused === true && areShort;

const check = (job: JobSeen): Planned => ({
	at: checkAt(job),
	because: 'the history is checked by a read',
});

/** When to poll a job: by the time that such jobs take, or at growing gaps where that is not known. */
function spaced(job: JobSeen, history: HistorySeen | undefined, isScarce: boolean): Planned {
	const { startedAt, polledAt, typical } = job;
	const polledMs = polledAt === undefined ? undefined : polledAt - startedAt;
	const plan = { typical, isShared: history?.isUseful, isScarce };
	const leastMs = polledMs === undefined && !typical ? firstPollMs(job, history) : 0;
	return {
		at: startedAt + Math.max(leastMs, nextPollMs(polledMs, plan)),
		because: typical ? 'it is due by the time that such jobs take' : 'it is due by its age',
	};
}

/** For a kind that nobody has timed: until this age, in ms, a job has hardly ended, or the first look will show it. */
function firstPollMs({ earliestMs }: JobSeen, history: HistorySeen | undefined): number {
	if (earliestMs > 0) return Math.max(earliestMs, UNLIKELY_MS);
	return history?.awaitsFirstLook ? TOLD_BY_MS : 0;
}

/** Polls within a typical time. */
const POLLS_IN_TYPICAL_TIME = 6;

/** Without a typical time, or after it, the gap to the next poll is this part of the time gone by. */
const PART = 1 / 8;

/** A request that polls several jobs may come this many times as often. */
const SHARED = 3;

/** Longest time between two polls of a job that may have ended, in ms. */
const MOST_GAP_MS = SHOWN_POLL_SECONDS * 1000;

interface PollingPlan {
	/** `undefined` when nothing is known. */
	typical?: Typical;
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
	const { typical, isShared = false } = plan;
	if (plan.isScarce) return nextScarcePollMs(polledMs, plan);
	const gap = (ms: number) => {
		const own = Math.min(Math.max(ms, LEAST_READ_GAP_MS), MOST_GAP_MS);
		return isShared ? Math.max(own / SHARED, LEAST_LOOK_GAP_MS) : own;
	};
	if (!typical) return polledMs === undefined ? 0 : polledMs + gap(polledMs * PART);
	const within = (typical.toMs - typical.fromMs) / POLLS_IN_TYPICAL_TIME;
	if (polledMs === undefined || polledMs < typical.fromMs) {
		return typical.fromMs + Math.min(within, MOST_GAP_MS) / 2;
	}
	return polledMs + gap(Math.max(within, (polledMs - typical.toMs) * PART));
}

/** First when most jobs are done; then each time the job's age has doubled. */
function nextScarcePollMs(polledMs: number | undefined, { typical }: PollingPlan): number {
	return (polledMs ?? 0) + Math.max(polledMs ?? typical?.toMs ?? 0, MOST_GAP_MS);
}
