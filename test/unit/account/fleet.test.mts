import { VirtualWorker } from '../../support/virtualWorker.mts';
import type { NetworkOptions } from '../../support/virtualNetwork.mts';
import { VirtualN8n } from '../../support/virtualRun.mts';

/** Processes that share an account whose history is not as the sandbox has it. */

type Entry = Record<string, unknown>;

interface Fleet {
	/** Jobs of each process, and how far apart they begin, ms. */
	jobs: number[];
	apartMs?: number;
	jobMs: { min: number; max: number };
	/** What the history tells instead. */
	retold?: (entries: Entry[]) => Entry[];
	list?: NonNullable<NonNullable<NetworkOptions['settings']>['shapes']>['list'];
	seed?: number;
}

/** What a fleet took, s, and which part of its requests was refused. */
async function runOf({ jobs, apartMs = 0, jobMs, retold, list, seed = 1 }: Fleet) {
	const n8n = new VirtualN8n({
		settings: { seed, credits: { purchased: 100_000 }, jobMs, shapes: { list } },
		retell: (answer, { url }) =>
			retold && url.includes('/history/') ? retold(answer as Entry[]) : answer,
	});
	const startedAt = n8n.clock.now();
	const runs = jobs.map(async (count, index) => {
		const worker = new VirtualWorker(n8n, String(index));
		await n8n.clock.sleep(index * apartMs);
		return await worker.execute({
			items: Array.from({ length: count }, () => ({})),
			parameters: (item) => ({
				resource: 'image',
				operation: 'generate',
				size: '1:1',
				prompt: `${index} ${item}`,
				options: { timeout: 86_400 },
			}),
		});
	});
	await n8n.clock.run(Promise.all(runs));
	const { entries } = n8n.state.journal;
	const refused = entries.filter(({ status }) => status === 429).length;
	return { seconds: (n8n.clock.now() - startedAt) / 1000, refused: refused / entries.length };
}

const moved = (time: unknown, byMs: number) =>
	typeof time === 'string' ? new Date(Date.parse(time) + byMs).toISOString() : time;

/** The clock of the service, beside that of n8n. */
const clockAhead = (ms: number) => (entries: Entry[]) =>
	entries.map((entry) => ({
		...entry,
		created_at: moved(entry.created_at, ms),
		completed_at: moved(entry.completed_at, ms),
	}));

/** Jobs that the history shows to run for ever, and that take no place. */
const withStuck =
	(count: number, times: Entry = {}) =>
	(entries: Entry[]) => [
		...Array.from({ length: count }, (_, index) => ({
			id: `stuck ${index}`,
			status: 'processing',
			...times,
		})),
		...entries,
	];

test.each([2000, -2000])(
	'the clock of the service is %i ms ahead: eight processes get on, with a history that they cannot trust',
	async (aheadMs) => {
		const { refused, seconds } = await runOf({
			jobs: Array<number>(8).fill(5),
			jobMs: { min: 3000, max: 9000 },
			retold: clockAhead(aheadMs),
		});
		expect(refused).toBeLessThan(0.4);
		// Each reads the balance first: eight of the account's 100 requests a minute.
		expect(seconds).toBeLessThan(240);
	},
);

test('what the history shows to run for ever does not keep long jobs from half of the places', async () => {
	const jobMs = { min: 300_000, max: 300_000 };
	const { seconds } = await runOf({ jobs: [10], jobMs, retold: withStuck(3) });
	expect(seconds).toBeLessThan(1000);
});

test('nor short jobs from all of them', async () => {
	const { seconds } = await runOf({
		jobs: [20],
		jobMs: { min: 3000, max: 9000 },
		retold: withStuck(5, { created_at: '2026-01-01T00:00:00.000Z' }),
	});
	expect(seconds).toBeLessThan(180);
});
