import { VirtualN8n, type Execution, type NodeSettings } from '../../support/virtualRun.mts';
import { mostAtOnce } from '../../support/mostAtOnce.mts';
import { sampled } from '../../support/sampled.mts';

/** Jobs that nobody waits for run at the service all the same: an account has five places (section "Limits"). */

const FIVE = 5;

const SECOND = 1000;

let accounts = 0;

/** A service that would take more. */
function account(jobMs: { min: number; max: number }): VirtualN8n {
	const limits = { concurrent: 100 };
	const settings = { jobMs, limits, credits: { purchased: 100_000 } };
	return new VirtualN8n({ settings }, { note: String(++accounts) });
}

interface Order {
	name: string;
	count: number;
	/** Which items wait for their jobs. */
	waits: (item: number) => boolean;
	afterMs?: number;
	signal?: AbortSignal;
	/** Of each job, in seconds, and what comes after it. */
	options?: { timeout: number; outputByStatus?: boolean };
	node?: NodeSettings;
}

async function order(n8n: VirtualN8n, wanted: Order) {
	const { name, count, waits, afterMs = 0, signal, options, node } = wanted;
	await n8n.clock.sleep(afterMs);
	return await n8n.execute({
		items: Array.from({ length: count }, () => ({})),
		parameters: (item) => ({
			resource: 'image',
			operation: 'generate',
			size: '1:1',
			prompt: `${name} ${item}`,
			waitForCompletion: waits(item),
			...(options && { options }),
		}),
		signal,
		node,
	});
}

const all = () => true;
const none = () => false;

const idsOf = (executions: readonly Execution[]) =>
	executions.flatMap(({ items }) => items.map(({ json }) => json.jobId));

it.each([
	[
		'12 waited for, then 7 not',
		{ name: 'a', count: 12, waits: all },
		{ name: 'b', count: 7, waits: none },
		0,
	],
	[
		'7 not waited for, then 12',
		{ name: 'a', count: 7, waits: none },
		{ name: 'b', count: 12, waits: all },
		0,
	],
	[
		'5 not waited for, 12 after them',
		{ name: 'a', count: 5, waits: none },
		{ name: 'b', count: 12, waits: all },
		3 * SECOND,
	],
	[
		'5 not waited for, and 5 more',
		{ name: 'a', count: 5, waits: none },
		{ name: 'b', count: 5, waits: none },
		3 * SECOND,
	],
	[
		'12 and 12 mixed',
		{ name: 'a', count: 12, waits: (i) => i % 2 === 0 },
		{ name: 'b', count: 12, waits: (i) => i % 3 === 0 },
		SECOND,
	],
] satisfies Array<[string, Order, Order, number]>)(
	'five at once: %s',
	async (_, first, second, afterMs) => {
		const n8n = account({ min: 5 * SECOND, max: 40 * SECOND });
		const both = Promise.all([order(n8n, first), order(n8n, { ...second, afterMs })]);
		const executions = await n8n.clock.run(both);
		const { list } = n8n.state.jobs;
		expect(mostAtOnce({ jobs: list })).toBe(FIVE);
		expect(list).toHaveLength(first.count + second.count);
		expect(new Set(idsOf(executions)).size).toBe(list.length);
	},
);

test('they hold their places when their run was stopped, and until they have ended', async () => {
	const n8n = account({ min: 60 * SECOND, max: 60 * SECOND });
	await n8n.clock.run(order(n8n, { name: 'a', count: 5, waits: none }));
	const begun = n8n.clock.now();
	const stop = new AbortController();
	const stopped = order(n8n, { name: 'b', count: 3, waits: all, signal: stop.signal });
	void n8n.clock.sleep(20 * SECOND).then(() => stop.abort());
	const later = order(n8n, { name: 'c', count: 3, waits: all, afterMs: 30 * SECOND });
	await n8n.clock.run(Promise.all([stopped, later]));
	const { list } = n8n.state.jobs;
	expect(list.map(({ body }) => body.prompt).slice(5)).toEqual(['c 0', 'c 1', 'c 2']);
	expect(mostAtOnce({ jobs: list })).toBe(FIVE);
	expect(list[5]!.createdAt - begun).toBeLessThan(75 * SECOND);
});

test.each([false, true])(
	'a job whose time is up runs on, and holds its place until it is seen to have ended: Output by Status %s',
	async (outputByStatus) => {
		const n8n = account({ min: 60 * SECOND, max: 60 * SECOND });
		const options = { timeout: 10, outputByStatus };
		const first = order(n8n, { name: 'a', count: 5, waits: all, options });
		const second = order(n8n, { name: 'b', count: 5, waits: all, afterMs: 20 * SECOND });
		const begun = n8n.clock.now();
		await n8n.clock.run(Promise.all([first, second]));
		const { list } = n8n.state.jobs;
		expect(list).toHaveLength(10);
		expect(mostAtOnce({ jobs: list })).toBe(FIVE);
		expect(list[5]!.createdAt - begun).toBeLessThan(65 * SECOND);
	},
);

