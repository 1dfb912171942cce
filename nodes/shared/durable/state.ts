import { type IDataObject, type IExecuteFunctions, type IRunExecutionData } from 'n8n-workflow';

import type { Settled } from '../jobs/batch';
import { type Failing, JobError, type JobSnapshot } from '../jobs/job';
import type { JobResult } from '../jobs/jobContext';
import { entriesIn, LEDGER, ledgerOf } from '../jobs/ledger';
import { type InDoubt, jobOf, type Order } from '../jobs/order';
import type { FailedAs } from '../run/outputs';
import type { ItemPlan } from '../run/run';
import { jsonCopy } from '../service/bodies';
import { doubtText } from '../service/errorTexts';
import type { Retry } from '../service/retryAdvice';
import { type Outcome as RequestOutcome, ServiceError } from '../service/serviceError';
import type { CreateOperation } from '../spec/types';
import {
	type Caller,
	memoryOf,
	type Parked,
	RUN_HANDLE,
	type RunHandle,
	type Silence,
} from './executions';

/** All that is known of a durable run besides its ledger; kept by the execution that works on it. */
export interface WorkState extends Parked {
	caller: Caller;
	/** Execution that supervises this one. */
	supervisor: string;
	/** The supervisor is silent, and may no longer replace anybody: another is about to be started. */
	isSupervisorDismissed?: true;
	/** Whether items are begun after one has failed (*Continue*). */
	continueOnFail: boolean;
	/** How a failed item leaves the node then. */
	failedAs: FailedAs;
	/** A person runs an earlier execution again (*Retry execution*). */
	isRetry: boolean;
	/** What the person has typed into the node (`JobRun.parameters`). */
	parameters: string;
	plans: StoredPlans;
	/** By item, of those that are done. */
	results: Record<number, SerializedResult>;
	/**
	 * Items whose jobs are about to be created, with the time, ms since 1970.
	 * Stored before the jobs are created, so that after a crash we know which creations have an unknown outcome.
	 */
	intents: { at: number; items: number[] };
	/** It replaces a dead worker, or may have been replaced itself: the outcome of the intents is unknown. */
	isReplacement: boolean;
	/** When something was last new, ms since 1970. */
	lastProgressAt: number;
	/** By item: how often the run has parked since the time of its job was up, with no look at it answered. */
	silentParks?: Record<number, number>;
	/** When caller and supervisor were last checked, ms since 1970. */
	checkedAt?: number;
	/** When its last park was to end, ms since 1970; until then it does not count as silent. */
	parkedUntil?: number;
	/** It stood still, or n8n was down, and it has not asked since whether it was taken for dead. */
	wasSilent?: true;
	/** The last check of the supervisor. */
	silence?: Silence;
	/** Errors in a row that are not about an item. */
	consecutiveErrors: number;
	/** Execution that hands over the results. */
	resuming?: string;
}

/**
 * Times in the future were noted before the clock was set back. They are changed to now, or nothing would happen
 * until the clock reaches them again.
 *
 * @param now ms since 1970
 */
export function keepTimesPast(state: WorkState, entries: Record<string, Order>, now: number): void {
	const past = (time: number) => Math.min(time, now);
	state.lastProgressAt = past(state.lastProgressAt);
	if (state.checkedAt !== undefined) state.checkedAt = past(state.checkedAt);
	if (state.parkedUntil !== undefined) state.parkedUntil = past(state.parkedUntil);
	for (const job of Object.values(entries).map(jobOf)) {
		if (job) job.startedAt = past(job.startedAt);
	}
}

/** What a supervisor or standby of a durable run remembers. */
export interface SupervisorState extends Parked {
	caller: Caller;
	/** Execution that works on the run; if absent, the one that the run handle names. */
	worker?: string;
	/** The worker's work as stored at a check, since n8n may drop the original (`isDropped`). */
	copy?: Copy;
	/** The last check of the worker. */
	silence?: Silence;
	/** When it was to be woken up, ms since 1970. */
	dueAt?: number;
	/** It takes the worker for dead, and starts another in its place at the next check. */
	isWorkerDismissed?: true;
	/** Another supervisor may have started a worker, too, and nobody knows what that creates (`workOfCopy`). */
	isInTheDark?: true;
	/** It was late for a check, and has not made sure since that its standby has not taken over. */
	wasSilent?: true;
	/** It has started a worker in place of another. */
	hasReplaced?: true;
	/** How many times results have been handed over again. */
	deliveries: number;
	/** It takes over only if supervisor and worker are both dead. */
	isStandby?: true;
	/** Of a standby: the supervisor that started it. */
	supervisor?: string;
	/** The standby of a supervisor, and the last check of it. */
	standby?: string;
	standbySilence?: Silence;
}

