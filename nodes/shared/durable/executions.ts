import type { IDataObject, IRunExecutionData } from 'n8n-workflow';

import type { Clock } from '../clock/clock';

/** The run of a node that waits for a durable run's results. */
export interface Caller {
	executionId: string;
	workflowId: string;
	node: string;
	runIndex: number;
	/** Of this durable run alone: the node may run again in the same execution. */
	runId: string;
}

/** What a node remembers of its latest durable run. */
export interface RunHandle extends Parked {
	runId: string;
	/** Execution that works on it, and the one that supervises that. */
	worker: string;
	supervisor: string;
	/** The standby of that: it leads on where n8n has dropped what the two knew (`isDropped`). */
	standby?: string;
	/** What the worker was started with (`WorkState`): n8n may drop what it has stored of it. */
	work: IDataObject;
}

/**
 * Where a node keeps its handle. Of the latest run alone: in a loop, those who have worked for an
 * earlier one must see that the execution does not wait for them any more.
 */
export const RUN_HANDLE = 'mediaGenDurable';

/** What a node remembers in another execution (`getContext('node')` there). */
export function memoryOf(data: IRunExecutionData | undefined, node: string): IDataObject {
	return data?.executionData?.contextData[`node:${node}`] ?? {};
}

/** The handle of a durable run; `undefined` where the node's latest run is another. */
export function handleIn(memory: IDataObject, { runId }: Caller): RunHandle | undefined {
	const handle = memory[RUN_HANDLE] as RunHandle | undefined;
	return handle?.runId === runId ? handle : undefined;
}

/** How long it may take until n8n has stored what an execution does now, on a busy machine, and how often to check, ms. */
const STORED_MS = 60_000;
const STORED_CHECK_MS = 50;

/**
 * Waits until n8n has stored what an execution does now, such as that it parks.
 *
 * @param isStored reads it
 * @returns whether it has, in time
 */
export async function isStoredSoon(
	clock: Clock,
	isStored: () => Promise<boolean>,
): Promise<boolean> {
	const deadline = clock.elapsed() + STORED_MS;
	while (!(await isStored())) {
		if (clock.elapsed() >= deadline) return false;
		await clock.sleep(STORED_CHECK_MS);
	}
	return true;
}

/** Until when it is parked, ms since 1970; 0 where it is not. */
export function parkedTill(data: IRunExecutionData | undefined): number {
	return data?.waitTill ? new Date(data.waitTill).getTime() : 0;
}

/**
 * Where an execution stands that waits for a durable run:
 * - `here`: parked at the node, or gone on a moment ago
 * - `elsewhere`: it waits for something else by now
 * - `gone`: it has ended, was stopped or deleted, or has never parked
 */
type CallerState = 'here' | 'elsewhere' | 'gone';

export function callerState(data: IRunExecutionData | undefined, caller: Caller): CallerState {
	if (!data?.waitTill || data.resultData.error) return 'gone';
	const [entry] = data.executionData?.nodeExecutionStack ?? [];
	const handle = handleIn(memoryOf(data, caller.node), caller);
	return entry?.node.name === caller.node && handle ? 'here' : 'elsewhere';
}

/** Whether a person has stopped it. */
export function isStopped(data: IRunExecutionData): boolean {
	const { error } = data.resultData;
	return error !== undefined && 'reason' in error && error.reason === 'manual';
}

/**
 * Whether n8n has dropped what it had stored of an execution: in queue mode, a minute or two after the process that ran
 * it has died, or stood still for so long.
 */
export function isDropped({ resultData, executionData }: IRunExecutionData): boolean {
	const isEmpty = Object.keys(executionData?.contextData ?? {}).length === 0;
	return resultData.error !== undefined && isEmpty;
}

/** That an execution has done nothing, as far as the checks of it tell. */
export interface Silence {
	/** Differs whenever it has done something. */
	fingerprint: string;
	/** In so many checks in a row. */
	times: number;
}

/** An execution that is due may take so long until it has done something, ms. */
export const SLACK_MS = 60_000;

/**
 * One more check of an execution that parks now and then.
 *
 * @param now ms since 1970
 * @param before what was remembered of the check before
 * @returns `undefined` when it is alive for certain
 */
export function checkSilence(
	data: IRunExecutionData | undefined,
	now: number,
	before?: Silence,
): Silence | undefined {
	const till = parkedTill(data);
	if (till > now - SLACK_MS) return undefined;
	const runs = Object.values(data?.resultData.runData ?? {}).map(({ length }) => length);
	return silentAgain(`${runs.join('+')}/${till}`, before);
}

/** One more check that has found nothing done. */
export function silentAgain(fingerprint: string, before?: Silence): Silence {
	return { fingerprint, times: before?.fingerprint === fingerprint ? before.times + 1 : 1 };
}

/** Checks in a row in which it has done nothing, until it is taken for dead. */
const STALE_AFTER = 2;

/** @param factor times as many checks as usual */
export function isStale(silence: Silence | undefined, factor = 1): boolean {
	return silence !== undefined && silence.times >= STALE_AFTER * factor;
}

/**
 * The version of what durable runs park in n8n's database: the states of worker and supervisor, the
 * run handle, the input of `resume`. To be raised whenever the shape or the meaning of one of them
 * changes, once a version is published. A run that another version has parked is refused, and its paid
 * jobs are named (`role.ts`).
 *
 * What a refusal reads stays as it is in all published versions: `version`, `caller`, the run handle, also
 * the caller in its `work`, `worker` of a supervisor, `error` of the input of `resume`, and in the ledger
 * the `job.id` of each entry.
 */
export const PARKED_VERSION = 1;

/** What is parked says which version has parked it. */
export interface Parked {
	version: number;
}

/** Whether this version has parked it. */
export function isOwnVersion(parked: unknown): boolean {
	return (parked as Partial<Parked> | undefined)?.version === PARKED_VERSION;
}
