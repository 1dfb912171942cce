import type { IDataObject, IRunExecutionData } from 'n8n-workflow';

import type { Clock } from '../clock/clock';

/** The run of a node that waits for a durable run's results. */
export interface Caller {
	executionId: string;
	workflowId: string;
	node: string;
	runIndex: number;
	/** Names this durable run only: the node may run again in the same execution. */
	runId: string;
}

/** What a node remembers of its latest durable run. */
export interface RunHandle extends Parked {
	runId: string;
	/** Execution IDs of the run's first worker and first supervisor. */
	worker: string;
	supervisor: string;
	/** The supervisor's standby, which leads on if n8n has dropped what the other two knew (`isDropped`). */
	standby?: string;
	/** What the worker was started with (`WorkState`), as n8n may drop what it has stored of the worker. */
	work: IDataObject;
}

/**
 * Key under which a node keeps its run handle. Only that of the latest run: in a loop, helpers of an earlier one must
 * see that the execution no longer waits for them.
 */
export const RUN_HANDLE = 'mediaGenDurable';

/** What a node remembers in another execution (`getContext('node')` there). */
export function memoryOf(data: IRunExecutionData | undefined, node: string): IDataObject {
	return data?.executionData?.contextData[`node:${node}`] ?? {};
}

/** The handle of a durable run; `undefined` if the node's latest run is another. */
export function handleIn(memory: IDataObject, { runId }: Caller): RunHandle | undefined {
	const handle = memory[RUN_HANDLE] as RunHandle | undefined;
	return handle?.runId === runId ? handle : undefined;
}

/** How long a busy n8n may take to store what an execution does now, and how often to check, in ms. */
const STORED_MS = 60_000;
const STORED_CHECK_MS = 50;

/**
 * Waits until n8n has stored what an execution does now, such as that it parks.
 *
 * @param isStored reads whether n8n has
 * @returns whether it did so in time
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

/** Until when an execution is parked, ms since 1970; 0 if it is not. */
export function parkedTill(data: IRunExecutionData | undefined): number {
	return data?.waitTill ? new Date(data.waitTill).getTime() : 0;
}

/**
 * What has become of an execution that waits for a durable run:
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

/** Whether a person has stopped the execution. */
export function isStopped(data: IRunExecutionData): boolean {
	const { error } = data.resultData;
	return error !== undefined && 'reason' in error && error.reason === 'manual';
}

/**
 * Whether n8n has dropped what it had stored of an execution. In queue mode, it does so when the process that ran the
 * execution has been dead, or stood still, for a minute or two.
 */
export function isDropped({ resultData, executionData }: IRunExecutionData): boolean {
	const isEmpty = Object.keys(executionData?.contextData ?? {}).length === 0;
	return resultData.error !== undefined && isEmpty;
}

/** What checks have shown of an execution that may be dead. */
export interface Silence {
	/** Changes whenever the execution does something. */
	fingerprint: string;
	/** How many checks in a row have found this fingerprint. */
	times: number;
}

/** How long an execution that is due may take to do something, in ms. */
export const SLACK_MS = 60_000;

/**
 * One more check of an execution that parks now and then.
 *
 * @param now ms since 1970
 * @param before result of the previous check
 * @returns `undefined` if it is certainly alive
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

/** Counts a check; starts again at 1 if the execution has done something since the previous one. */
export function silentAgain(fingerprint: string, before?: Silence): Silence {
	return { fingerprint, times: before?.fingerprint === fingerprint ? before.times + 1 : 1 };
}

/** After how many silent checks in a row an execution is taken for dead. */
const STALE_AFTER = 2;

/** @param factor how many times the usual number of checks it takes */
export function isStale(silence: Silence | undefined, factor = 1): boolean {
	return silence !== undefined && silence.times >= STALE_AFTER * factor;
}

/**
 * The version of what durable runs park in n8n's database: the states of worker and supervisor, the
 * run handle, the input of `resume`. Once a version is published, raise this whenever the shape or the
 * meaning of one of them changes. A run that another version has parked is refused, and its paid
 * jobs are named (`role.ts`).
 *
 * What a refusal reads must stay the same in all published versions: `version`, `caller`, the run handle with
 * the caller in its `work`, a supervisor's `worker`, the `error` in the input of `resume`, and the `job.id` of
 * each entry in the ledger.
 */
export const PARKED_VERSION = 1;

/** Parked data names the version that has parked it. */
export interface Parked {
	version: number;
}

/** Whether this version has parked it. */
export function isOwnVersion(parked: unknown): boolean {
	return (parked as Partial<Parked> | undefined)?.version === PARKED_VERSION;
}
