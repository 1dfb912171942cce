import { EndModel } from '../../../nodes/shared/plan/endModel.ts';
import {
	nextTurn,
	type AccountSeen,
	type Turn,
	type Wish,
} from '../../../nodes/shared/plan/next.ts';
import type { PlacesSeen } from '../../../nodes/shared/plan/places.ts';
import type { Planned } from '../../../nodes/shared/plan/planned.ts';
import type { HistorySeen, JobSeen } from '../../../nodes/shared/plan/reads.ts';
import type { Priority, RequestsSeen, SentRequest } from '../../../nodes/shared/plan/requests.ts';

/** What is done next on an account, or when something will be. Times: elapsed ms; it is 100 s. */

const NOW = 100_000;

/** From the document: 5 generations at the same time, 100 requests in any 60 s. */
const PLACES = 5;
const LIMIT = { requests: 100, windowMs: 60_000 };

/** So many places are taken by jobs of this process; nobody else is known. */
const places = (running: number, more: Partial<PlacesSeen> = {}): PlacesSeen => ({
	running,
	proven: { to: PLACES, at: -Infinity },
	besideOthers: PLACES,
	othersSince: -Infinity,
	doubts: 0,
	movedAt: -Infinity,
	awaitsFirstLook: false,
	awaitedSince: -Infinity,
	creating: 0,
	pausedUntil: 0,
	...more,
});

/** None was sent, and one job of this process is to be polled. */
const requests = (more: Partial<RequestsSeen> = {}): RequestsSeen => ({
	limit: LIMIT,
	sent: [],
	pausedUntil: 0,
	nextPollAt: 0,
	forecast: { jobs: 1, requests: 1, withinMs: 6000, mostGapMs: 2000 },
	hasJobsElsewhere: false,
	share: 1,
	slowness: 1,
	otherWaiting: 0,
	...more,
});

/** So many that count until 130 s. */
const sent = (count: number, priority: Priority): SentRequest[] =>
	Array<SentRequest>(count).fill({ priority, backAt: 130_000 });

/** Tells of several jobs, some of which may have ended; it is to be looked at again at 101 s. */
const history = (more: Partial<HistorySeen> = {}): HistorySeen => ({
	isUsable: true,
	lookedAt: 90_000,
	chance: 0,
	watching: 3,
	isUseful: true,
	arePlacesWanted: false,
	awaitsFirstLook: false,
	areOthers: false,
	areShort: false,
	nextLook: { at: 101_000, because: 'the jobs have likely ended' },
	ownReads: { arePlacesWanted: false, watching: 3, gapMs: 600, averageMs: 6000 },
	...more,
});

/** The history is to be looked at now. */
const LOOK_NOW = { nextLook: { at: NOW, because: 'the jobs have likely ended' } };

/** Jobs wait for a place, and others take some. */
const CROWDED = { arePlacesWanted: true, areOthers: true };

const place = (own = 0, most = PLACES): Wish => ({ kind: 'place', own, most });
const request = (priority: Priority): Wish => ({ kind: 'request', priority });
const LOOK: Wish = { kind: 'look' };

/** Created 10 s ago, read once since, and due again; its entries are listed, and not believed yet. */
const job = (more: Partial<JobSeen> = {}): Wish => ({
	kind: 'job',
	job: {
		startedAt: 90_000,
		isOurs: true,
		deadlineAt: 390_000,
		polledAt: 98_000,
		readAt: 98_000,
		knownAt: 98_000,
		isSaidToEnd: false,
		hasNews: false,
		earliestMs: 0,
		isInHistory: true,
		isListed: true,
		trust: { isPaused: false },
		...more,
	},
});

/** The same, read a moment ago. */
const notDue = (more: Partial<JobSeen> = {}) => job({ polledAt: 99_900, ...more });
const WHEN = { trust: { grade: 'when', isPaused: false } } as const;
const ENDED = { isSaidToEnd: true };
const NEWS = { hasNews: true };
/** Its like have taken 3 to 9 s, and nothing better tells of its end. */
const LIKELY = {
	typical: { fromMs: 3000, toMs: 9000, seenMs: [3000, 9000, 5000] },
	model: new EndModel({ fromMs: 3000, toMs: 9000 }),
	trust: undefined,
};

