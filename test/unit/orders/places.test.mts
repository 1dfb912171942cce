import { mostAtOnce } from '../../support/mostAtOnce.mts';
import { mostWithin } from '../../support/mostWithin.mts';
import type { NetworkOptions } from '../../support/virtualNetwork.mts';
import { VirtualN8n, type Execution, type NodeSettings } from '../../support/virtualRun.mts';
import { VirtualWorker } from '../../support/virtualWorker.mts';

/**
 * An account has five places (section "Limits"), whoever has the jobs that take them: runs that wait or do not wait, that
 * were stopped, or whose time was up, and other processes, which are seen through the history alone.
 */

const FIVE = 5;

const SECOND = 1000;

type Settings = NetworkOptions['settings'];

/** Jobs of so many seconds, at a service that would take more than five. */
const account = (jobSeconds: number, settings: Settings = {}, maxSeconds = jobSeconds) =>
	new VirtualN8n({
		settings: {
			credits: { purchased: 1_000_000 },
			jobMs: { min: jobSeconds * SECOND, max: maxSeconds * SECOND },
			...settings,
		},
	});

/** It would take more than five, so that the node alone keeps to them. */
const GENEROUS: Settings = { limits: { concurrent: 100 } };

interface Order {
	/** Which items wait for their jobs; all when left out. */
	waits?: (item: number) => boolean;
	afterMs?: number;
	signal?: AbortSignal;
	/** Timeout in seconds, and what comes after it. */
	options?: { timeout?: number; outputByStatus?: boolean; maxConcurrentJobs?: number };
	node?: NodeSettings;
}

async function order(n8n: VirtualN8n, name: string, count: number, wanted: Order = {}) {
	const { waits = () => true, afterMs = 0, signal, options = {}, node } = wanted;
	await n8n.clock.sleep(afterMs);
	return await n8n.execute({
		items: Array.from({ length: count }, (_, item) => ({ item })),
		parameters: (item) => ({
			...{ resource: 'image', operation: 'generate', size: '1:1', prompt: `${name} ${item}` },
			...{ waitForCompletion: waits(item), options },
		}),
		...{ signal, node },
	});
}

const run = async (n8n: VirtualN8n, ...orders: Array<Promise<Execution>>) =>
	(await n8n.clock.run(Promise.all(orders))) as [Execution, ...Execution[]];

const none = () => false;

/** When jobs were created, s from the first. */
const createdAt = ({ state: { jobs } }: VirtualN8n) =>
	jobs.list.map((job) => (job.createdAt - jobs.list[0]!.createdAt) / SECOND);

const jobsOf = ({ state }: VirtualN8n) => state.jobs.list.length;

const mostOf = ({ state }: VirtualN8n) => mostAtOnce({ jobs: state.jobs.list });

describe('jobs that nobody waits for run all the same', () => {
	test.each<[string, [number, Order], [number, Order]]>([
		['7 waited for, then 7 not', [7, {}], [7, { waits: none }]],
		['7 not waited for, then 7', [7, { waits: none }], [7, {}]],
		['5 not waited for, and 5 more', [5, { waits: none }], [5, { waits: none, afterMs: 3000 }]],
		[
			'mixed',
			[9, { waits: (i) => i % 2 === 0 }],
			[9, { waits: (i) => i % 3 === 0, afterMs: 1000 }],
		],
	])('five at once: %s', async (_, [count, first], [others, second]) => {
		const n8n = account(5, GENEROUS, 40);
		const executions = await run(
			n8n,
			order(n8n, 'a', count, first),
			order(n8n, 'b', others, second),
		);
		expect([mostOf(n8n), jobsOf(n8n)]).toEqual([FIVE, count + others]);
		const ids = executions.flatMap(({ items }) => items.map(({ json }) => json.jobId));
		expect(new Set(ids).size).toBe(count + others);
	});

	test.each<[string, Order, number]>([
		['whose time is up', { options: { timeout: 10 } }, 65],
		['whose time is up, by status', { options: { timeout: 10, outputByStatus: true } }, 65],
		['that nobody waits for', { waits: none }, 75],
	])('jobs %s hold their places until they are seen to have ended', async (_, first, most) => {
		const n8n = account(60, GENEROUS);
		await run(n8n, order(n8n, 'a', 5, first), order(n8n, 'b', 5, { afterMs: 20 * SECOND }));
		expect([mostOf(n8n), jobsOf(n8n)]).toEqual([FIVE, 10]);
		expect(createdAt(n8n)[5]).toBeLessThan(most);
	});

	test.each([undefined, 'continueRegularOutput'] as const)(
		'a retry waits for them in the places that they have, also while another run wants one: %s',
		async (onError) => {
			const n8n = account(50, GENEROUS);
			const node = { retryOnFail: true, maxTries: 5, onError };
			const first = order(n8n, 'a', 8, { options: { timeout: 10 }, node });
			await run(n8n, first, order(n8n, 'b', 5, { afterMs: 5 * SECOND }));
			expect(mostOf(n8n)).toBe(FIVE);
		},
	);
});

