import { EndModel } from '../../../nodes/shared/plan/endModel.ts';
import type { Planned } from '../../../nodes/shared/plan/planned.ts';
import {
	isLearned,
	isYoung,
	mayLook,
	nextPoll,
	standsForReads,
	type HistorySeen,
	type JobSeen,
} from '../../../nodes/shared/plan/reads.ts';

/** When a job is polled again: by its own record, or with all others by the history. Times: elapsed ms. */

/** Created by this run at 100 s with 5 minutes of time; nothing is known of its kind. */
const JOB: JobSeen = {
	startedAt: 100_000,
	isOurs: true,
	deadlineAt: 400_000,
	readAt: 100_000,
	isSaidToEnd: false,
	earliestMs: 0,
};

/** Lists this job and four others of this process, is believed, and is looked at next at 103.5 s. */
const HISTORY: HistorySeen = {
	isUsable: true,
	isListed: true,
	trust: { isTrusted: true, isPaused: false },
	watching: 5,
	isUseful: true,
	isBusy: true,
	isOpening: false,
	areOthers: false,
	areShort: true,
	nextLook: { at: 103_500, because: 'places have likely become free' },
	ownReads: { watching: 5, gapMs: 600, isBusy: true, averageMs: 6000 },
};

/** This job is the only one. */
const OF_ONE = { watching: 1, isUseful: false, isBusy: false };
const UNTRUSTED = { trust: { isTrusted: false, isPaused: false } };
/** Of no use for ends, which are learned by reads. */
const NO_HINTS = { trust: undefined, isUseful: false };

/** Times of the document, and times that were seen. */
const VIDEO = { fromMs: 30_000, toMs: 45_000 };
const IMAGE = { fromMs: 2700, toMs: 9000, seenMs: [3000, 9000, 5000] };
const SEEN_IMAGE = {
	typical: IMAGE,
	watched: {
		startedAt: 100_000,
		knownAt: 100_000,
		model: new EndModel({ fromMs: 3000, toMs: 9000 }),
	},
};

const SINCE_CREATION = (at: number): Planned => ({ at, because: 'of the time since its creation' });
const TYPICAL = (at: number): Planned => ({ at, because: 'of the time that such jobs take' });
const INTERVAL = (at: number): Planned => ({ at, because: 'of the Poll Interval' });
const CHECK = (at: number): Planned => ({ at, because: 'the history is checked by a read' });
const FAILED = (at: number): Planned => ({ at, because: 'its last read has failed' });
const TIME_UP = (at: number): Planned => ({ at, because: 'its time is up' });
const LOOK: Planned = { at: 103_500, because: 'places have likely become free' };

interface Situation {
	job?: Partial<JobSeen>;
	/** None where it is left out. */
	history?: Partial<HistorySeen>;
	isScarce?: boolean;
	/** 100 s where it is left out. */
	now?: number;
}

/** Far off. */
const LATER = { nextLook: { at: 140_000, because: 'the jobs have likely ended' } };

const seenIn = ({ job, history, isScarce = false, now = 100_000 }: Situation) => ({
	job: { ...JOB, ...job },
	history: history && { ...HISTORY, ...history },
	isScarce,
	now,
});

/** To the whole ms. */
function polledIn(situation: Situation): Planned {
	const { job, history, isScarce, now } = seenIn(situation);
	const { at, because } = nextPoll(job, history, isScarce, now);
	return { at: Math.round(at), because };
}

