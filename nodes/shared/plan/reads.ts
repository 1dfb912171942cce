import type { Typical } from './endModel';
import { nextOwnRead, type OwnReadsSeen, type Watched } from './looks';
import { latest, soonest, type Planned } from './planned';
import { nextPollMs } from './pollingPlan';

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
	/** It has ended, as far as is told. */
	isSaidToEnd: boolean;
	/** Its last read has failed: when the backoff after it is over. */
	backoffUntil?: number;
	/** Between two polls at most, ms (the user's Poll Interval). */
	maxPollIntervalMs?: number;
	/** When jobs of the kind end, where that is known. */
	typical?: Typical;
	/** Before this age, ms, none has, as far as was seen. */
	earliestMs: number;
	/** Where the ends of such jobs are learned. */
	watched?: Watched;
}

/** What is known of the history that lists it. */
export interface HistorySeen {
	/** It has been of use, as far as it was asked. */
	isUsable: boolean;
	/** It lists this job, as far as is known. */
	isListed: boolean;
	/** Its entries may stand for the records of such jobs; whether they do by now, and that they do not. */
	trust?: { isTrusted: boolean; isPaused: boolean };
	/** Jobs of this process that are waited for. */
	watching: number;
	/** Of those, more than one may have ended, and is listed. */
	isUseful: boolean;
	/** Jobs wait for a place. */
	isBusy: boolean;
	/** They wait for the first look. */
	isOpening: boolean;
	/** Others take places. */
	areOthers: boolean;
	/** Two requests for each job, and looks, are more than there are. */
	areShort: boolean;
	/** When it is to be looked at again. */
	nextLook: Planned;
	/** What is known of reads by when such jobs have ended. */
	ownReads: OwnReadsSeen;
}

/** A job so young is polled by itself: it may be done already, and others are not. */
const YOUNG_MS = 500;

/** Where another job has not ended at once, none is looked at before this age, ms. */
const UNLIKELY_MS = 1000;

/** The first look of a process that begins tells of its first job, too, by this age, ms. */
const FIRST_LOOK_MS = 200;

/** However often the history tells that a job goes on, it is read by itself after this, ms. */
const CHECK_MS = 30_000;

/**
 * When a job is to be polled again: by itself, or with the history.
 *
 * @param history `undefined` where none lists it
 * @param isScarce requests are so few that none is spent early
 */
export function nextPoll(
	job: JobSeen,
	history: HistorySeen | undefined,
	isScarce: boolean,
	now: number,
): Planned {
	const { graceUntil, deadlineAt, backoffUntil = 0 } = job;
	const timeIsUp = { at: graceUntil ?? deadlineAt, because: 'its time is up' };
	const backoff = { at: backoffUntil, because: 'its last read has failed' };
	if (graceUntil !== undefined) return soonest(backoff, timeIsUp);
	if (job.isSaidToEnd) {
		return soonest(latest({ at: 0, because: 'it is said to have ended' }, backoff), timeIsUp);
	}
	if (history && standsForReads(job, history, now)) {
		return soonest(history.nextLook, ...atMost(job), timeIsUp);
	}
	if (history && job.watched && isLearned(job, history, isScarce)) {
		const likely = nextOwnRead(job.watched, history.ownReads, now);
		return soonest(likely, ...atMost(job), timeIsUp);
	}
	return soonest(latest(spaced(job, history, isScarce), backoff), timeIsUp);
}

/** Whether the history stands for the job's own status. */
export function standsForReads(job: JobSeen, history: HistorySeen, now: number): boolean {
	const { isUsable, isListed, trust, watching, isBusy, areOthers } = history;
	if (!isUsable || !isListed || !trust) return false;
	const isAlone = watching < 2 && !isBusy;
	if (isAlone || job.backoffUntil !== undefined || isCheckDue(job, now)) return false;
	return areOthers || trust.isTrusted;
}

/** Whether jobs like it have ended, and nothing better than its own status tells when it does. */
export function isLearned(job: JobSeen, history: HistorySeen, isScarce: boolean): boolean {
	if (job.backoffUntil !== undefined || isScarce || !job.typical?.seenMs || !job.watched)
		return false;
	return history.areShort && (!history.isUseful || isHintTooDear(history));
}

/** Whether a look may come before its own status is read. */
export function mayLook(job: JobSeen, history: HistorySeen, now: number): boolean {
	if (!history.isListed || !history.isUseful || isHintTooDear(history)) return false;
	return !isYoung(job, now) && !isCheckDue(job, now) && job.backoffUntil === undefined;
}

export const isYoung = ({ isOurs, startedAt }: JobSeen, now: number): boolean =>
	isOurs && now - startedAt < YOUNG_MS;

/** Whatever the history says, the job is read by itself from time to time. */
export const isCheckDue = (job: JobSeen, now: number): boolean => now >= checkAt(job);

const checkAt = ({ readAt, maxPollIntervalMs = 0 }: JobSeen) =>
	readAt + Math.max(CHECK_MS, maxPollIntervalMs);

/** A look that has to be followed by a read is one request too many where jobs are short. */
const isHintTooDear = ({ trust, areShort }: HistorySeen) => trust?.isPaused === true && areShort;

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
		because: typical ? 'of the time that such jobs take' : 'of the time since its creation',
	};
}

/** Where the job may be done at once, the age before which that is hardly so, or told besides, ms. */
function firstPollMs({ earliestMs }: JobSeen, history: HistorySeen | undefined): number {
	if (earliestMs > 0) return Math.max(earliestMs, UNLIKELY_MS);
	return history?.isOpening ? FIRST_LOOK_MS : 0;
}
