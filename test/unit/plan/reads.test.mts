import { EndModel } from '../../../nodes/shared/plan/endModel.ts';
import type { Planned } from '../../../nodes/shared/plan/planned.ts';
import {
	nextOfJob,
	nextPoll,
	type HistorySeen,
	type JobSeen,
	type JobStep,
} from '../../../nodes/shared/plan/reads.ts';

/** When a job is polled again: by its own record, or with all others by the history. Times: elapsed ms. */

/**
 * Created by this run at 100 s with 5 minutes of time; nothing is known of its kind, but that its entries are believed
 * where the history can be looked at.
 */
const JOB: JobSeen = {
	startedAt: 100_000,
	isOurs: true,
	deadlineAt: 400_000,
	readAt: 100_000,
	knownAt: 100_000,
	isSaidToEnd: false,
	hasNews: false,
	earliestMs: 0,
	isInHistory: true,
	isListed: true,
	trust: { grade: 'what', isPaused: false },
};

/** Lists this job and four others of this process; it is looked at next at 103.5 s. */
const HISTORY: HistorySeen = {
	isUsable: true,
	lookedAt: 99_000,
	chance: 0,
	watching: 5,
	isUseful: true,
	arePlacesWanted: true,
	awaitsFirstLook: false,
	areOthers: false,
	areShort: true,
	nextLook: { at: 103_500, because: 'places have likely become free' },
	ownReads: { watching: 5, gapMs: 600, arePlacesWanted: true, averageMs: 6000 },
};

/** This job is the only one. */
const OF_ONE = { watching: 1, isUseful: false, arePlacesWanted: false };
const UNTRUSTED = { trust: { isPaused: false } };
const LIED = { trust: { isPaused: true } };
/** Of no use for ends, which are learned by reads. */
const NO_HINTS = { isUseful: false };

/** Times of the document, and times that were seen. */
const VIDEO = { fromMs: 30_000, toMs: 45_000 };
const IMAGE = { fromMs: 2700, toMs: 9000, seenMs: [3000, 9000, 5000] };
const SEEN_IMAGE = {
	typical: IMAGE,
	model: new EndModel({ fromMs: 3000, toMs: 9000 }),
	trust: undefined,
};

const SINCE_CREATION = (at: number): Planned => ({ at, because: 'it is due by its age' });
const TYPICAL = (at: number): Planned => ({
	at,
	because: 'it is due by the time that such jobs take',
});
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
		{ history: { ...OF_ONE, awaitsFirstLook: true } },
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
	['the history is believed', { history: {} }, LOOK],
	[
		'it tells when jobs have ended, and no more',
		{ job: { trust: { grade: 'when', isPaused: false } }, history: {} },
		LOOK,
	],
	['it is not believed yet', { job: UNTRUSTED, history: {} }, SINCE_CREATION(100_000)],
	['nor yet, but others take places', { job: UNTRUSTED, history: { areOthers: true } }, LOOK],
	[
		'it does not list such jobs',
		{ job: { isInHistory: false }, history: {} },
		SINCE_CREATION(100_000),
	],
	['the history is of no use', { history: { isUsable: false } }, SINCE_CREATION(100_000)],
	[
		'the history does not list this job',
		{ job: { isListed: false }, history: {} },
		SINCE_CREATION(100_000),
	],
	['the next look is far off: it is read by itself after 30 s', { history: LATER }, CHECK(130_000)],
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

/** What comes of it, and how urgent the request is. */
const READ = (priority: 'end' | 'poll', planned: Planned): Partial<JobStep> => ({
	as: 'read',
	priority,
	isCheck: false,
	...planned,
});
/** By itself at 130 s, where no look comes. */
const LOOK_FOR = (priority: 'end' | 'poll'): Partial<JobStep> => ({
	as: 'look',
	priority,
	at: 130_000,
});

