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
	/** The supervisor is silent, and replaces nobody any more: another is about to be started. */
	isSupervisorDismissed?: true;
	/** Whether items are begun after one has failed (*Continue*). */
	continueOnFail: boolean;
	/** How a failed item leaves the node then. */
	failedAs: FailedAs;
	/** A person runs an earlier execution again (*Retry execution*). */
	isRetry: boolean;
	/** What the person has typed into the node (`JobRun.parameters`). */
	parameters: string;
	/** Media types of which the history has been seen to list jobs that had not ended. */
	unfinishedShown: string[];
	plans: StoredPlans;
	/** By item, of those that have come to their end. */
	results: Record<number, SerializedResult>;
	/**
	 * Jobs that are about to be created. Stored before, so that after a crash it is known which
	 * creations have an unknown outcome. With the time, and how the clock was set (`settingOf`).
	 */
	intents: { at: number; items: number[]; clockSetting?: number };
	/** It replaces an execution that is dead: the outcome of its intents is unknown. */
	isReplacement: boolean;
	/** When something was last new, ms since 1970. */
	lastProgressAt: number;
	/** By item: times that the run has parked after its time was up, and no look at it was answered. */
	silentParks?: Record<number, number>;
	/** When caller and supervisor were last checked, ms since 1970. */
	checkedAt?: number;
	/** Until when it was parked last, ms since 1970: it was not silent before. */
	parkedUntil?: number;
	/** It stood still, or n8n was down, and it has not asked since: it may have been taken for dead. */
	wasSilent?: true;
	/** The last check of the supervisor. */
	silence?: Silence;
	/** The last line in n8n's log about how far it is, and when, ms since 1970. */
	told?: { text: string; at: number };
	/** Errors in a row that are not about an item. */
	consecutiveErrors: number;
	/** Execution that hands over the results. */
	resuming?: string;
}

/**
 * What lies ahead was noted before the clock was set back: from now on it is of this moment, or nothing would
 * happen until the clock shows the old times again.
 *
 * @param now ms since 1970
 */
export function keepTimesPast(state: WorkState, entries: Record<string, Order>, now: number): void {
	const past = (time: number) => Math.min(time, now);
	state.lastProgressAt = past(state.lastProgressAt);
	if (state.checkedAt !== undefined) state.checkedAt = past(state.checkedAt);
	if (state.parkedUntil !== undefined) state.parkedUntil = past(state.parkedUntil);
	if (state.told) state.told.at = past(state.told.at);
	for (const job of Object.values(entries).map(jobOf)) {
		// A time that was put right by us says nothing of the clock (`provesAbsence`).
		if (job && job.startedAt > now) Object.assign(job, { startedAt: now, clockSetting: undefined });
	}
}

/** What the execution remembers that supervises a durable run. */
export interface SupervisorState extends Parked {
	caller: Caller;
	/** Execution that works on the run; the one that the waiting node names when absent. */
	worker?: string;
	/** Its work, as it was stored at a check: n8n may drop that (`isDropped`). */
	copy?: Copy;
	/** The last check of it. */
	silence?: Silence;
	/** When it was to be woken up, ms since 1970. */
	dueAt?: number;
	/** It has taken the worker for dead, and is to start another in its place at the next check. */
	isWorkerDismissed?: true;
	/** Another may have started a worker, too: what it creates is not known (`workOfCopy`). */
	isInTheDark?: true;
	/** It came late to a check, and has not seen since that its standby has not taken over. */
	wasSilent?: true;
	/** It has started a worker in the place of another. */
	hasReplaced?: true;
	/** Times that results which had been handed over were handed over again. */
	deliveries: number;
	/** It takes over only where the supervisor and the worker are both dead. */
	isStandby?: true;
	/** Of a standby: which supervisor has started it. */
	supervisor?: string;
	/** The standby of a supervisor, and the last check of it. */
	standby?: string;
	standbySilence?: Silence;
}

/** What an execution is started with, and what it remembers. */
export const WORK = 'mediaGenWork';
export const SUPERVISOR = 'mediaGenSupervisor';

export interface Work {
	state: WorkState;
	entries: Record<string, Order>;
}

/** Of the work of a worker. */
export interface Copy {
	worker: string;
	work: Work;
}

/** What the first worker of a run was started with, as the caller remembers it: the least that is known of any. */
export function firstCopyOf(memory: IDataObject): Copy {
	const { worker, work } = memory[RUN_HANDLE] as object as RunHandle;
	return { worker, work: { state: work as object as WorkState, entries: entriesIn(memory) } };
}

