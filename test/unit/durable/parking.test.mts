import {
	forgetAll,
	minimumParkMs,
	noteAwake,
	noteParked,
	otherParkedRuns,
	parkMs,
	type ParkInput,
} from '../../../nodes/shared/durable/parking.ts';

/** For how long a durable run parks, and what a process of n8n knows of those that are parked. */

const NOW = 1_000_000_000;

/** Times in ms from now. */
const rest = ({ idle = 0, due = 0, ends = Infinity, ...more }: Times) =>
	parkMs({
		now: NOW,
		lastProgressAt: NOW - idle,
		dueAt: NOW + due,
		endsAt: NOW + ends,
		others: 0,
		...more,
	});

interface Times extends Pick<Partial<ParkInput>, 'others'> {
	idle?: number;
	due?: number;
	ends?: number;
}

test.each<[string, Times, number]>([
	['just after news', {}, 0],
	['29 s after news', { idle: 29_000 }, 0],
	['30 s after news: the least', { idle: 30_000 }, 60_000],
	['10 min after news: an eighth of it', { idle: 600_000 }, 75_000],
	['an hour after news: the most', { idle: 3_600_000 }, 300_000],
	['a job is due in 20 s', { due: 20_000 }, 0],
	['a job is due in 21 s, just after news', { due: 21_000 }, 21_000],
	['a job is due in 4 min, just after news', { due: 240_000 }, 240_000],
	['a job is due in 4 min, long after news', { due: 240_000, idle: 60_000 }, 240_000],
	['a job is due in 30 s, long after news', { due: 30_000, idle: 60_000 }, 60_000],
	['a job was due long ago', { due: -600_000, idle: 600_000 }, 75_000],
	['the time of a job is up sooner', { idle: 60_000, ends: 45_000 }, 45_000],
	['the time of a job has been up for a minute', { idle: 60_000, ends: -60_000 }, 1],
])('%s', (_, times, expected) => {
	expect(rest(times)).toBe(expected);
});

test('nothing runs: as if something were due', () => {
	const none = { now: NOW, endsAt: Infinity, others: 0 };
	expect(parkMs({ ...none, lastProgressAt: NOW })).toBe(0);
	expect(parkMs({ ...none, lastProgressAt: NOW - 30_000 })).toBe(60_000);
});

test('the more durable runs there are, the longer each parks', () => {
	expect(rest({ idle: 60_000, others: 5 })).toBe(60_000);
	expect(rest({ idle: 60_000, others: 500 })).toBe(minimumParkMs(500));
	expect(minimumParkMs(500)).toBeGreaterThan(600_000);
	// Twelve seconds for each run.
	expect(minimumParkMs(200)).toBe(2_400_000);
});

beforeEach(forgetAll);

const SECOND = 1000;
const MINUTE = 60 * SECOND;

test('how many others are parked, until they wake up', () => {
	noteParked('mine', NOW);
	noteParked('other', NOW + SECOND);
	noteParked('third', NOW + SECOND);
	expect(otherParkedRuns('mine', NOW)).toBe(2);
	expect(otherParkedRuns('new', NOW)).toBe(3);
	noteAwake('other');
	noteAwake('unknown');
	expect(otherParkedRuns('mine', NOW)).toBe(1);
});

test('one that parks again counts once, until the later time', () => {
	noteParked('other', NOW);
	noteParked('other', NOW + MINUTE);
	expect(otherParkedRuns('mine', NOW + 2 * MINUTE)).toBe(1);
});

test('one that is overdue by more than a minute is forgotten', () => {
	noteParked('late', NOW);
	expect(otherParkedRuns('mine', NOW + MINUTE)).toBe(1);
	expect(otherParkedRuns('mine', NOW + MINUTE + 1)).toBe(0);
	expect(otherParkedRuns('mine', NOW)).toBe(0);
});

test('all that it knows goes with it', () => {
	noteParked('other', NOW);
	forgetAll();
	expect(otherParkedRuns('mine', NOW)).toBe(0);
});
