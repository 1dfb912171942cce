import { mostAtOnce } from '../../support/mostAtOnce.mts';
import type { VirtualEngine } from '../../support/virtualEngine.mts';
import { creationsOf, endOf, helpersOf, ID, lasting, MINUTE, started, TEN } from './batches.mts';
import { IMAGES, itemsOf, workflowOf } from './chaos/play.mts';

/** Jobs of a durable run that is parked run on: an account has five places (section "Limits"). */

const settings = {
	...lasting(8),
	limits: { concurrent: 100 },
	credits: { purchased: 1_000_000 },
};

const workerOf = (engine: VirtualEngine) => helpersOf(engine, ': worker')[0]!;

const roundsOf = ({ store }: VirtualEngine, { id }: { id: string }) =>
	store.read(id)!.resultData.runData[IMAGES]?.length;

test('two durable runs never have more than five jobs running together', async () => {
	const engine = await started({ settings, prompts: TEN.slice(0, 7) }, 3 * MINUTE);
	expect(creationsOf(engine)).toBe(5);
	const workflow = workflowOf({ continueOnFail: false, savesProgress: false });
	const prompts = TEN.slice(0, 6).map((prompt) => `More: ${prompt}`);
	const second = await engine.clock.run(engine.trigger(workflow, itemsOf({ prompts })));
	const looks = engine.state.journal.entries.length;
	await engine.clock.advance(4 * MINUTE);
	// Each is looked at by one run at a time.
	expect(engine.state.journal.entries.length - looks).toBeLessThan(40);
	await engine.clock.advance(60 * MINUTE);
	const { list } = engine.state.jobs;
	expect(mostAtOnce({ jobs: list })).toBe(5);
	for (const id of [ID, second]) expect(endOf(engine, id).status).toBe('success');
	expect(list).toHaveLength(13);
	expect(list.at(-1)!.createdAt - list[0]!.createdAt).toBeLessThan(20 * MINUTE);
});

test('Max Concurrent Jobs: one after another, and n8n is not kept busy meanwhile', async () => {
	const engine = await started(
		{
			settings: { ...settings, jobMs: { min: 20_000, max: 20_000 } },
			prompts: TEN.slice(0, 3),
			parameters: { options: { waitMode: 'durable', maxConcurrentJobs: 1 } },
		},
		10 * MINUTE,
	);
	expect(endOf(engine).status).toBe('success');
	expect(mostAtOnce({ jobs: engine.state.jobs.list })).toBe(1);
	expect(roundsOf(engine, workerOf(engine))).toBeLessThan(20);
});