/** Of the copies that two have: of another worker, what the second has, else that which knows most. */
export const latestOf = (own: Copy | undefined, other: Copy): Copy =>
	own?.worker === other.worker && knownIn(own.work) >= knownIn(other.work) ? own : other;

/** How much is known: a worker forgets nothing, whatever the clock shows. */
const knownIn = ({ state: { results }, entries }: Work) =>
	Object.keys(results).length + Object.keys(entries).length;

/** The item that an execution in the role `work` or `output` is started with. */
export function workItem({ state, entries }: Work): IDataObject {
	return { [WORK]: state as object as IDataObject, ...ledgerOf(entries) };
}

/**
 * What the node remembers under a name: first, what the execution was started with.
 *
 * @returns `isNew` where it has been taken in now, not before
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

/** What the execution has been started with, or what it remembers of that by now. */
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

/** The work of another execution, as stored; `undefined` where it has none. */
export function workIn(data: IRunExecutionData | undefined, node: string): Work | undefined {
	const from = keptIn(data, node);
	if (from[WORK] === undefined) return undefined;
	return { state: from[WORK] as object as WorkState, entries: entriesIn(from) };
}

/**
 * The work that a copy is of, as whoever goes on with it has to take it: what was sent since is not known, so all that
 * has no job may have been ordered. Nor is it known when: without `clockSetting`, no history proves that it was not.
 */
export function workOfCopy({ state, entries }: Work): Work {
	const { intents, plans, lastProgressAt } = state;
	const items = plans.items.map((_, itemIndex) => itemIndex);
	const at = intents.at || lastProgressAt;
	return { state: { ...state, intents: { at, items } }, entries };
}

/** The work as the execution that takes a worker's place is started with it. */
export function replacementOf({ state, entries }: Work, supervisor: string): Work {
	const replacement = {
		...state,
		supervisor,
		// It asks before it does anything, whatever its clock shows.
		checkedAt: 0,
		isSupervisorDismissed: undefined,
		isReplacement: true,
		resuming: undefined,
		silence: undefined,
		consecutiveErrors: 0,
	};
	return { state: replacement, entries };
}

/** What another execution remembers of what it was started with, or has been started with. */
export function keptIn(data: IRunExecutionData | undefined, node: string): IDataObject {
	// One that never came to the end of its first node has nothing but that.
	const started = data?.executionData?.nodeExecutionStack[0]?.data.main?.[0]?.[0]?.json;
	return { ...started, ...memoryOf(data, node) };
}

/** The jobs that are paid for, of a ledger as stored. */
export function paidIdsIn(entries: Record<string, Order>): string[] {
	return Object.values(entries).flatMap((order) => jobOf(order)?.id ?? []);
}

/** Why it is not known what became of an order that was about to be sent when n8n was killed. */
const UNDER_WAY =
	// @error(starting) n8n ended while this job was being created; it may exist, and may have been paid for
	// The generation history does not say for certain whether the job exists.
	// @charged Perhaps.
	'n8n ended while this job was being created; it may exist, and may have been paid for';

/** Such an order. */
export const KILLED_WHILE_SENT: InDoubt = { state: 'inDoubt', unknownOutcome: UNDER_WAY };

/**
 * The error of an order whose outcome is unknown.
 *
 * @param reason what keeps it from being found out
 */
export function unknownOutcomeOf(
	operation: CreateOperation,
	{ unknownOutcome, candidates }: InDoubt,
	reason?: string,
): ServiceError {
	const description = [reason && `${reason}.`, doubtText(operation, candidates)];
	return new ServiceError({
		message: unknownOutcome,
		description: description.filter(Boolean).join(' '),
		outcome: 'unknown',
	});
}

/**
 * The plans of a durable run on their way through n8n's database. What they have in common, such as the
 * table of the operation, is there once, however many items there are.
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
	/** Which of those that are shared. */
	shared: number;
	/** Of the request; the values where absent, as most requests send just these. */
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
	// A copy, as n8n stores it: nobody else changes it.
	return {
		shared: texts.map((text) => JSON.parse(text) as Shared),
		items: jsonCopy(items),
	};
}

/** The parameters have been read; whatever else is asked for has its fallback. */
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

/** With so much more time for each job, ms. */
export function withMoreTime({ shared, items }: StoredPlans, ms: number): StoredPlans {
	const later = (one: Shared): Shared => ({
		...one,
		options: { ...one.options, timeout: one.options.timeout + Math.max(0, ms) / 1000 },
	});
	return { shared: shared.map(later), items };
}

/** What becomes of items on their way through n8n's database. */
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
