import type { IDataObject } from 'n8n-workflow';

import type { JournalEntry } from '../../../sandbox/journal.mts';
import { VirtualWorker } from '../../support/virtualWorker.mts';
import type { NetworkOptions } from '../../support/virtualNetwork.mts';
import { images } from '../../support/virtualImages.mts';
import { VirtualN8n } from '../../support/virtualRun.mts';

/** The rules of docs/maintainers/architecture.md, each by what the service sees. Times in ms. */

const LATENCY = { min: 50, max: 50 };

const open = (jobMs: number, settings: NetworkOptions['settings'] = {}) =>
	new VirtualN8n({
		latencyMs: LATENCY,
		settings: {
			queuedMs: 0,
			credits: { purchased: 100_000 },
			jobMs: { min: jobMs, max: jobMs },
			...settings,
		},
	});

const numbered = (count: number, more: IDataObject = {}, options: IDataObject = {}) =>
	images(
		Array.from({ length: count }, (_, item) => `image ${item}`),
		{},
		{ options, ...more },
	);

const run = async (n8n: VirtualN8n, ...what: Parameters<typeof numbered>) =>
	await n8n.run(numbered(...what));

type Kind = NonNullable<JournalEntry['kind']>;

/** When requests of a kind came, from the start, in whole ms. */
const timesOf = ({ state }: VirtualN8n, kind: Kind, from = 0): number[] =>
	state.journal.ofKind(kind).map(({ at }) => Math.round(at - from));

const startOf = (n8n: VirtualN8n) => n8n.state.jobs.list[0]!.createdAt;

const gapsOf = (times: readonly number[]) => times.slice(1).map((at, index) => at - times[index]!);

describe('places', () => {
	test('a process begins with one, and each success gives one more, up to five', async () => {
		const n8n = open(30_000);
		await run(n8n, 8);
		const times = timesOf(n8n, 'create');
		expect(gapsOf(times.slice(0, 5))).toEqual(Array(4).fill(100));
		expect(times[5]! - times[0]!).toBeGreaterThan(30_000);
	});

	test('so does a creation that has no answer after 2 s', async () => {
		const n8n = open(30_000);
		const match = { kind: 'create', bodyPattern: 'image 0' } as const;
		n8n.state.faults.add({ match, fault: { kind: 'slow', ms: 20_000 } });
		await run(n8n, 3);
		const [first, second] = timesOf(n8n, 'create');
		expect(second! - first!).toBe(2000);
	});

	test('after a refusal no more run than did, and one more is tried after half of 4 s or more', async () => {
		const n8n = open(60_000);
		n8n.state.faults.add({ match: { kind: 'list' }, fault: { kind: 'status', status: 404 } });
		const other = new VirtualWorker(n8n, 'other');
		const others = other.execute(numbered(4));
		const own = n8n.clock.sleep(5000).then(async () => await n8n.execute(numbered(3)));
		await n8n.clock.run(Promise.all([others, own]));
		const refused = n8n.state.journal.ofKind('create').filter(({ status }) => status === 429);
		const pauses = gapsOf(refused.map(({ at }) => at));
		expect(pauses[0]).toBeGreaterThan(2000);
		expect(pauses[0]).toBeLessThan(8000);
		expect(Math.max(...pauses)).toBeGreaterThan(12_000);
		expect(n8n.state.jobs.list).toHaveLength(7);
	});

	test('a history that answers 429 holds nobody up for ever', async () => {
		const n8n = open(60_000);
		n8n.state.faults.add({ match: { kind: 'list' }, fault: { kind: 'status', status: 429 } });
		const others = new VirtualWorker(n8n, 'other').execute(numbered(5));
		const own = n8n.clock.sleep(5000).then(async () => await n8n.execute(numbered(1)));
		await n8n.clock.run(Promise.all([others, own]));
		expect(timesOf(n8n, 'create', startOf(n8n)).at(-1)).toBeLessThan(200_000);
	});

	test('a pause that the service asks for is kept, whatever is refused meanwhile', async () => {
		const n8n = open(10_000);
		const match = { kind: 'create', bodyPattern: 'image 1' } as const;
		for (const headers of [{ 'retry-after': '40' }, {}] as Array<Record<string, string>>)
			n8n.state.faults.add({ match, fault: { kind: 'status', status: 429, headers }, times: 1 });
		await run(n8n, 2);
		const [, first, , last] = timesOf(n8n, 'create');
		expect(last! - first!).toBeGreaterThanOrEqual(40_000);
		expect(n8n.state.journal.ofKind('list').length).toBeLessThan(3);
	});

	test.each(Array.from({ length: 6 }, (_, seed) => seed + 1))(
		'a wait for a place counts against no time-out (seed %i)',
		async (seed) => {
			const n8n = open(50_000, { seed });
			const other = new VirtualWorker(n8n, 'other');
			const others = other.execute(numbered(10));
			const own = n8n.clock
				.sleep(5000)
				.then(async () => await n8n.execute(numbered(2, {}, { timeout: 60 })));
			const [, { error, items }] = await n8n.clock.run(Promise.all([others, own]));
			expect(error).toBeUndefined();
			expect(items).toHaveLength(2);
		},
	);
});

