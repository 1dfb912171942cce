import type { INodeExecutionData } from 'n8n-workflow';

import { VirtualEngine, type EngineOptions } from '../../support/virtualEngine.mts';
import { IMAGES, itemsOf, openIn, workflowOf } from './chaos/play.mts';

/** Durable batches of images in the virtual engine, undisturbed unless a test disturbs them. */

/** The user's execution. */
export const ID = '1';

export const MINUTE = 60_000;

export const TEN = Array.from({ length: 10 }, (_, item) => `item ${item}`);

export interface Batch {
	prompts?: string[];
	continueOnFail?: boolean;
	/** Seconds. */
	timeout?: number;
	/** Of the node, besides. */
	parameters?: object;
	settings?: EngineOptions['settings'];
}

/** Starts a durable batch, and lets so many ms pass. */
export async function started(batch: Batch, ms: number) {
	const { prompts = TEN, continueOnFail = false, timeout, parameters } = batch;
	const engine = new VirtualEngine({ settings: batch.settings });
	engine.boot();
	const workflow = workflowOf({ continueOnFail, savesProgress: false, timeout });
	for (const node of workflow.nodes.filter(({ name }) => name === IMAGES)) {
		Object.assign(node.parameters, parameters);
	}
	void engine.trigger(workflow, itemsOf({ prompts }));
	await engine.clock.advance(ms);
	return engine;
}

/** Jobs take so many minutes. */
export const lasting = (minutes: number) => ({
	jobMs: { min: minutes * MINUTE, max: minutes * MINUTE },
});

/** The executions that work for the run and are called so, the newest last. */
export const helpersOf = ({ store }: VirtualEngine, name = '') =>
	store.list.filter(({ id, workflow }) => id !== ID && workflow.name.endsWith(name));

/** n8n is killed as these are awake, and started again. */
export function killAwake(engine: VirtualEngine, name = ''): void {
	engine.kill();
	for (const row of helpersOf(engine, name)) {
		Object.assign(row, { status: 'crashed', waitTill: null });
	}
	engine.boot();
}

export const paidFor = ({ state }: VirtualEngine) => state.jobs.list.map(({ id }) => id).sort();

export const promptsOf = ({ state }: VirtualEngine, items: INodeExecutionData[]) =>
	items.map(({ json }) => state.jobs.find(String(json.jobId))?.body.prompt);

/** The run has given all items, each of a job that is paid for once, and nobody works for it any more. */
export function expectWhole(engine: VirtualEngine, prompts = TEN): void {
	const { status, error, items } = endOf(engine);
	expect({ status, error }).toEqual({ status: 'success', error: undefined });
	expect(promptsOf(engine, items)).toEqual(prompts);
	expect(items.map(({ json }) => json.status)).toEqual(prompts.map(() => 'completed'));
	expect(engine.state.jobs.list).toHaveLength(prompts.length);
	expect(openIn(engine)).toEqual([]);
}

export const creationsOf = ({ state }: VirtualEngine) => state.journal.ofKind('create').length;

export function endOf(engine: VirtualEngine, id = ID) {
	const { resultData } = engine.store.read(id)!;
	const [items = []] = resultData.runData[IMAGES]?.[0]?.data?.main ?? [];
	return { status: engine.store.row(id).status, error: resultData.error, items };
}