test.each<[situation: string, seen: Situation, step: Partial<JobStep>]>([
	['young, so that it may be done already', { now: 100_499 }, READ('end', SINCE_CREATION(100_000))],
	[
		'as old, and found',
		{ job: { isOurs: false }, now: 100_499 },
		READ('poll', SINCE_CREATION(100_000)),
	],
	['no longer young', { now: 100_500 }, READ('poll', SINCE_CREATION(100_000))],
	['believed, before the next look', { history: {}, now: 101_000 }, READ('poll', LOOK)],
	['believed, at the next look', { history: {}, now: 103_500 }, LOOK_FOR('end')],
	[
		'and it lists ends without results',
		{ job: { trust: { grade: 'when', isPaused: false } }, history: {}, now: 103_500 },
		LOOK_FOR('end'),
	],
	['alone', { history: OF_ONE, now: 101_000 }, READ('poll', SINCE_CREATION(100_000))],
	[
		'alone, and others wait for its place',
		{ history: { ...OF_ONE, arePlacesWanted: true }, now: 103_500 },
		LOOK_FOR('end'),
	],
	['not believed yet', { job: UNTRUSTED, history: {}, now: 101_000 }, LOOK_FOR('poll')],
	[
		'not believed, and young',
		{ job: UNTRUSTED, history: {}, now: 100_400 },
		READ('end', SINCE_CREATION(100_000)),
	],
	[
		'not believed, and the last look came after it was due',
		{ job: UNTRUSTED, history: { lookedAt: 100_600 }, now: 101_000 },
		READ('poll', SINCE_CREATION(100_000)),
	],
	[
		'not believed, and a look is under way',
		{ job: UNTRUSTED, history: { lookedAt: 100_600, askedAt: 100_900 }, now: 101_000 },
		LOOK_FOR('poll'),
	],
	[
		'not believed, and a look has been under way for 3 s',
		{ job: UNTRUSTED, history: { askedAt: 100_600 }, now: 103_600 },
		READ('poll', SINCE_CREATION(100_000)),
	],
	[
		'not believed, beside jobs of others',
		{ job: UNTRUSTED, history: { areOthers: true }, now: 103_500 },
		LOOK_FOR('end'),
	],
	[
		'it has lied, and jobs are short: a look and a read are too many',
		{ job: { ...SEEN_IMAGE, ...LIED }, history: {}, now: 101_000 },
		READ('end', { at: 104_821, because: 'it has likely ended by now' }),
	],
	[
		'it has lied, and jobs are long',
		{ job: { ...SEEN_IMAGE, ...LIED }, history: { areShort: false }, now: 104_000 },
		LOOK_FOR('poll'),
	],
	[
		'its last read has failed',
		{ job: { ...SEEN_IMAGE, backoffUntil: 104_000 }, history: {}, now: 101_000 },
		READ('poll', FAILED(104_000)),
	],
	[
		'not read for 30 s: that shows whether the history was right',
		{ history: {}, now: 130_000 },
		{ ...READ('poll', SINCE_CREATION(100_000)), isCheck: true },
	],
	[
		'requests are scarce',
		{ job: SEEN_IMAGE, history: NO_HINTS, isScarce: true, now: 101_000 },
		READ('poll', TYPICAL(110_000)),
	],
	[
		'short jobs like it have ended',
		{ job: SEEN_IMAGE, history: NO_HINTS, now: 101_000 },
		READ('end', { at: 104_821, because: 'it has likely ended by now' }),
	],
	[
		'the history has told of it',
		{ job: { hasNews: true }, history: {}, now: 101_000 },
		{ as: 'news', priority: 'end', at: 0, because: 'the history tells of it' },
	],
	[
		'the history has told that it has ended',
		{ job: { isSaidToEnd: true }, history: {}, now: 101_000 },
		READ('end', { at: 0, because: 'it is said to have ended' }),
	],
	[
		'its time is up: whatever the history tells',
		{ job: { hasNews: true }, history: {}, now: 400_000 },
		{ as: 'read', priority: 'end', at: 100_000 },
	],
	[
		'its time is up, and no read was answered: until two seconds after the grace',
		{ job: { graceUntil: 410_000, backoffUntil: 416_000 }, history: {}, now: 411_999 },
		{ as: 'read', priority: 'end', ...TIME_UP(410_000) },
	],
	[
		'then it is over',
		{ job: { graceUntil: 410_000, backoffUntil: 416_000 }, history: {}, now: 412_000 },
		{ as: 'over', at: 0, because: 'its time is up' },
	],
])('what comes next: %s', (_, situation, step) => {
	const { job, history, isScarce, now } = seenIn(situation);
	const { at, ...next } = nextOfJob(job, history, isScarce, now);
	expect({ ...next, at: Math.round(at) }).toMatchObject(step);
});