const turn = (as: Turn['as'], index: number, because: string, more: Partial<Turn> = {}) => ({
	as,
	index,
	because,
	...more,
});
const wait = (at: number, because: string): Planned => ({ at, because });

/** Only news changes that. */
const NEVER: Partial<Planned> = { at: Infinity };

const PLACE_FREE = 'the service allows no more';
const SINCE_CREATION = 'it is due by its age';
const TOLD_TO_END = 'it is said to have ended';
const SPREAD = 'polls are spread';
const ALL_USED = 'all requests of the window are used';
const PAUSED = 'the service has refused a request, and the pause is not over';
const FIRST_LOOK = 'nobody knows yet who else uses the account';

type Row = [
	situation: string,
	wishes: Wish[],
	seen: Partial<Omit<AccountSeen, 'wishes'>>,
	next: Partial<Turn>,
];

const check = (_: string, wishes: Wish[], seen: Row[2], next: Row[3]) => {
	const all: AccountSeen = { places: places(0), requests: requests(), wishes, ...seen };
	const found = nextTurn(all, NOW);
	expect(found).toMatchObject(next);
	// Where nothing is due, it tells of no turn.
	expect('index' in found).toBe('index' in next);
};

describe('places', () => {
	test.each<Row>([
		['an empty account: nothing', [], {}, wait(Infinity, 'nothing waits')],
		['all are free', [place()], {}, turn('place', 0, PLACE_FREE)],
		['one is free', [place(4)], { places: places(4) }, turn('place', 0, PLACE_FREE)],
		['none is', [place(5)], { places: places(5) }, NEVER],
		[
			'the run has two, and may have no more',
			[place(2, 2)],
			{ places: places(2) },
			wait(Infinity, 'the run has as many places as it may have'),
		],
		[
			'the same: another run gets it',
			[place(2, 2), place(2)],
			{ places: places(4) },
			turn('place', 1, PLACE_FREE),
		],
		['of two runs, the one with fewer', [place(3), place(1)], { places: places(4) }, { index: 1 }],
		[
			'with equally many, who has waited',
			[place(2), place(2)],
			{ places: places(4) },
			{ index: 0 },
		],
		[
			'others take two of five',
			[place(3)],
			{ places: places(3, { besideOthers: 3, othersSince: 95_000 }) },
			wait(155_000, 'the jobs of others may not be there'),
		],
		[
			'a creation was refused just now',
			[place(2)],
			{ places: places(2, { proven: { to: 2, at: NOW }, pausedUntil: 101_000 }) },
			wait(101_000, 'the pause after a refused creation is over'),
		],
		[
			'before all requests, though none may be sent',
			[request('create'), place()],
			{ requests: requests({ sent: sent(100, 'other') }) },
			turn('place', 1, PLACE_FREE),
		],
		['before news', [job(NEWS), place()], {}, turn('place', 1, PLACE_FREE)],
	])('%s', check);
});

