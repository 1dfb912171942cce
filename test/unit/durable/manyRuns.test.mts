import { firstOf } from '../../support/sampled.mts';
import { VirtualEngine } from '../../support/virtualEngine.mts';
import { creationsOf, MINUTE } from './batches.mts';
import { itemsOf, workflowOf } from './chaos/play.mts';

/** Many durable runs in one n8n: the more there are, the less often each wakes up, and all go on after a kill. */

jest.setTimeout(120_000);

const HOUR = 60 * MINUTE;

/** What waking up a worker or a watcher takes of a core, ms as a real n8n did. */
const WAKE_UP_MS = 130;

/** Starts so many, each of a workflow and an account of its own, of one image that takes a day: all is parked soon. */
async function started(runs: number) {
	const engine = new VirtualEngine({
		settings: {
			...{ jobMs: { min: 20 * HOUR, max: 20 * HOUR }, queuedMs: 0 },
			limits: { concurrent: 10_000, requestsPerWindow: 1_000_000 },
			credits: { purchased: 1_000_000 },
		},
	});
	engine.boot();
	for (let run = 0; run < runs; run++) {
		const timeout = (21 * HOUR) / 1000;
		const batch = { continueOnFail: true, then: 'end', savesProgress: false, timeout } as const;
		const workflow = { ...workflowOf(batch), id: `workflow${run}` };
		await engine.clock.run(engine.trigger(workflow, itemsOf({ prompts: [`run ${run}.`] })));
		await engine.clock.advance(500);
	}
	await engine.clock.advance(HOUR);
	return engine;
}

/** The state of the latest worker of each workflow. */
function workersOf({ store }: VirtualEngine) {
	const workers = store.list.filter(({ workflow }) => workflow.name.endsWith(': worker'));
	const latest = new Map(workers.map(({ workflow, status }) => [workflow.id, status]));
	return [...latest.values()];
}

test.each(
	firstOf(
		[
			{ runs: 20, percent: 3, minutes: 5 },
			{ runs: 200, percent: 15, minutes: 15 },
		],
		1,
	),
)(
	'$runs parked runs take $percent % of a core at most; killed as some are awake, all are worked for $minutes minutes later',
	async ({ runs, percent, minutes }) => {
		const engine = await started(runs);
		const before = engine.resumptions.length;
		await engine.clock.advance(HOUR);
		const wakeUps = engine.resumptions.length - before;
		console.log(`${runs} parked runs wake n8n up ${wakeUps} times in an hour`);
		expect((wakeUps * WAKE_UP_MS) / HOUR).toBeLessThanOrEqual(percent / 100);
		for (const downMs of [0, 10 * MINUTE]) {
			while (!workersOf(engine).includes('running')) await engine.clock.advance(50);
			engine.kill();
			await engine.clock.advance(downMs);
			engine.boot();
			expect(workersOf(engine)).toContain('crashed');
			const bootedAt = engine.clock.now();
			while (workersOf(engine).includes('crashed')) await engine.clock.advance(1000);
			expect(engine.clock.now() - bootedAt).toBeLessThanOrEqual(minutes * MINUTE);
			await engine.clock.advance(7 * MINUTE);
		}
		expect(creationsOf(engine)).toBe(runs);
	},
);
