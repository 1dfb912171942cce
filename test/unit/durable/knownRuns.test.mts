import {
	forgetAll,
	noteAwake,
	noteParked,
	otherParkedRuns,
} from '../../../nodes/shared/durable/knownRuns.ts';

/** What a process of n8n knows of its durable runs. */

beforeEach(forgetAll);

const NOW = Date.parse('2026-01-01T12:00:00.000Z');

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
