import { ProcessGuess, turnOf, type Listed } from '../../../nodes/shared/jobs/processGuess.ts';

const NOW = 1_800_000_000_000;
const nobody: Listed = { own: [], others: [], running: [] };

const ago = (...ms: number[]) => ms.map((one) => NOW - one);
const after = (listed: Partial<Listed>) => new ProcessGuess().after({ ...nobody, ...listed }, NOW);

test('without jobs of others, there is no other process', () => {
	expect(after({ own: ago(100, 5000) })).toBe(1);
});

test.each([
	['one has begun at the same time', ago(110), 2],
	['three have', ago(90, 110, 130), 4],
	['they have all places but one: others found none', ago(90, 100, 110, 120), 8],
	['one has been at work for long', ago(20_000, 21_000, 22_000), 2],
])('at the first look, %s', (_, running, processes) => {
	expect(after({ own: ago(100), others: running, running })).toBeCloseTo(processes, 0);
});

test.each([
	['that began sooner, and has several jobs by now', [0], [130, 10, 8, 6], 3],
	['that take all places, one after the other', [], [400, 390, 250, 130, 120], 4],
])('others %s, may be as many as that', (_, own, running, processes) => {
	const [mine, others] = [ago(...own), ago(...running)];
	expect(after({ own: mine, others, running: others })).toBeCloseTo(processes, 0);
});

test('where all places were taken before it had one, there are many', () => {
	const running = ago(90, 100, 110, 120, 130);
	expect(after({ others: running, running })).toBeCloseTo(8, 0);
});

test('what was created before this process began says nothing', () => {
	const others = ago(...Array.from({ length: 30 }, (_, index) => 10_000 + 1000 * index));
	const [running] = [ago(10_000)];
	expect(after({ own: ago(100), others, running })).toBeCloseTo(2, 0);
});

test('in the long run it is by the newest jobs', () => {
	const guess = new ProcessGuess();
	const [own, running] = [ago(100), ago(110)];
	guess.after({ own, others: running, running }, NOW);
	const many = (count: number) => Array.from({ length: count }, (_, index) => NOW + 1000 * index);
	const later = guess.after({ own: many(20), others: many(100), running: many(4) }, NOW + 60_000);
	expect(later).toBeGreaterThan(3.5);
});

test('where none of their jobs runs any more, hardly any of them is at work', () => {
	const others = ago(...Array.from({ length: 40 }, (_, index) => 5000 + 1000 * index));
	expect(after({ own: ago(46_000, 20_000), others })).toBe(3);
});

test.each([
	// One that has begun at the same time counts as much as twenty jobs do.
	['begun together', [100], [110], [110], 2],
	[
		'of them, one has had ten more jobs',
		[100],
		[110, ...Array(10).fill(50)],
		[110],
		(1 + 11 + 20 * 2) / 21,
	],
	[
		'three at work for long, of whose jobs none is new',
		[100],
		[20_000, 21_000, 22_000],
		[20_000, 21_000, 22_000],
		(1 + 8 * 2.5) / 9,
	],
	['more than are reckoned with', [100], [110, ...Array(500).fill(50)], [110], 10],
])('the first look counts: %s', (_, own, others, running, processes) => {
	const listed = { own: ago(...own), others: ago(...others), running: ago(...running) };
	expect(after(listed)).toBeCloseTo(processes, 9);
});

test('once the others have gone, it begins anew', () => {
	const guess = new ProcessGuess();
	const running = ago(90, 110, 130);
	guess.after({ own: ago(100), others: running, running }, NOW);
	expect(guess.after({ ...nobody, own: ago(0) }, NOW)).toBe(1);
	const one = ago(110);
	expect(guess.after({ own: ago(100), others: one, running: one }, NOW)).toBeCloseTo(2, 0);
});

describe('processes that have begun together look in turn', () => {
	const together = ago(90, 100, 110, 120);
	const turns = together.map((at) => {
		const running = together.filter((other) => other !== at);
		return turnOf({ own: [at], others: running, running }, 4, 0.99);
	});

	test('in the order of their first jobs', () => {
		expect(turns).toEqual([7 / 8, 5 / 8, 3 / 8, 1 / 8]);
	});

	test.each([
		[0, 4 / 8],
		[0.5, 6 / 8],
	])('after them those that have none, by chance: %d', (chance, turn) => {
		expect(turnOf({ ...nobody, running: together }, 8, chance)).toBe(turn);
	});

	test('whoever finds others at work looks at any time', () => {
		expect(turnOf({ ...nobody, running: together }, 2, 0.3)).toBe(0.3);
	});
});
