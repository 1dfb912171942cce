import { VirtualEngine } from '../../support/virtualEngine.mts';
import { MINUTE } from './batches.mts';
import { itemsOf, workflowOf } from './chaos/play.mts';

/** Many durable runs of one image each in one virtual n8n, each of a workflow and an account of its own. */

const NO_LIMITS = { concurrent: 10_000, requestsPerWindow: 1_000_000 };

/** Jobs take that long, so that all is parked soon. */
const LONG_MS = { min: 20 * 60 * MINUTE, max: 20 * 60 * MINUTE };

/** Between the starts of two of them, ms. */
const APART_MS = 500;

/** Starts so many, and lets so many ms pass. */
export async function startedMany(runs: number, ms: number) {
	const engine = new VirtualEngine({
		settings: { jobMs: LONG_MS, queuedMs: 0, limits: NO_LIMITS, credits: { purchased: 1_000_000 } },
	});
	engine.boot();
	for (let run = 0; run < runs; run++) {
		await startOne(engine, run);
		await engine.clock.advance(APART_MS);
	}
	await engine.clock.advance(ms);
	return engine;
}

async function startOne(engine: VirtualEngine, run: number): Promise<void> {
	const workflow = workflowOf({ continueOnFail: true, then: 'end', savesProgress: false });
	// One hour longer than the jobs take.
	const nodes = workflow.nodes.map((node) => ({
		...node,
		parameters: {
			...node.parameters,
			options: { waitMode: 'durable', timeout: 75_600 },
		},
	}));
	await engine.clock.run(
		engine.trigger(
			{ ...workflow, id: `workflow${run}`, nodes },
			itemsOf({ prompts: [`run ${run}.`] }),
		),
	);
}

/** Who works: by the workflow, the state of its latest worker. */
export function workersOf(engine: VirtualEngine) {
	const workers = engine.store.list.filter(({ workflow }) => workflow.name.endsWith(': worker'));
	return new Map(workers.map((row) => [row.workflow.id, row]));
}

/** Workflows for which nobody works: their worker was awake when n8n was killed. */
export const lostIn = (engine: VirtualEngine) =>
	[...workersOf(engine)].filter(([, { status }]) => status === 'crashed').map(([id]) => id);

/** Lets time pass until somebody works for each; gives how long that takes, ms. */
export async function untilAllWork(engine: VirtualEngine): Promise<number> {
	const from = engine.clock.now();
	while (lostIn(engine).length > 0 && engine.clock.now() - from < 150 * MINUTE)
		await engine.clock.advance(1000);
	return engine.clock.now() - from;
}

/** Lets time pass until so many workers are awake at once. */
export async function untilAwake(engine: VirtualEngine, count: number): Promise<void> {
	const awake = () => [...workersOf(engine).values()].filter(({ status }) => status === 'running');
	while (awake().length < count) await engine.clock.advance(50);
}

/** kill -9, and a start after so long. */
export async function restart(engine: VirtualEngine, downMs: number): Promise<void> {
	engine.kill();
	await engine.clock.advance(downMs);
	engine.boot();
}