describe('beside others', () => {
	const LISTS = ['all', 'ended', 'video'] as const;

	test.each([2, 5])('%i executions of one item do not wait for one another', async (count) => {
		const n8n = account(30);
		const orders = Array.from({ length: count }, (_, index) => order(n8n, `${index}`, 1));
		await run(n8n, ...orders);
		expect(createdAt(n8n).at(-1)).toBeLessThan(0.5);
	});

	test.each(LISTS.map((lists, index) => [lists, index === 0 ? 1 : 5] as const))(
		'soon after a place is free, where a history that lists %s shows others in all: %i own',
		async (lists, count) => {
			const n8n = account(60, { shapes: { list: { lists } } });
			const others = order(new VirtualWorker(n8n, 'other'), 'other', 5);
			await run(n8n, others, order(n8n, 'own', count, { afterMs: 5 * SECOND }));
			const own = createdAt(n8n).slice(FIVE);
			expect(own[0]).toBeLessThan(80);
			expect(own.at(-1)).toBeLessThan(100);
			// The first, before anybody has looked; and one when those of others seem to be there for too long.
			const refused = n8n.state.journal.entries.filter(({ status }) => status === 429);
			if (lists === 'all') expect(refused.length).toBeLessThanOrEqual(2);
			const from = n8n.state.journal.entries.length;
			await n8n.clock.advance(3600 * SECOND);
			expect(n8n.state.journal.entries).toHaveLength(from);
			expect(n8n.clock.sleeping).toBe(0);
		},
	);

	test('Stop ends the waiting for a place at once: no request follows', async () => {
		const n8n = account(60);
		const stop = new AbortController();
		const others = order(new VirtualWorker(n8n, 'other'), 'other', 5);
		const own = order(n8n, 'own', 3, { afterMs: 5 * SECOND, signal: stop.signal });
		await n8n.clock.advance(20 * SECOND);
		stop.abort();
		const [{ items, endedAt }] = await run(n8n, own);
		expect(items).toEqual([]);
		expect(endedAt - n8n.state.jobs.list[0]!.createdAt).toBeLessThan(21 * SECOND);
		await run(n8n, others);
		expect([jobsOf(n8n), n8n.clock.sleeping]).toEqual([5, 0]);
	});

	test('one at a time is one at a time, beside another execution too', async () => {
		const n8n = account(3, {}, 9);
		const options = { maxConcurrentJobs: 1 };
		await run(n8n, order(n8n, 'a', 6, { options }), order(n8n, 'b', 6, { options }));
		expect(jobsOf(n8n)).toBe(12);
		for (const name of ['a', 'b']) {
			const own = n8n.state.jobs.list.filter(({ body }) => String(body.prompt).startsWith(name));
			for (const [index, job] of own.slice(1).entries())
				expect(job.createdAt).toBeGreaterThanOrEqual(own[index]!.endsAt);
		}
	});
});

/** From the document: "Demo users: 10 requests per hour". The credential says of what kind an account is. */
test.each([
	[1, 9],
	[12, 600],
])(
	'a demo account: %i images of %i s are done, and no request is refused',
	async (count, seconds) => {
		const HOUR = 3600 * SECOND;
		const n8n = account(seconds, { limits: { requestsPerWindow: 10, windowMs: HOUR } });
		n8n.credential.accountKind = 'demo';
		const [{ items }] = await run(n8n, order(n8n, 'a', count, { options: { timeout: 24 * 3600 } }));
		expect(items.map(({ json }) => json.status)).toEqual(Array(count).fill('completed'));
		const { entries } = n8n.state.journal;
		expect(entries.filter(({ status }) => status === 429)).toEqual([]);
		const times = entries.map(({ at }) => at);
		expect(mostWithin(times, HOUR)).toBeLessThanOrEqual(10);
		// Its creation and one look, when it can be done.
		if (count === 1) expect(entries.map(({ method }) => method)).toEqual(['POST', 'GET']);
	},
);