describe('looks for places of others', () => {
	const firstLook = (awaitedSince: number, creating = 0) => ({
		places: places(1, { awaitsFirstLook: true, awaitedSince, creating }),
		history: history({ arePlacesWanted: true, awaitsFirstLook: true }),
	});
	const crowded = (more: Partial<HistorySeen>) => ({
		places: places(0, { besideOthers: 0, othersSince: 95_000, movedAt: 95_000 }),
		history: history({ ...CROWDED, ...more }),
	});
	const FREE = { nextLook: { at: NOW, because: 'others use the account: places may be free' } };

	test.each<Row>([
		[
			'nobody knows who else uses the account: one job is created first',
			[place(), LOOK],
			{ ...firstLook(NOW), places: places(0, { awaitsFirstLook: true, awaitedSince: NOW }) },
			turn('place', 0, 'a look has to show first who else uses the account'),
		],
		['60 ms after it was', [place(1), LOOK], firstLook(99_990), wait(100_050, FIRST_LOOK)],
		['then there is a look', [place(1), LOOK], firstLook(99_940), turn('look', 1, FIRST_LOOK)],
		[
			'other processes draw another time, up to 20 ms sooner or later',
			[place(1), LOOK],
			{
				...firstLook(NOW),
				history: history({ arePlacesWanted: true, awaitsFirstLook: true, chance: 1 }),
			},
			wait(100_080, FIRST_LOOK),
		],
		[
			'two seconds later where the creation is still under way',
			[place(1), LOOK],
			firstLook(99_000, 1),
			wait(101_000, FIRST_LOOK),
		],
		[
			'others take all: a look at the planned time',
			[place(), LOOK],
			crowded({}),
			wait(101_000, 'the jobs have likely ended'),
		],
		[
			'it has come',
			[place(), LOOK],
			crowded(FREE),
			turn('look', 1, FREE.nextLook.because, { priority: 'end' }),
		],
		[
			'also where only refusals tell of them',
			[place(), LOOK],
			crowded({ ...FREE, areOthers: false }),
			turn('look', 1, FREE.nextLook.because),
		],
		[
			'not while one is under way',
			[place(), LOOK],
			crowded({ ...FREE, askedAt: 99_000 }),
			wait(102_000, 'the history has not answered'),
		],
		[
			'not where nobody waits for a place',
			[LOOK],
			crowded({ ...FREE, arePlacesWanted: false }),
			NEVER,
		],
		[
			'not where the history is of no use: one more is tried after a while',
			[place(), LOOK],
			crowded({ ...FREE, isUsable: false }),
			wait(155_000, 'the jobs of others may not be there'),
		],
		[
			'not where all places are taken by jobs of this process',
			[place(5), LOOK],
			{ places: places(5), history: history({ ...FREE, arePlacesWanted: true }) },
			NEVER,
		],
		[
			'its time has not come: one for a job that may have ended',
			[job(), place(), LOOK],
			crowded({ areOthers: false }),
			turn('look', 2, SINCE_CREATION, { priority: 'poll' }),
		],
		[
			'before one for a job that may have ended, which is less urgent',
			[job(), place(), LOOK],
			crowded({ ...FREE, areOthers: false }),
			turn('look', 2, FREE.nextLook.because, { priority: 'end' }),
		],
	])('%s', check);
});