describe('polls', () => {
	test('of a job alone: each second, then each sixth of its age, up to 10 s', async () => {
		const n8n = open(120_000);
		await run(n8n, 1);
		const times = timesOf(n8n, 'status', startOf(n8n));
		const gaps = gapsOf([0, ...times]).map((gap) => gap / 1000);
		for (const gap of gaps.slice(0, 5)) expect(gap).toBeCloseTo(1, 0);
		expect(gaps).toEqual([...gaps].sort((one, other) => one - other));
		expect(Math.max(...gaps)).toBeLessThan(10.2);
	});
});

describe('the history', () => {
	const reads = (n8n: VirtualN8n) => n8n.state.journal.ofKind('status').length;

	test('is not asked about one job', async () => {
		const n8n = open(20_000);
		await run(n8n, 1);
		expect(n8n.state.journal.ofKind('list')).toEqual([]);
	});

	test.each([404, 503])(
		'is left alone for ten minutes if it cannot be read: %i',
		async (status) => {
			const n8n = open(30_000);
			n8n.state.faults.add({ match: { kind: 'list' }, fault: { kind: 'status', status } });
			await run(n8n, 20);
			expect(n8n.state.journal.ofKind('list')).toHaveLength(1);
		},
	);

	test('stands for the records of later jobs, where the first was true', async () => {
		const n8n = open(5000);
		await run(n8n, 20);
		expect(reads(n8n)).toBeLessThan(8);
	});

	test('not an entry that has the result of another job', async () => {
		let others: unknown;
		const n8n = new VirtualN8n({
			settings: { queuedMs: 0, credits: { purchased: 1000 }, jobMs: { min: 5000, max: 5000 } },
			retell: (answer, { url }) => {
				if (!others || !url.includes('/history/')) return answer;
				return (answer as IDataObject[]).map((entry) =>
					entry.image_url ? { ...entry, image_url: others } : entry,
				);
			},
		});
		// As long as it tells the truth.
		const before = await run(n8n, 12, { prompt: 'one for all' });
		others = before.items[0]!.json.mediaUrl;
		const { items } = await run(n8n, 12, { prompt: 'one for all' });
		expect(items).toHaveLength(12);
		for (const { json } of items) expect(json.mediaUrl).toContain(json.jobId);
	});

	test('not with Simplify off', async () => {
		const n8n = open(5000);
		await run(n8n, 20, {}, { simplify: false });
		expect(reads(n8n)).toBeGreaterThanOrEqual(20);
	});
});

describe('429', () => {
	test('while the machine sleeps, a pause goes by', async () => {
		const n8n = open(10_000);
		const headers = { 'retry-after': '200' };
		const fault = { kind: 'status', status: 429, headers } as const;
		n8n.state.faults.add({ match: { kind: 'status' }, fault, times: 1 });
		void n8n.clock.sleep(20_000).then(() => n8n.clock.suspend(180_000));
		const { startedAt, endedAt } = await run(n8n, 1);
		expect(endedAt - startedAt).toBeLessThan(180_000 + 90_000);
	});
});