test('so do those of the same run', async () => {
	const n8n = account({ min: 60 * SECOND, max: 60 * SECOND });
	const options = { timeout: 10, outputByStatus: true };
	const { outputs } = await n8n.clock.run(
		order(n8n, { name: 'a', count: 12, waits: all, options }),
	);
	const { list } = n8n.state.jobs;
	expect(mostAtOnce({ jobs: list })).toBe(FIVE);
	expect(outputs[2]?.map(({ json }) => json.timedOut)).toEqual(Array(12).fill(true));
	expect(list.at(-1)!.createdAt - list[0]!.createdAt).toBeLessThan(130 * SECOND);
});

test('so do those that were waited for when their run was stopped', async () => {
	const n8n = account({ min: 60 * SECOND, max: 60 * SECOND });
	const stop = new AbortController();
	const stopped = order(n8n, { name: 'a', count: 5, waits: all, signal: stop.signal });
	void n8n.clock.sleep(10 * SECOND).then(() => stop.abort());
	const later = order(n8n, { name: 'b', count: 5, waits: all, afterMs: 20 * SECOND });
	await n8n.clock.run(Promise.all([stopped, later]));
	const { list } = n8n.state.jobs;
	expect(list).toHaveLength(10);
	expect(mostAtOnce({ jobs: list })).toBe(FIVE);
	expect(list[5]!.createdAt - list[0]!.createdAt).toBeLessThan(65 * SECOND);
});

test.each([undefined, 'continueRegularOutput'] as const)(
	'a retry waits for them in the places that they have, also while another run wants one: %s',
	async (onError) => {
		const n8n = account({ min: 50 * SECOND, max: 50 * SECOND });
		const options = { timeout: 10 };
		const node = { retryOnFail: true, maxTries: 5, onError };
		const first = order(n8n, { name: 'a', count: 12, waits: all, options, node });
		const second = order(n8n, { name: 'b', count: 5, waits: all, afterMs: 5 * SECOND });
		await n8n.clock.run(Promise.all([first, second]));
		expect(mostAtOnce({ jobs: n8n.state.jobs.list })).toBe(FIVE);
	},
);

test.each(sampled([3600, 10], 1))(
	'of a status that is not told, they are in the way for a minute: %i s later',
	async (afterSeconds) => {
		const n8n = account({ min: 60 * SECOND, max: 60 * SECOND });
		await n8n.clock.run(order(n8n, { name: 'a', count: 5, waits: none }));
		const ids = n8n.state.jobs.list.map(({ id }) => id).join('|');
		const match = { kind: 'status', pathPattern: ids } as const;
		n8n.state.faults.add({ match, fault: { kind: 'status', status: 500 } });
		await n8n.clock.advance(afterSeconds * SECOND);
		await n8n.clock.run(order(n8n, { name: 'b', count: 5, waits: all }));
		const { list } = n8n.state.jobs;
		const made = list[5]!.createdAt - list[0]!.createdAt;
		expect(made).toBeLessThan((Math.max(afterSeconds, 60) + 5) * SECOND);
	},
);

test('a job that never ends is in the way for a minute', async () => {
	const n8n = account({ min: 24 * 3600 * SECOND, max: 24 * 3600 * SECOND });
	const options = { timeout: 10, outputByStatus: true };
	const { startedAt, endedAt, outputs } = await n8n.clock.run(
		order(n8n, { name: 'a', count: 6, waits: all, options }),
	);
	expect(outputs[2]).toHaveLength(6);
	expect(endedAt - startedAt).toBeLessThan(100 * SECOND);
});

test('long after they have ended, they are in the way of nobody', async () => {
	const n8n = account({ min: 5 * SECOND, max: 5 * SECOND });
	for (const name of ['a', 'b', 'c']) {
		await n8n.clock.run(order(n8n, { name, count: 5, waits: none }));
		await n8n.clock.advance(600 * SECOND);
	}
	const from = n8n.clock.now();
	const requests = n8n.state.journal.entries.length;
	const { startedAt, endedAt } = await n8n.clock.run(
		order(n8n, { name: 'd', count: 5, waits: all }),
	);
	expect(endedAt - startedAt).toBeLessThan(8 * SECOND);
	expect(
		Math.max(...n8n.state.jobs.list.slice(-5).map(({ createdAt }) => createdAt - from)),
	).toBeLessThan(SECOND);
	const old = n8n.state.jobs.list.slice(0, -5);
	const reads = n8n.state.journal.entries
		.slice(requests)
		.filter(({ path }) => old.some(({ id }) => path.includes(id)));
	expect(reads.length).toBeLessThanOrEqual(FIVE);
});

test('while nobody wants a place, nobody asks for them', async () => {
	const n8n = account({ min: 60 * SECOND, max: 60 * SECOND });
	await n8n.clock.run(order(n8n, { name: 'a', count: 4, waits: none }));
	const requests = n8n.state.journal.entries.length;
	await n8n.clock.advance(600 * SECOND);
	expect(n8n.state.journal.entries).toHaveLength(requests);
});
