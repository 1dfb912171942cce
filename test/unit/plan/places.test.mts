import {
	isTry,
	placesAllowed,
	placesChangeAt,
	type Allowed,
	type PlacesSeen,
} from '../../../nodes/shared/plan/places.ts';
import type { Planned } from '../../../nodes/shared/plan/planned.ts';

/** How many jobs of this process may run, and when that changes by itself. Times: elapsed ms. */

/** Nobody uses the account, as far as is known; jobs take 6 s. */
const EMPTY: PlacesSeen = {
	running: 0,
	proven: { to: 5, at: -Infinity },
	besideOthers: 5,
	othersSince: -Infinity,
	doubts: 0,
	movedAt: -Infinity,
	awaitsFirstLook: false,
	awaitedSince: -Infinity,
	creating: 0,
	pausedUntil: 0,
};

/** At 95 s a look has shown two jobs of others, while three of this process ran. */
const BESIDE_TWO = { running: 3, besideOthers: 3, othersSince: 95_000, movedAt: 95_000 };

/** The same with five, and none of this process; the first began to wait at 80 s. */
const BESIDE_FIVE = { running: 0, besideOthers: 0, othersSince: 95_000, movedAt: 80_000 };

/** At 100 s, with two running, the third was refused (429): one second of pause. */
const REFUSED = { running: 2, proven: { to: 2, at: 100_000 }, pausedUntil: 101_000 };

const ALL = (most = 5): Allowed => ({ most, because: 'the service allows no more' });
const OTHERS = (most: number): Allowed => ({ most, because: 'others take the other places' });
const FEWER = (most: number): Allowed => ({ most, because: 'one more was refused' });
const PAUSED: Allowed = {
	most: 0,
	because: 'a creation was refused, and the pause after it is not over',
};
const WHEN_FREE: Planned = { at: Infinity, because: 'a place has to become free' };
const DOUBT = (at: number): Planned => ({ at, because: 'the jobs of others may not be there' });
const GROWTH = (at: number): Planned => ({
	at,
	because: 'one more place is tried after a refusal',
});
const PAUSE_OVER = (at: number): Planned => ({
	at,
	because: 'the pause after a refused creation is over',
});

type Row = [situation: string, seen: Partial<PlacesSeen>, allowed: Allowed, change: Planned];

/** All at 100 s. */
const AT_100_S: Row[] = [
	['an empty account', {}, ALL(), WHEN_FREE],
	['all places taken by jobs of this process', { running: 5 }, ALL(), WHEN_FREE],
	[
		'nobody has looked yet who else uses it',
		{ awaitsFirstLook: true },
		{ most: 1, because: 'a look has to show first who else uses the account' },
		WHEN_FREE,
	],
	['beside two jobs of others', BESIDE_TWO, OTHERS(3), DOUBT(155_000)],
	['beside five, this process has none, so that it waits', BESIDE_FIVE, OTHERS(0), DOUBT(140_000)],
	[
		'others have come who take more than is left',
		{ ...BESIDE_FIVE, besideOthers: -1 },
		OTHERS(0),
		DOUBT(140_000),
	],
	[
		'the same jobs of others for a minute',
		{ ...BESIDE_TWO, othersSince: 40_000 },
		OTHERS(4),
		WHEN_FREE,
	],
	[
		'one more was tried in vain twice: four times as long',
		{ ...BESIDE_TWO, doubts: 2 },
		OTHERS(3),
		DOUBT(335_000),
	],
	[
		'and in vain again and again: 8 minutes at most',
		{ ...BESIDE_TWO, doubts: 9 },
		OTHERS(3),
		DOUBT(575_000),
	],
	['a 429 to a creation just now', REFUSED, PAUSED, PAUSE_OVER(101_000)],
	[
		'a 429 to a creation beside others',
		{ ...BESIDE_TWO, ...REFUSED, besideOthers: 2 },
		PAUSED,
		PAUSE_OVER(101_000),
	],
	[
		'a 429 of 9.9 s ago: no more than ran by then',
		{ ...REFUSED, proven: { to: 2, at: 90_100 }, pausedUntil: 91_100 },
		FEWER(2),
		GROWTH(100_100),
	],
	[
		'a 429 of 10 s ago: one more',
		{ ...REFUSED, proven: { to: 2, at: 90_000 }, pausedUntil: 91_000 },
		FEWER(3),
		GROWTH(110_000),
	],
	[
		'a 429 of 20 s ago: two more',
		{ ...REFUSED, proven: { to: 2, at: 80_000 }, pausedUntil: 81_000 },
		FEWER(4),
		GROWTH(110_000),
	],
	[
		'a 429 of 30 s ago: all again',
		{ ...REFUSED, proven: { to: 2, at: 70_000 }, pausedUntil: 71_000 },
		ALL(),
		WHEN_FREE,
	],
	[
		'a 429 with nothing running: one is tried',
		{ running: 0, proven: { to: 1, at: 99_000 }, pausedUntil: 100_000 },
		FEWER(1),
		GROWTH(109_000),
	],
	[
		'the machine slept for an hour through a pause: it is over',
		{ ...REFUSED, proven: { to: 2, at: 100_000 }, pausedUntil: -3_499_000 },
		FEWER(2),
		GROWTH(110_000),
	],
];

test.each(AT_100_S)('%s', (_, seen, allowed, change) => {
	const all = { ...EMPTY, ...seen };
	expect(placesAllowed(all, 100_000)).toEqual(allowed);
	expect(placesChangeAt(all, 100_000)).toEqual(change);
});

test.each<[taken: string, seen: Partial<PlacesSeen>, isOneTooMany: boolean]>([
	['on an empty account', {}, false],
	['beside two jobs of others, which leave a place', { ...BESIDE_TWO, running: 2 }, false],
	['one more after a minute', { ...BESIDE_TWO, othersSince: 40_000 }, true],
	['the last of theirs after a minute', { ...BESIDE_TWO, running: 2, othersSince: 40_000 }, false],
	['one beside five, though those keep changing', { ...BESIDE_FIVE, movedAt: 40_000 }, true],
])('a place taken in doubt about the history: %s', (_, seen, isOneTooMany) => {
	expect(isTry({ ...EMPTY, ...seen }, 100_000)).toBe(isOneTooMany);
});