describe('jobs', () => {
	const useless = history({ isUseful: false, areShort: true });
	const slow = (askedAt: number) => ({ history: history({ ...LOOK_NOW, askedAt }) });

	test.each<Row>([
		['nobody looks: read by itself', [job()], {}, turn('read', 0, SINCE_CREATION)],
		['read a moment ago', [notDue()], {}, wait(101_137.5, SINCE_CREATION)],
		[
			'several may have ended: a look',
			[job(), job(), LOOK],
			{ history: history() },
			{
				as: 'look',
				index: 2,
				priority: 'poll',
			},
		],
		[
			'likely to have ended',
			[notDue({ ...LIKELY, knownAt: 94_000 }), LOOK],
			{ history: useless },
			turn('read', 0, 'it has likely ended by now', { priority: 'end' }),
		],
		[
			'the history stands for it: it waits for the look',
			[job(WHEN), LOOK],
			{ history: history() },
			wait(101_000, 'the jobs have likely ended'),
		],
		[
			'and the look comes',
			[job(WHEN), LOOK],
			{ history: history(LOOK_NOW) },
			turn('look', 1, 'the jobs have likely ended', { priority: 'end' }),
		],
		[
			'for another job, it is less urgent: the look is for both',
			[job(), job(WHEN), LOOK],
			{ history: history(LOOK_NOW) },
			turn('look', 2, 'the jobs have likely ended', { priority: 'end' }),
		],
		[
			'one that is not listed has waited for longer than who looks: it is read first',
			[job({ isListed: false }), job(), LOOK],
			{ history: history() },
			turn('read', 0, SINCE_CREATION, { priority: 'poll' }),
		],
		[
			'it has just been read, and is due again: the look',
			[LOOK, job(), job({ isListed: false })],
			{ history: history() },
			turn('look', 0, SINCE_CREATION, { priority: 'poll' }),
		],
		[
			'said to have ended: at once',
			[job(), job(ENDED), LOOK],
			{ history: history() },
			turn('read', 1, TOLD_TO_END, { priority: 'end' }),
		],
		[
			'also where polls are spread',
			[job(ENDED)],
			{ requests: requests({ nextPollAt: 101_000 }) },
			turn('read', 0, TOLD_TO_END),
		],
		[
			'which others wait for',
			[job()],
			{ requests: requests({ nextPollAt: 101_000 }) },
			wait(101_000, SPREAD),
		],
		['a creation goes before it', [job(ENDED), request('create')], {}, turn('send', 1, 'create')],
		[
			'news before all requests',
			[request('create'), job(ENDED), job(NEWS)],
			{},
			turn('news', 2, 'the history tells of it'),
		],
		[
			'news though none may be sent',
			[job(NEWS)],
			{ requests: requests({ pausedUntil: 107_000 }) },
			turn('news', 0, 'the history tells of it'),
		],
		[
			'its time is up: read once more',
			[notDue({ deadlineAt: NOW })],
			{},
			turn('read', 0, 'its time is up', { priority: 'end' }),
		],
		[
			'that failed: again after the backoff, within the grace',
			[job({ deadlineAt: 90_000, graceUntil: 110_000, backoffUntil: 102_000 })],
			{},
			wait(102_000, 'its last read has failed'),
		],
		[
			'the grace is over: a last time',
			[job({ deadlineAt: 90_000, graceUntil: NOW, backoffUntil: 102_000 })],
			{},
			turn('read', 0, 'its time is up', { priority: 'end' }),
		],
		[
			'which could not be sent for two seconds: over',
			[job({ deadlineAt: 90_000, graceUntil: 98_000 })],
			{ requests: requests({ sent: sent(100, 'other') }) },
			turn('over', 0, 'its time is up'),
		],
		[
			'that is told before requests are sent',
			[request('create'), job({ deadlineAt: 90_000, graceUntil: 98_000 })],
			{},
			turn('over', 1, 'its time is up'),
		],
		[
			'no read may be sent until its time is up: it is thought about again by then',
			[job({ ...ENDED, deadlineAt: 110_000 })],
			{ requests: requests({ sent: sent(100, 'other') }) },
			wait(110_000, ALL_USED),
		],
		[
			'a look is under way: it waits for it, three seconds at most',
			[job(), LOOK],
			slow(98_000),
			wait(101_000, 'the history has not answered'),
		],
		[
			'it has not come by then: read by itself',
			[job(), LOOK],
			slow(97_000),
			turn('read', 0, SINCE_CREATION),
		],
		[
			'where the history stands for it, that is no reason for more requests',
			[job(WHEN), LOOK],
			slow(97_000),
			wait(128_000, 'the jobs have likely ended'),
		],
	])('%s', check);
});

describe('requests', () => {
	const full = { requests: requests({ sent: sent(100, 'other') }) };
	const paused = { requests: requests({ pausedUntil: 107_000 }) };

	test.each<Row>([
		['one may be sent', [request('other')], {}, turn('send', 0, 'other')],
		[
			'all wait: the creation',
			[request('trigger'), request('poll'), request('other'), request('end'), request('create')],
			{},
			turn('send', 4, 'create'),
		],
		['an end before a read', [request('other'), request('end')], {}, { index: 1 }],
		['a read before a poll', [request('poll'), request('other')], {}, { index: 1 }],
		['a trigger last', [request('trigger'), job()], {}, turn('read', 1, SINCE_CREATION)],
		['of equals, who has waited', [request('other'), request('other')], {}, { index: 0 }],
		[
			'reads have had their share: the poll',
			[request('other'), request('poll')],
			{ requests: requests({ sent: sent(60, 'other') }) },
			turn('send', 1, 'poll'),
		],
		[
			'polls are spread: the trigger',
			[request('poll'), request('trigger')],
			{ requests: requests({ nextPollAt: 100_700 }) },
			turn('send', 1, 'trigger'),
		],
		['100 of this minute are used', [request('create')], full, wait(130_000, ALL_USED)],
		['jobs wait for them, too', [job(ENDED)], full, wait(130_000, ALL_USED)],
		['and looks', [job(), LOOK], { ...full, history: history() }, wait(128_000, SINCE_CREATION)],
		['after a 429', [request('create')], paused, wait(107_000, PAUSED)],
		['nothing waits', [], full, NEVER],
	])('%s', check);
});