/** Keys of what an execution is started with, and then remembers. */
export const WORK = 'mediaGenWork';
export const SUPERVISOR = 'mediaGenSupervisor';

export interface Work {
	state: WorkState;
	entries: Record<string, Order>;
}

/** A copy of a worker's work. */
export interface Copy {
	worker: string;
	work: Work;
}

/** What a run's first worker was started with, as the caller remembers it: this much is always known. */
export function firstCopyOf(memory: IDataObject): Copy {
	const { worker, work } = memory[RUN_HANDLE] as object as RunHandle;
	return { worker, work: { state: work as object as WorkState, entries: entriesIn(memory) } };
}

/** Of two copies, `other` if it is of another worker, or else the one that knows more. */
export const latestOf = (own: Copy | undefined, other: Copy): Copy =>
	own?.worker === other.worker && knownIn(own.work) >= knownIn(other.work) ? own : other;

/** How much a copy knows. A worker forgets nothing, so more is later, whatever the clock shows. */
const knownIn = ({ state: { results }, entries }: Work) =>
	Object.keys(results).length + Object.keys(entries).length;

/** The item that an execution in the role `work` or `output` is started with. */
export function workItem({ state, entries }: Work): IDataObject {
	return { [WORK]: state as object as IDataObject, ...ledgerOf(entries) };
}

/**
 * What the node remembers under a name: at first, what the execution was started with.
 *
 * @returns `isNew` if it was taken from the input just now
 */
export function loadState<T>(
	context: IExecuteFunctions,
	name: string,
): { state: T; isNew: boolean } {
	const memory = context.getContext('node');
	const isNew = memory[name] === undefined;
	if (isNew) {
		// A copy: what n8n stores as the input of a node must not change with it.
		const given = jsonCopy(context.getInputData()[0]?.json ?? {});
		memory[name] = given[name];
		if (given[LEDGER]) memory[LEDGER] = given[LEDGER];
	}
	return { state: memory[name] as T, isNew };
}

/** What the execution was started with, merged with what it remembers by now, which wins. */
export function parkedIn(context: IExecuteFunctions): IDataObject {
	return { ...context.getInputData()[0]?.json, ...context.getContext('node') };
}

/** What another supervisor remembers, as stored. */
export function supervisorStateIn(
	data: IRunExecutionData | undefined,
	node: string,
): Partial<SupervisorState> {
	return (memoryOf(data, node)[SUPERVISOR] ?? {}) as Partial<SupervisorState>;
}

/** The work of another execution, as stored; `undefined` if it has none. */
export function workIn(data: IRunExecutionData | undefined, node: string): Work | undefined {
	const from = keptIn(data, node);
	if (from[WORK] === undefined) return undefined;
	return { state: from[WORK] as object as WorkState, entries: entriesIn(from) };
}

/**
 * A copy's work, made safe to go on with. Nobody knows what was sent after the copy was made, so every item without a
 * job may have been ordered.
 */
export function workOfCopy({ state, entries }: Work): Work {
	const { intents, plans, lastProgressAt } = state;
	const items = plans.items.map((_, itemIndex) => itemIndex);
	const at = intents.at || lastProgressAt;
	return { state: { ...state, intents: { at, items } }, entries };
}

/** The work that a worker's replacement is started with. */
export function replacementOf({ state, entries }: Work, supervisor: string): Work {
	const replacement = {
		...state,
		supervisor,
		// So it asks who owns the run before it does anything, whatever its clock shows.
		checkedAt: 0,
		isSupervisorDismissed: undefined,
		isReplacement: true,
		resuming: undefined,
		silence: undefined,
		consecutiveErrors: 0,
	};
	return { state: replacement, entries };
}

/** What another execution was started with, merged with what it remembers, which wins. */
export function keptIn(data: IRunExecutionData | undefined, node: string): IDataObject {
	// An execution that never finished its first node has only its input.
	const started = data?.executionData?.nodeExecutionStack[0]?.data.main?.[0]?.[0]?.json;
	return { ...started, ...memoryOf(data, node) };
}

/** IDs of the paid jobs in a ledger as stored. */
export function paidIdsIn(entries: Record<string, Order>): string[] {
	return Object.values(entries).flatMap((order) => jobOf(order)?.id ?? []);
}

/** Why nobody knows what became of an order that was about to be sent when n8n was killed. */
const UNDER_WAY =
	'n8n ended while this job was being created; it may exist, and may have been paid for';

