import { fault } from '../../support/fakeService.mts';
import { sampled } from '../../support/sampled.mts';
import { VirtualClock } from '../../support/virtualClock.mts';
import { listed, watchedJobs } from '../../support/watchedJobs.mts';

type States = Record<string, string>;

let clock: VirtualClock;

beforeEach(() => {
	clock = new VirtualClock();
});

const all = (states: States, status: string) =>
	listed(Object.fromEntries(Object.keys(states).map((id) => [id, status])));

const failing = (status: number) => () => {
	throw fault('refused', status);
};

/** Histories that are of no use. */
const USELESS: Array<[string, (states: States) => unknown]> = [
	['lies that all have completed', (states) => all(states, 'completed')],
	['lies that all have failed', (states) => all(states, 'failed')],
	['lists nothing', () => []],
	['lists nothing in an envelope', () => ({ success: true, data: { generations: [] } })],
	['lists other jobs', () => listed({ x: 'completed', y: 'processing' })],
	['lists no states', (states) => Object.keys(states).map((id) => ({ id }))],
	['lists garbage', () => [null, 7, 'a', [], {}]],
	['is no list', () => ({ success: true })],
	['is a text', () => 'Not yet'],
	['does not exist', failing(404)],
	['is denied', failing(403)],
];

/** It tells no more of any end; it is found out when two jobs have ended. */
const STALE: (typeof USELESS)[number] = ['is stale', (states) => all(states, 'processing')];

/** The entry; tells when it is read. */
const counted = (entry: object, seen: () => void) =>
	new Proxy(entry, {
		ownKeys(target) {
			seen();
			return Reflect.ownKeys(target);
		},
	});

const range = (count: number) => Array.from({ length: count }, (_, index) => `j${index}`);

test.each(sampled(USELESS, 6))(
	'a history that %s is given up, and asked again after 10 minutes',
	async (_, history) => {
		const ends = Object.fromEntries(range(5).map((id) => [id, 900]));
		const { waitFor, asked } = watchedJobs(clock, { ends, history });
		void Promise.all(range(5).map((id) => waitFor(id)));
		await clock.advance(890_000);
		const times = asked();
		const again = times.findIndex((at, index) => at - (times[index - 1] ?? at) > 500);
		// Each of the jobs may have believed it once.
		expect(times.slice(0, again).length).toBeLessThanOrEqual(5);
		expect(times[again - 1]).toBeLessThan(60);
		expect(times[again]! - times[again - 1]!).toBeGreaterThan(599);
		expect(times.length).toBeLessThanOrEqual(10);
	},
);

test('a history that is stale is given up as well, once two jobs have ended', async () => {
	const ids = range(10);
	const ends = Object.fromEntries(ids.map((id, index) => [id, index < 5 ? 20 : 300]));
	const { waitFor, asked } = watchedJobs(clock, { ends, history: STALE[1] });
	void Promise.all(ids.map((id) => waitFor(id)));
	await clock.advance(290_000);
	expect(asked().at(-1)).toBeLessThan(40);
});

test.each([...USELESS, STALE])('with a history that %s jobs are found', async (_, history) => {
	const ids = range(15);
	const ends = Object.fromEntries(ids.map((id, index) => [id, 10 * (1 + Math.floor(index / 5))]));
	const { waitFor } = watchedJobs(clock, { ends, history });
	const found = await clock.run(Promise.all(ids.map((id) => waitFor(id))));
	for (const [index, { end, at }] of found.entries()) {
		expect(end).toMatchObject({ state: 'completed' });
		// The check of a job by itself is due after 30 s.
		expect(at - ends[ids[index]!]!).toBeLessThan(31);
	}
});

test('one lie does not end its use', async () => {
	let lies = 1;
	const history = (states: States) => listed(lies-- > 0 ? { ...states, a: 'completed' } : states);
	const { waitFor, asked } = watchedJobs(clock, { ends: { a: 28, b: 28 }, history });
	await clock.run(Promise.all([waitFor('a'), waitFor('b')]));
	expect(asked().at(-1)).toBeGreaterThan(20);
});

test('nor do several, when it was right in between', async () => {
	/** When it lies of which job, s; of the others it is right. */
	const lies = new Map([
		['c', 5],
		['d', 12],
		['e', 20],
	]);
	const history = (states: States) => {
		const told = { ...states };
		for (const [id, from] of lies) {
			if (clock.now() - start < from * 1000) continue;
			lies.delete(id);
			told[id] = 'completed';
			break;
		}
		return listed(told);
	};
	const start = clock.now();
	const ends = { a: 8, b: 15, c: 28, d: 28, e: 28 };
	const { waitFor, asked } = watchedJobs(clock, { ends, history });
	await clock.run(Promise.all(Object.keys(ends).map((id) => waitFor(id))));
	expect(lies.size).toBe(0);
	expect(asked().at(-1)).toBeGreaterThan(23);
});

test('a 429 does not end its use', async () => {
	let refusals = 3;
	const history = (states: States) => {
		if (refusals-- > 0) throw fault('refused', 429);
		return listed(states);
	};
	const { waitFor, asked } = watchedJobs(clock, { ends: { a: 128, b: 128 }, history });
	await clock.run(Promise.all([waitFor('a'), waitFor('b')]));
	expect(asked().at(-1)).toBeGreaterThan(100);
});

test.each([500, undefined])('nor does a fault now and then (%p)', async (status) => {
	let count = 0;
	const history = (states: States) => {
		if (count++ % 2 === 0) throw fault('unknown', status);
		return listed(states);
	};
	const { waitFor, asked } = watchedJobs(clock, { ends: { a: 28, b: 28 }, history });
	await clock.run(Promise.all([waitFor('a'), waitFor('b')]));
	expect(asked().at(-1)).toBeGreaterThan(20);
});

test('what has been given up for one run is given up for all of the account', async () => {
	const ends = { a: 900, b: 900, c: 900, d: 900 };
	const { waitFor, asked, open } = watchedJobs(clock, { ends, history: failing(404) });
	void Promise.all([waitFor('a'), waitFor('b')]);
	await clock.advance(10_000);
	expect(asked()).toHaveLength(1);
	const other = open();
	void Promise.all([waitFor('c', {}, undefined, other), waitFor('d', {}, undefined, other)]);
	await clock.advance(10_000);
	expect(asked()).toHaveLength(1);
});

describe('a history that ignores how many entries it was asked for', () => {
	/** Entries that were read, of 20,000 others and those of the jobs. */
	async function readOf(isNewestFirst: boolean): Promise<number> {
		let read = 0;
		const others = listed(Object.fromEntries(range(20_000).map((id) => [`x${id}`, 'completed'])));
		const history = (states: States) => {
			read = 0;
			const own = listed(states);
			const entries = isNewestFirst ? [...own, ...others] : [...others, ...own];
			return entries.map((entry) => counted(entry, () => (read += 1)));
		};
		const { waitFor, asked } = watchedJobs(clock, { ends: { a: 60, b: 60 }, history });
		void Promise.all([waitFor('a'), waitFor('b')]);
		while (asked().length === 0) await clock.advance(1000);
		await clock.advance(100);
		return read;
	}

	test('is read no further than it was asked for once all jobs that are waited for have been found', async () => {
		expect(await readOf(true)).toBe(20);
	});

	test('is not read to its end where they are not found', async () => {
		expect(await readOf(false)).toBe(200);
	});
});
