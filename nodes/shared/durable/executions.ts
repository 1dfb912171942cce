import type { IDataObject, IExecuteFunctions, IRunExecutionData } from 'n8n-workflow';

import type { Parked } from './version';

/** The run of a node that waits for a durable run's results. */
export interface Waiter {
	executionId: string;
	workflowId: string;
	node: string;
	runIndex: number;
	/** Of this durable run alone: the node may run again in the same execution. */
	ticket: string;
}

/** What a node remembers of its latest durable run. */
export interface Stub extends Parked {
	ticket: string;
	/** Execution that works on it, and the one that watches over that. */
	worker: string;
	guard: string;
}

/**
 * Where a node keeps its stub. Of the latest run alone: in a loop, those who have worked for an
 * earlier one must see that the execution does not wait for them any more.
 */
export const STUB = 'mediaGenDurable';

/** What a node remembers in another execution (`getContext('node')` there). */
export function memoryOf(data: IRunExecutionData | undefined, node: string): IDataObject {
	return data?.executionData?.contextData[`node:${node}`] ?? {};
}

/** The stub of a durable run; `undefined` where the node's latest run is another. */
export function stubIn(memory: IDataObject, { ticket }: Waiter): Stub | undefined {
	const stub = memory[STUB] as Stub | undefined;
	return stub?.ticket === ticket ? stub : undefined;
}

/** How long it may take until an execution is parked, and how often to look, ms. */
export const PARKING_MS = 20_000;
export const PARKING_LOOK_MS = 50;

/** An execution as stored; `undefined` when n8n has it no more. */
export async function readExecution(
	context: IExecuteFunctions,
	id: string,
): Promise<IRunExecutionData | undefined> {
	return await context.getExecutionDataById(id);
}

/**
 * Where an execution stands that waits for a durable run:
 * - `here`: parked at the node, or gone on a moment ago
 * - `elsewhere`: it waits for something else by now
 * - `gone`: it has ended, was stopped or deleted, or has never parked
 */
export type Whereabouts = 'here' | 'elsewhere' | 'gone';

export function whereabouts(data: IRunExecutionData | undefined, waiter: Waiter): Whereabouts {
	if (!data?.waitTill || data.resultData.error) return 'gone';
	const [entry] = data.executionData?.nodeExecutionStack ?? [];
	const stub = stubIn(memoryOf(data, waiter.node), waiter);
	return entry?.node.name === waiter.node && stub ? 'here' : 'elsewhere';
}

/** Whether a person has stopped it. */
export function isStopped(data: IRunExecutionData): boolean {
	const { error } = data.resultData;
	return error !== undefined && 'reason' in error && error.reason === 'manual';
}

/** What is remembered of a look at an execution. */
export interface Sight {
	/** Differs whenever it has done something. */
	print: string;
	/** In so many looks in a row. */
	times: number;
}

/** An execution that is due may take so long until it has done something, ms. */
const SLACK_MS = 60_000;

/**
 * One more look at an execution that parks now and then.
 *
 * @param now ms since 1970
 * @param before what was remembered of the look before
 * @returns `undefined` when it is alive for certain
 */
export function lookAt(
	data: IRunExecutionData | undefined,
	now: number,
	before?: Sight,
): Sight | undefined {
	const parkedTill = data?.waitTill ? new Date(data.waitTill).getTime() : 0;
	if (parkedTill > now - SLACK_MS) return undefined;
	const runs = Object.values(data?.resultData.runData ?? {}).map(({ length }) => length);
	const print = `${runs.join('+')}/${parkedTill}`;
	return { print, times: before?.print === print ? before.times + 1 : 1 };
}

/** Looks at one that has done nothing, until it is taken for dead. */
const DEAD_AFTER = 2;

/** @param factor times as many looks as usual */
export function isDead(sight: Sight | undefined, factor = 1): boolean {
	return sight !== undefined && sight.times >= DEAD_AFTER * factor;
}
