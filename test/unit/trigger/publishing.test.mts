import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import type { SandboxSettingsInput } from '../../../sandbox/settings.mts';
import { sampled } from '../../support/sampled.mts';
import type { PollingWorkflow } from '../../support/virtualPoll.mts';
import { VirtualPolling } from '../../support/virtualPoll.mts';
import { VirtualN8n } from '../../support/virtualRun.mts';
import { startJob } from './tell.mts';

jest.setTimeout(60_000);

const MINUTE_MS = 60_000;

/** From the document. */
const HISTORY = '/api/v1/generate/history/';

/** Entries that a trigger asks for at once; a node that waits asks for fewer. */
const PAGE = 100;

const IMAGE = { made: 'image generate', fails: false, ms: 1000 };

interface Account {
	/** Jobs in its history, which have ended. */
	jobs: number;
	list?: NonNullable<NonNullable<SandboxSettingsInput['shapes']>['list']>;
	/** What an entry of its history is told as. */
	entry?: (entry: IDataObject) => IDataObject;
}

/** Ends what a test has begun. */
const ends: Array<() => Promise<unknown>> = [];

afterEach(async () => {
	for (const end of ends.splice(0)) await end();
});

/** An n8n with an account that has a history, and a workflow that a person publishes. */
async function start({ jobs, list = {}, entry = (each) => each }: Account) {
	/** Of the pages that the trigger has asked for. */
	const offsets: number[] = [];
	const retell = (answer: unknown, { url, qs }: IHttpRequestOptions) => {
		if (!url.endsWith(HISTORY)) return answer;
		if (qs?.limit === PAGE) offsets.push(Number(qs.offset ?? 0));
		return Array.isArray(answer) ? (answer as IDataObject[]).map(entry) : answer;
	};
	const settings = { seed: jobs, shapes: { list }, credits: { purchased: 1_000_000 } };
	const n8n = new VirtualN8n({ settings, retell });
	const { clock, state } = n8n;
	const earlier = Array.from({ length: jobs }, () => startJob(state, IMAGE));
	for (const [index, job] of earlier.entries()) {
		job.createdAt += index;
		job.endsAt += index;
	}
	await clock.advance(10 * MINUTE_MS);
	const polling = new VirtualPolling(n8n);
	const workflow = polling.add();
	ends.push(async () => polling.stop());
	return {
		n8n,
		clock,
		state,
		workflow,
		earlier,
		offsets,
		/** How long a try to publish takes, ms. */
		publish: async () => {
			const from = clock.now();
			await clock.run(workflow.activate());
			return clock.now() - from;
		},
	};
}

/** The same, while a batch runs in that n8n to the end of the test. */
async function startDuringBatch(account: Account) {
	const started = await start(account);
	const { n8n, clock, state } = started;
	state.settings.jobMs = { min: MINUTE_MS, max: 2 * MINUTE_MS };
	const stop = new AbortController();
	const batch = n8n.execute({
		signal: stop.signal,
		items: Array.from({ length: 100 }, () => ({})),
		parameters: (index) => ({
			resource: 'image',
			operation: 'generate',
			size: '1:1',
			prompt: `p${index}`,
			options: { timeout: 7200 },
		}),
	});
	ends.push(async () => {
		stop.abort();
		await clock.run(batch);
	});
	await clock.advance(2 * MINUTE_MS);
	return started;
}

const idsOf = ({ items }: PollingWorkflow) => items.map(({ json }) => json.jobId);

/** Those of the jobs that a workflow has heard of. */
const toldOf = (workflow: PollingWorkflow, jobs: ReadonlyArray<{ id: string }>) =>
	jobs.filter(({ id }) => idsOf(workflow).includes(id)).map(({ id }) => id);

const LISTS: Array<[string, Omit<Account, 'jobs'>]> = [
	['that has the newest first', {}],
	['that does not tell when jobs ended', { entry: ({ completed_at: _, ...entry }) => entry }],
	['that tells no times', { list: { entries: { times: false } } }],
	['in no order', { list: { order: 'fixed' } }],
];

describe('a workflow that is published while a batch runs', () => {
	it.each(sampled(LISTS, 2))('does not keep a person waiting for a history %s', async (_, list) => {
		const { publish, workflow, clock, earlier } = await startDuringBatch({ jobs: 600, ...list });
		expect(await publish()).toBeLessThan(30_000);
		await clock.advance(4 * MINUTE_MS);
		expect(toldOf(workflow, earlier)).toEqual([]);
		expect(workflow.items.length).toBeGreaterThan(0);
	});

	it('hears of jobs that ran, however far down they are, whenever they end', async () => {
		const { publish, workflow, clock, earlier } = await startDuringBatch({ jobs: 400 });
		const [before, atOnce, soon, late] = [10, 20, 30, 40].map((index) => earlier[index]!);
		before!.endsAt = clock.now() - 30_000;
		atOnce!.endsAt = clock.now() + 20_000;
		soon!.endsAt = clock.now() + 3 * MINUTE_MS;
		late!.endsAt = clock.now() + 8 * MINUTE_MS;
		await publish();
		await clock.advance(12 * MINUTE_MS);
		expect(toldOf(workflow, earlier)).toEqual([atOnce, soon, late].map((job) => job!.id));
		expect(new Set(idsOf(workflow)).size).toBe(workflow.items.length);
	});

	it('does not hear of what was made at once with the last that was read at first', async () => {
		const account = await startDuringBatch({ jobs: 400 });
		for (const job of account.earlier.slice(0, 390)) job.createdAt = account.earlier[0]!.createdAt;
		await account.publish();
		await account.clock.advance(12 * MINUTE_MS);
		expect(toldOf(account.workflow, account.earlier)).toEqual([]);
		expect(account.offsets).toContain(400);
	});

	it('comes to the end of the history poll by poll', async () => {
		const { publish, clock, offsets } = await startDuringBatch({ jobs: 900 });
		await publish();
		expect(Math.max(...offsets)).toBeLessThan(500);
		await clock.advance(12 * MINUTE_MS);
		expect(offsets).toContain(900);
	});
});

it('the tries of a person to publish are one beginning: a page that was read is not read again', async () => {
	const { publish, workflow, clock, state, earlier, offsets } = await start({
		jobs: 900,
		list: { order: 'oldest' },
	});
	const fault = { kind: 'status', status: 500 } as const;
	state.faults.add({ match: { pathPattern: 'studio/history' }, fault, times: 1 });
	await expect(publish()).rejects.toThrow('internal error');
	expect(offsets).toEqual([0, 100, 200, 300, 400, 500, 600, 700, 800, 900]);
	const between = startJob(state, IMAGE);
	await clock.advance(MINUTE_MS);
	await publish();
	expect(offsets).toHaveLength(10);
	await clock.advance(15 * MINUTE_MS);
	// What has ended since the first try is news.
	expect(idsOf(workflow)).toEqual([between.id]);
	expect(toldOf(workflow, earlier)).toEqual([]);
});