test.each<[situation: string, seen: Situation, poll: Planned]>([
	['an empty account, but for this job: at once', { history: OF_ONE }, SINCE_CREATION(100_000)],
	['no history lists it: at once', {}, SINCE_CREATION(100_000)],
	[
		'then at growing gaps, half a second at least',
		{ job: { polledAt: 104_000 } },
		SINCE_CREATION(104_500),
	],
	['an eighth of its age', { job: { polledAt: 140_000 } }, SINCE_CREATION(145_000)],
	['10 s at most', { job: { polledAt: 300_000 } }, SINCE_CREATION(310_000)],
	[
		'where nobody knows who else uses the account: after the first look',
		{ history: { ...OF_ONE, isOpening: true } },
		SINCE_CREATION(100_200),
	],
	['another job has not ended by 3 s', { job: { earliestMs: 3000 } }, SINCE_CREATION(103_000)],
	['another job has not ended by 0.4 s', { job: { earliestMs: 400 } }, SINCE_CREATION(101_000)],
	['an image whose like was seen', { job: { typical: IMAGE } }, TYPICAL(103_225)],
	[
		'a video, whatever images before it took',
		{ job: { typical: VIDEO, earliestMs: 3000 } },
		TYPICAL(131_250),
	],
	['a video that runs late', { job: { typical: VIDEO, polledAt: 160_000 } }, TYPICAL(162_500)],
	[
		'a video, Poll Interval 5 s',
		{ job: { typical: VIDEO, maxPollIntervalMs: 5000 } },
		TYPICAL(105_000),
	],
	['the history is believed', { history: {} }, LOOK],
	['the history is not believed yet', { history: UNTRUSTED }, SINCE_CREATION(100_000)],
	['nor yet, but others take places', { history: { ...UNTRUSTED, areOthers: true } }, LOOK],
	['the history is of no use', { history: { isUsable: false } }, SINCE_CREATION(100_000)],
	['the history does not list this job', { history: { isListed: false } }, SINCE_CREATION(100_000)],
	['the next look is far off: it is read by itself after 30 s', { history: LATER }, CHECK(130_000)],
	[
		'the next look is far off, Poll Interval 5 s',
		{ job: { maxPollIntervalMs: 5000 }, history: LATER },
		INTERVAL(105_000),
	],
	[
		'Poll Interval 40 s: the history tells for as long',
		{
			job: { maxPollIntervalMs: 40_000 },
			history: { nextLook: { at: 150_000, because: 'the jobs have likely ended' } },
		},
		INTERVAL(140_000),
	],
	[
		'not read for 31 s: by itself',
		{ job: { polledAt: 130_500 }, history: {}, now: 131_000 },
		SINCE_CREATION(131_771),
	],
	[
		'short jobs like it have ended, and no history helps',
		{ job: SEEN_IMAGE, history: NO_HINTS },
		{ at: 104_821, because: 'it has likely ended by now' },
	],
	[
		'the same, but requests are not short',
		{ job: SEEN_IMAGE, history: { ...NO_HINTS, areShort: false } },
		TYPICAL(103_225),
	],
	[
		'it is said to have ended: now',
		{ job: { isSaidToEnd: true }, history: {} },
		{ at: 0, because: 'it is said to have ended' },
	],
	[
		'it is said to have ended, and its last read has failed',
		{ job: { isSaidToEnd: true, backoffUntil: 103_000 }, history: {} },
		FAILED(103_000),
	],
	[
		'a 429 to its last read just now: after the backoff, whatever the history says',
		{ job: { polledAt: 100_000, backoffUntil: 104_000 }, history: {} },
		FAILED(104_000),
	],
	[
		'its time is up before the next look',
		{ job: { deadlineAt: 102_000 }, history: {} },
		TIME_UP(102_000),
	],
	[
		'its time is up, and the last read failed: once more, after the backoff',
		{ job: { graceUntil: 410_000, backoffUntil: 402_000 }, history: {}, now: 400_000 },
		FAILED(402_000),
	],
	[
		'not even then',
		{ job: { graceUntil: 410_000, backoffUntil: 416_000 }, history: {}, now: 400_000 },
		TIME_UP(410_000),
	],
	['requests are scarce, nothing known: after 10 s', { isScarce: true }, SINCE_CREATION(110_000)],
	[
		'requests are scarce, a video: when most are done',
		{ job: { typical: VIDEO }, isScarce: true },
		TYPICAL(145_000),
	],
	[
		'requests are scarce, then whenever as much time has gone by',
		{ job: { polledAt: 145_000 }, isScarce: true },
		SINCE_CREATION(190_000),
	],
	[
		'created before the clock was set back: it counts from this moment',
		{ job: { startedAt: 170_000, readAt: 170_000, typical: IMAGE }, now: 170_000 },
		TYPICAL(173_225),
	],
])('%s', (_, situation, poll) => {
	expect(polledIn(situation)).toEqual(poll);
});

/** Whether the history stands for its reads; a look may come before a read; its end is learned by reads. */
type Ways = [stands: boolean, mayLook: boolean, isLearned: boolean];

test.each<[situation: string, seen: Situation, ways: Ways]>([
	['believed, at 1 s', { history: {}, now: 101_000 }, [true, true, false]],
	['believed, and it has just been created', { history: {}, now: 100_499 }, [true, false, false]],
	['alone', { history: OF_ONE, now: 101_000 }, [false, false, false]],
	[
		'alone, and others wait for its place',
		{ history: { ...OF_ONE, isBusy: true }, now: 101_000 },
		[true, false, false],
	],
	['not believed yet', { history: UNTRUSTED, now: 101_000 }, [false, true, false]],
	[
		'not believed, beside jobs of others',
		{ history: { ...UNTRUSTED, areOthers: true }, now: 101_000 },
		[true, true, false],
	],
	[
		'it has lied, and jobs are short: a look and a read are too many',
		{ job: SEEN_IMAGE, history: { trust: { isTrusted: false, isPaused: true } }, now: 101_000 },
		[false, false, true],
	],
	[
		'it has lied, and jobs are long',
		{
			job: SEEN_IMAGE,
			history: { trust: { isTrusted: false, isPaused: true }, areShort: false },
			now: 101_000,
		},
		[false, true, false],
	],
	[
		'its last read has failed',
		{ job: { ...SEEN_IMAGE, backoffUntil: 104_000 }, history: {}, now: 101_000 },
		[false, false, false],
	],
	['not read for 30 s', { history: {}, now: 130_000 }, [false, false, false]],
	[
		'requests are scarce',
		{ job: SEEN_IMAGE, history: NO_HINTS, isScarce: true, now: 101_000 },
		[false, false, false],
	],
	[
		'short jobs like it have ended',
		{ job: SEEN_IMAGE, history: NO_HINTS, now: 101_000 },
		[false, false, true],
	],
])('what tells of its end: %s', (_, situation, ways) => {
	const { job, history, isScarce, now } = seenIn(situation);
	expect([
		standsForReads(job, history!, now),
		mayLook(job, history!, now),
		isLearned(job, history!, isScarce),
	]).toEqual(ways);
});

test.each([
	['created by this run, 0.4 s ago', true, 100_400, true],
	['created by this run, 0.5 s ago', true, 100_500, false],
	['found, as old as that', false, 100_400, false],
])('young: %s', (_, isOurs, now, young) => {
	expect(isYoung({ ...JOB, isOurs }, now)).toBe(young);
});
