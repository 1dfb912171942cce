import type { IDataObject } from 'n8n-workflow';

import { mostWithin } from '../faults/facts.mts';
import type { ItemKind } from '../../support/product.mts';
import { ALL } from '../../support/sampled.mts';
import { VirtualPolling } from '../../support/virtualPoll.mts';
import { VirtualN8n } from '../../support/virtualRun.mts';

/** Triggers for an hour take their time on a busy machine. */
jest.setTimeout(180_000);

const MINUTE_MS = 60_000;

/** From the document: requests a minute. */
const LIMIT = 100;

interface Batch {
	kind: ItemKind;
	parameters: IDataObject;
	jobMs: { min: number; max: number };
}

const IMAGES: Batch = {
	kind: 'image',
	parameters: { resource: 'image', operation: 'generate', size: '1:1' },
	jobMs: { min: 5000, max: 15_000 },
};

/** The document: 30 to 60 seconds. */
const VIDEOS: Batch = {
	kind: 'video',
	parameters: { resource: 'vidA31', operation: 'generate', model: 'modelA_fast' },
	jobMs: { min: 30_000, max: 60_000 },
};

interface Account extends Batch {
	/** Whether its lists show URLs. */
	urls: boolean;
	jobs: number;
}

/** Runs a batch on an account that so many triggers watch. */
async function run(seed: number, triggers: number, account: Account) {
	const { kind, parameters, jobMs, urls, jobs } = account;
	const shapes = { list: { entries: { urls } } };
	const credits = { purchased: 1_000_000 };
	const n8n = new VirtualN8n({ settings: { seed, jobMs, credits, shapes } });
	const { clock } = n8n;
	const polling = new VirtualPolling(n8n);
	for (let one = 0; one < triggers; one++) polling.add();
	await clock.run(Promise.all(polling.workflows.map(async (each) => await each.activate())));
	// What the activations have sent still counts when the batch begins.
	await clock.advance(MINUTE_MS + seed * 1000);
	const execution = await clock.run(
		n8n.execute({
			items: Array.from({ length: jobs }, (_, index) => ({ prompt: `p${index}` })),
			parameters: (index) => ({ ...parameters, prompt: `p${index}`, options: { timeout: 3600 } }),
			kind,
		}),
	);
	await clock.advance((jobs > 20 ? 60 : 20) * MINUTE_MS);
	polling.stop();
	return { n8n, execution, ms: execution.endedAt - execution.startedAt, polling };
}

/** BUSY_TESTS asks for more. */
const SEEDS = Array.from(
	{ length: Number(process.env.BUSY_TESTS ?? (ALL ? 6 : 1)) },
	(_, index) => index + 1,
);

const BATCH = { urls: true, jobs: 20 };

/** How much longer a batch may take: many triggers have used requests of its first minute. */
describe.each<[string, Account, number, number]>([
	['images', { ...IMAGES, ...BATCH }, 5, 1.05],
	['images', { ...IMAGES, ...BATCH }, 20, 1.25],
	['videos', { ...VIDEOS, ...BATCH }, 20, 1.05],
	['images whose list has no URLs', { ...IMAGES, ...BATCH, urls: false }, 5, 1.07],
])('a batch of 20 %s beside active triggers', (_, account, triggers, tolerance) => {
	it.each(SEEDS)(`${triggers}: it is complete, in time, and told of (seed %i)`, async (seed) => {
		const alone = await run(seed, 0, account);
		const { n8n, execution, polling, ms } = await run(seed, triggers, account);
		const { journal, jobs } = n8n.state;
		expect(execution.error).toBeUndefined();
		expect(execution.items).toHaveLength(account.jobs);
		const ids = jobs.list.map(({ id }) => id).sort();
		for (const { items, failures } of polling.workflows) {
			expect(items.map(({ json }) => json.jobId).sort()).toEqual(ids);
			expect(items.filter(({ json }) => json.mediaUrl === null)).toEqual([]);
			expect(failures).toEqual([]);
		}
		expect(journal.entries.filter(({ status }) => status === 429)).toEqual([]);
		const times = journal.entries.map(({ at }) => at);
		expect(mostWithin(times, MINUTE_MS)).toBeLessThanOrEqual(LIMIT);
		expect(ms / alone.ms).toBeLessThanOrEqual(tolerance);
	});
});

test('whose requests of the hour are used up, a trigger is not waited for until there are new ones', async () => {
	const n8n = new VirtualN8n({}, { accountKind: 'demo' });
	const items = Array.from({ length: 10 }, () => ({}));
	const parameters = { resource: 'job', operation: 'history' };
	await n8n.clock.run(n8n.execute({ items, parameters }));
	expect(n8n.state.journal.entries).toHaveLength(10);
	const start = n8n.clock.now();
	const activating = new VirtualPolling(n8n).add().activate();
	await n8n.clock.run(activating.catch(() => {}));
	expect(n8n.clock.now() - start).toBeLessThan(2 * MINUTE_MS);
});
