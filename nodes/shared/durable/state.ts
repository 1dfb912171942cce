import type { IDataObject, IExecuteFunctions, IRunExecutionData } from 'n8n-workflow';

import { entriesIn, LEDGER, ledgerOf, type Entry } from '../jobs/ledger';
import { memoryOf, type Sight, type Waiter } from './executions';
import type { PackedPlan, PackedResult } from './packing';
import { PARKED_VERSION, type Parked } from './version';

/** All that is known of a durable run besides its ledger; kept by the execution that works on it. */
export interface WorkState extends Parked {
	waiter: Waiter;
	/** Execution that watches over this one. */
	guard: string;
	/** Whether items are begun after one has failed (*Continue*). */
	continueOnFail: boolean;
	/** A person runs an earlier execution again (*Retry execution*). */
	isRetry: boolean;
	/** What the person has typed into the node (`JobRun.parameters`). */
	parameters: string;
	/** Media types of which the history has been seen to list jobs that had not ended. */
	unfinishedShown: string[];
	/** By item, as the next. */
	plans: PackedPlan[];
	/** Of items that have come to their end. */
	results: Record<number, PackedResult>;
	/**
	 * Jobs that are about to be created. Stored before, so that after a crash it is known which
	 * creations are in doubt.
	 */
	intents: { at: number; items: number[] };
	/** It is in the place of an execution that is dead: the intents are in doubt. */
	isHeir: boolean;
	/** When something was last new, ms since 1970. */
	newsAt: number;
	/** Until when no job is created, since the service allows no more, ms since 1970. */
	blockedTill: number;
	/** When the others were last looked at, ms since 1970. */
	lookedAt?: number;
	/** The last look at the guard. */
	sight?: Sight;
	/** Errors in a row that are not about an item. */
	troubles: number;
	/** Execution that hands over the results. */
	delivery?: string;
}

/** What the execution remembers that watches over a durable run. */
export interface WatchState extends Parked {
	waiter: Waiter;
	/** Execution that works on the run; the one that the waiting node names when absent. */
	worker?: string;
	/** The last look at it. */
	sight?: Sight;
	/** When it was to be woken up, ms since 1970. */
	dueAt?: number;
	/** Times that results which had been handed over were handed over again. */
	deliveries: number;
	/** It steps in only where the guard and the worker are both dead. */
	isReserve?: true;
	/** The reserve of a guard, and the last look at it. */
	reserve?: string;
	reserveSight?: Sight;
}

/** What an execution is started with, and what it remembers. */
export const WORK = 'mediaGenWork';
export const WATCH = 'mediaGenWatch';

export interface Work {
	state: WorkState;
	entries: Record<string, Entry>;
}

/** The item that an execution in the role `work` or `output` is started with. */
export function workItem({ state, entries }: Work): IDataObject {
	return { [WORK]: state as object as IDataObject, ...ledgerOf(entries) };
}

/**
 * Takes in what the execution was started with, as what the node remembers under a name.
 *
 * @returns whether it has been taken in now, not before
 */
export function takeIn(context: IExecuteFunctions, name: string): boolean {
	const memory = context.getContext('node');
	if (memory[name] !== undefined) return false;
	// A copy: what n8n stores as the input of a node must not change with it.
	const given = structuredCopy(context.getInputData()[0]?.json ?? {});
	memory[name] = given[name];
	if (given[LEDGER]) memory[LEDGER] = given[LEDGER];
	return true;
}

/** What the execution has been started with, or what it remembers of that by now. */
export function parkedIn(context: IExecuteFunctions): IDataObject {
	return { ...context.getInputData()[0]?.json, ...context.getContext('node') };
}

/** What the node remembers under a name. */
export function recall<T>(context: IExecuteFunctions, name: string): T {
	return context.getContext('node')[name] as T;
}

/** What a new guard of a run is started with. */
export const newWatch = (waiter: Waiter): WatchState => ({
	version: PARKED_VERSION,
	waiter: { ...waiter },
	deliveries: 0,
});

/** What another execution that watches remembers, as stored. */
export function watchIn(data: IRunExecutionData | undefined, node: string): Partial<WatchState> {
	return (memoryOf(data, node)[WATCH] ?? {}) as Partial<WatchState>;
}

/** The work of another execution, as stored; `undefined` where it has none. */
export function workIn(data: IRunExecutionData | undefined, node: string): Work | undefined {
	const from = keptIn(data, node);
	if (from[WORK] === undefined) return undefined;
	return { state: from[WORK] as object as WorkState, entries: entriesIn(from) };
}

/** What another execution remembers of what it was started with, or has been started with. */
export function keptIn(data: IRunExecutionData | undefined, node: string): IDataObject {
	// One that never came to the end of its first node has nothing but that.
	const started = data?.executionData?.nodeExecutionStack[0]?.data.main?.[0]?.[0]?.json;
	return { ...started, ...memoryOf(data, node) };
}

export function structuredCopy<T>(value: T): T {
	return JSON.parse(JSON.stringify(value)) as T;
}
