import { mostWithin } from '../faults/facts.mts';
import { LIMITS } from '../../document.mts';
import { ALL } from '../../support/sampled.mts';
import { images } from '../../support/virtualImages.mts';
import { VirtualPolling } from '../../support/virtualPoll.mts';
import { VirtualN8n } from '../../support/virtualRun.mts';

/** Triggers for an hour take their time on a busy machine. */
jest.setTimeout(180_000);

const MINUTE_MS = 60_000;

const JOBS = 20;

/** Runs a batch on an account that so many triggers watch. @param urls whether its lists show URLs */
async function run(seed: number, triggers: number, urls: boolean) {
	const shapes = { list: { entries: { urls } } };
	const jobMs = { min: 5000, max: 15_000 };
	const n8n = new VirtualN8n({
		settings: { seed, jobMs, credits: { purchased: 1_000_000 }, shapes },
	});
	const { clock } = n8n;
	const polling = new VirtualPolling(n8n);
	for (let one = 0; one < triggers; one++) polling.add();
	await clock.run(Promise.all(polling.workflows.map(async (each) => await each.activate())));
	// What the activations have sent still counts when the batch begins.
	await clock.advance(MINUTE_MS + seed * 1000);
	const prompts = Array.from({ length: JOBS }, (_, index) => `p${index}`);
	const execution = await clock.run(
		n8n.execute(images(prompts, {}, { options: { timeout: 3600 } })),
	);
	await clock.advance(20 * MINUTE_MS);
	polling.stop();
	return { n8n, execution, ms: execution.endedAt - execution.startedAt, polling };
}

/** BUSY_TESTS asks for more. */
const SEEDS = Array.from(
	{ length: Number(process.env.BUSY_TESTS ?? (ALL ? 6 : 1)) },
	(_, index) => index + 1,
);

/** How much longer a batch may take: many triggers have used requests of its first minute. */
describe.each([
	[5, true, 1.05],
	[20, true, 1.25],
	[5, false, 1.07],
])('20 images beside %i triggers, URLs in the lists: %s', (triggers, urls, tolerance) => {
	test.each(SEEDS)('the batch is complete, in time, and told of (seed %i)', async (seed) => {
		const alone = await run(seed, 0, urls);
		const { n8n, execution, polling, ms } = await run(seed, triggers, urls);
		const { journal, jobs } = n8n.state;
		expect(execution.error).toBeUndefined();
		expect(execution.items).toHaveLength(JOBS);
		const ids = jobs.list.map(({ id }) => id).sort();
		for (const { items, failures } of polling.workflows) {
			expect(items.map(({ json }) => json.jobId).sort()).toEqual(ids);
			expect(items.filter(({ json }) => json.mediaUrl === null)).toEqual([]);
			expect(failures).toEqual([]);
		}
		expect(journal.entries.filter(({ status }) => status === 429)).toEqual([]);
		const times = journal.entries.map(({ at }) => at);
		expect(mostWithin(times, MINUTE_MS)).toBeLessThanOrEqual(LIMITS.user.requests);
		expect(ms / alone.ms).toBeLessThanOrEqual(tolerance);
	});
});