/** An order that was about to be sent when n8n was killed. */
export const KILLED_WHILE_SENT: InDoubt = { state: 'inDoubt', unknownOutcome: UNDER_WAY };

/**
 * The error of an order whose outcome is unknown.
 *
 * @param reason what keeps us from finding out
 */
export function unknownOutcomeOf(
	operation: CreateOperation,
	{ unknownOutcome, candidates }: InDoubt,
	reason?: string,
): ServiceError {
	const description = [reason && `${reason}.`, doubtText(operation, candidates ?? [])];
	return new ServiceError({
		message: unknownOutcome,
		description: description.filter(Boolean).join(' '),
		outcome: 'unknown',
	});
}

/**
 * The plans of a durable run, as n8n's database has them. What items have in common, such as the table of the
 * operation, is stored once.
 */
interface StoredPlans {
	shared: Shared[];
	/** By item. */
	items: Array<Serialized<Own>>;
}

type Shared = Pick<ItemPlan, 'operation' | 'options'> & {
	request: Omit<ItemPlan['request'], 'body' | 'links'>;
};

/** What an item has of its own. */
interface Own extends Pick<ItemPlan, 'values'> {
	/** Index in `StoredPlans.shared`. */
	shared: number;
	/** Body of the request, `null` if it has none; absent if it equals the values, as most do. */
	body?: ItemPlan['request']['body'] | null;
	/** Of the request. */
	links?: ItemPlan['request']['links'];
}

export function storePlans(plans: ReadonlyArray<Settled<ItemPlan>>): StoredPlans {
	const shared = new Map<string, number>();
	const items = plans.map((plan): Serialized<Own> => {
		if (!('value' in plan)) return serializeResult(plan);
		const { operation, options, values, request } = plan.value;
		const { body = null, links, ...rest } = request;
		const text = JSON.stringify({ operation, options, request: rest });
		const index = shared.get(text) ?? shared.size;
		shared.set(text, index);
		const isValues = JSON.stringify(body) === JSON.stringify(values);
		return { value: { shared: index, values, body: isValues ? undefined : body, links } };
	});
	const texts = [...shared.keys()];
	// A copy, as n8n would store it, that nobody else can change.
	return {
		shared: texts.map((text) => JSON.parse(text) as Shared),
		items: jsonCopy(items),
	};
}

/** Restores stored plans. Their parameters were read before, so `read` only gives fallbacks. */
export function plansIn({ shared, items }: StoredPlans): Array<Settled<ItemPlan>> {
	return items.map((item, itemIndex) => {
		if (!('value' in item)) return deserializeResult(item);
		const { values, body = values, links } = item.value;
		const { operation, options, request } = shared[item.value.shared] as Shared;
		return {
			value: {
				itemIndex,
				operation,
				values,
				request: { ...request, ...(body && { body }), ...(links && { links }) },
				options,
				read: (_, fallback) => fallback,
			},
		};
	});
}

/** The form that an item's plan or result has in n8n's database. */
type Serialized<T> = { value: T } | { error: SerializedError } | { skipped: true };

export type SerializedResult = Serialized<JobResult>;

interface SerializedError {
	message: string;
	description?: string;
	/** Of a JobError. */
	job?: { kind: Failing; snapshot: JobSnapshot };
	/** Of a ServiceError. */
	outcome?: RequestOutcome;
	status?: number;
	answer?: string;
	/** Of an error that knows what to do about it. */
	retry?: Retry;
}

export function serializeResult<T>(result: Settled<T>): Serialized<T> {
	return 'error' in result ? { error: serializeError(result.error) } : result;
}

export function deserializeResult<T>(result: Serialized<T>): Settled<T> {
	return 'error' in result ? { error: deserializeError(result.error) } : result;
}

function serializeError(error: unknown): SerializedError {
	const { message, description, retry } = error as Omit<SerializedError, 'job'>;
	const facts = { message, description, retry };
	if (error instanceof JobError)
		return { ...facts, job: { kind: error.kind, snapshot: error.job } };
	if (!(error instanceof ServiceError)) return facts;
	const { outcome, status, answer } = error;
	return { ...facts, outcome, status, answer };
}

function deserializeError({
	message,
	description = '',
	job,
	outcome,
	status,
	answer,
	retry,
}: SerializedError): Error {
	if (job) return new JobError(job.kind, message, description, job.snapshot);
	if (outcome) return new ServiceError({ message, description, outcome, status, answer });
	return Object.assign(new Error(message), { description, ...(retry && { retry }) });
}
