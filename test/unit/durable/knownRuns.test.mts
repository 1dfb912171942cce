import {
	forgetAll,
	forgetRun,
	forgetWatcher,
	isAcquainted,
	isKnownWatcher,
	knownWatchers,
	mayAsk,
	noteListed,
	noteRun,
	noteWatcher,
	otherParkedRuns,
	otherRuns,
} from '../../../nodes/shared/durable/fleet.ts';

/** What a process of n8n knows of its durable runs. */

beforeEach(forgetAll);

const NOW = Date.parse('2026-01-01T12:00:00.000Z');

const SECOND = 1000;
const HOUR = 3_600_000;

const member = (dueAt: number, worker = '3') => ({ worker, supervisor: '2', dueAt });

const note = (runId: string, dueAt: number, isParked = true, at = dueAt) =>
	noteRun(runId, { ...member(dueAt), isParked }, at);

const others = (now = NOW) => otherRuns('mine', now).map(([runId]) => runId);

test('the other runs, and how many of them are parked', () => {
	note('mine', NOW);
	note('parked', NOW + SECOND);
	note('awake', NOW + SECOND, false);
	expect(otherRuns('mine', NOW)).toEqual([
		['parked', { ...member(NOW + SECOND), isParked: true }],
		['awake', { ...member(NOW + SECOND), isParked: false }],
	]);
	expect(otherParkedRuns('mine', NOW)).toBe(1);
	expect(otherParkedRuns('another', NOW)).toBe(2);
});

test('one that is overdue by more than a minute is not parked, by more than an hour is forgotten', () => {
	note('late', NOW);
	expect(otherParkedRuns('mine', NOW + 60 * SECOND)).toBe(1);
	expect(otherParkedRuns('mine', NOW + 60 * SECOND + 1)).toBe(0);
	expect(others(NOW + HOUR)).toEqual(['late']);
	expect(others(NOW + HOUR + 1)).toEqual([]);
	expect(others(NOW)).toEqual([]);
});

test('the list of a watcher tells of runs that are not known yet, as parked', () => {
	note('known', NOW, false);
	noteListed({ known: member(NOW + HOUR, '9'), listed: member(NOW, '9') });
	expect(otherRuns('mine', NOW)).toEqual([
		['known', { ...member(NOW), isParked: false }],
		['listed', { ...member(NOW, '9'), isParked: true }],
	]);
});

test('a run is forgotten by its worker, not by one that was replaced', () => {
	note('run', NOW);
	forgetRun('run', '1');
	expect(others()).toEqual(['run']);
	forgetRun('run', '3');
	expect(others()).toEqual([]);
	note('run', NOW);
	forgetRun('run');
	expect(others()).toEqual([]);
	forgetRun('unknown', '3');
});

test('who watches, and when each is due', () => {
	noteWatcher('7', NOW);
	noteWatcher('8', NOW);
	noteWatcher('7', NOW + SECOND);
	expect(knownWatchers()).toEqual([
		['7', NOW + SECOND],
		['8', NOW],
	]);
	forgetWatcher('8');
	expect([isKnownWatcher('7'), isKnownWatcher('8')]).toEqual([true, false]);
});

test('a watcher is asked for 110 s after the first run at the earliest, then every 20 s, whatever the clock shows', () => {
	expect(isAcquainted(0)).toBe(false);
	note('first', NOW, true, 5 * SECOND);
	note('second', NOW - HOUR, true, 6 * SECOND);
	expect(isAcquainted(115 * SECOND - 1)).toBe(false);
	expect(mayAsk(115 * SECOND - 1)).toBe(false);
	expect(isAcquainted(115 * SECOND)).toBe(true);
	expect(mayAsk(115 * SECOND)).toBe(true);
	expect(mayAsk(135 * SECOND - 1)).toBe(false);
	expect(mayAsk(135 * SECOND)).toBe(true);
});

test('all that it knows goes with it', () => {
	note('run', NOW);
	noteWatcher('7', NOW);
	expect(mayAsk(NOW + HOUR)).toBe(true);
	forgetAll();
	expect([others(), knownWatchers(), isAcquainted(NOW + HOUR)]).toEqual([[], [], false]);
	note('run', NOW);
	expect(mayAsk(NOW + HOUR)).toBe(true);
});
