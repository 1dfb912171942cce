import type { OnError } from 'n8n-workflow';

import { VirtualEngine, type EngineOptions } from '../../support/virtualEngine.mts';
import { IMAGES, itemsOf, workflowOf } from './chaos/play.mts';

/** Durable batches of images in the virtual engine, undisturbed unless a test disturbs them. */

/** The user's execution. */
export const ID = '1';

export const MINUTE = 60_000;

export const TEN = Array.from({ length: 10 }, (_, item) => `item ${item}`);

export interface Batch {
	prompts?: string[];
	continueOnFail?: boolean;
	/** In place of what `continueOnFail` says. */
	onError?: OnError;
	then?: 'end' | 'loop';
	/** Seconds. */
	timeout?: number;
	/** Of the node, besides. */
	parameters?: object;
	settings?: EngineOptions['settings'];
	onInstant?: EngineOptions['onInstant'];
}

/** Starts a durable batch, and lets so many ms pass. */
export async function started(batch: Batch, ms: number) {
	const { prompts = TEN, continueOnFail = false, then = 'end', timeout, parameters } = batch;
	const { settings, onError, onInstant } = batch;
	const engine = new VirtualEngine({ settings, onInstant });
	engine.boot();
	const workflow = workflowOf({ continueOnFail, then, savesProgress: false, timeout });
	for (const node of workflow.nodes.filter(({ name }) => name === IMAGES)) {
		Object.assign(node.parameters, parameters);
		if (onError) node.onError = onError;
	}
	void engine.trigger(workflow, itemsOf({ prompts }));
	await engine.clock.advance(ms);
	return engine;
}

export const creationsOf = ({ state }: VirtualEngine) => state.journal.ofKind('create').length;

export function endOf(engine: VirtualEngine, id = ID) {
	const { resultData } = engine.store.read(id)!;
	const [items = []] = resultData.runData[IMAGES]?.[0]?.data?.main ?? [];
	return { status: engine.store.row(id).status, error: resultData.error, items };
}
