import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	IRunExecutionData,
} from 'n8n-workflow';

import { accountOf, type JobContext, type JobSpec, type Settled } from '../orders/jobContext';
import { fingerprint, type Order, type Started } from '../orders/order';
import { Orders, type RunOfNode } from '../orders/orders';
import { readHistory } from '../orders/history';
import type { JobSnapshot } from '../orders/job';
import { promptOf } from '../spec/field';
import { textIn } from '../orders/readRecord';
import { DOWNLOAD_MEDIA, ROLE_PARAMETER } from '../form/names';
import { attempt, callLimit, type CallLimit } from '../clock/clock';
import { sendWithRetry } from '../service/retry';
import { identityOf, type ServiceRequest, openService, type Service } from '../service/service';
import { bodyWithFiles } from '../files/upload';
import { MODEL_FIELDS } from '../spec/answers';
import type { Values } from '../spec/values';
import { isFree } from '../spec/price';
import type { CreateOperation, Operation } from '../spec/operation';
import type { RunOptions } from '../form/options';

/** What waits in n8n's database in place of a run, and what that has paid for. */
export interface Durable {
	/** Lets the run wait durably if that is asked. @returns whether the execution parks */
	start(run: Run, rows: readonly Row[]): Promise<boolean>;
	/** The orders of an execution that waits durably, or has waited. @throws NotRecoverable */
	ordersOf(context: IExecuteFunctions, executionId: string): Promise<PaidOrder[]>;
}

/** An order, and where it was made. */
export interface PaidOrder {
	order: Order;
	executionId: string;
	node: string;
}

/** An execution cannot be recovered; the message tells the person who asked why. */
export class NotRecoverable extends Error {}

/** What all items of one run share: what its jobs share, and what the node needs besides. */
export interface Run extends JobContext {
	context: IExecuteFunctions;
	/** Why the credential cannot be used, where that is so: nothing can be sent. */
	unusable?: unknown;
	executionId: string;
	/** A person has retried an earlier execution, or lets this one continue it. */
	isRetry: boolean;
	/** Absent in the helpers of a durable run, which start no other. */
	durable?: Durable;
	/** Another workflow has called this one. */
	isCalled: boolean;
	continued?: Continued;
	/** Limits how many items of a large batch are downloaded at once; the others wait. */
	downloads: CallLimit;
	/** The jobs of the items that have been given out, as last seen, by item index. */
	seen: Map<number, JobSnapshot>;
	/** The hints that it has shown: each is shown once. */
	said: Set<string>;
}

/** One item, read and validated: ready to be sent. */
export interface ItemPlan {
	itemIndex: number;
	/** What is carried out; for *Other Operation*, with the ID that the user has entered. */
	operation: Operation;
	values: Values;
	request: ServiceRequest;
	options: RunOptions;
}

/** What has become of one row of a run. All that is told of rows is made of these. */
export interface Row {
	itemIndex: number;
	/** Absent where the row cannot be sent. */
	plan?: ItemPlan;
	/** What it gives out, or why it does not; skipped as long as nothing was done for it. */
	result: Settled<INodeExecutionData[]>;
	/** What it has ordered, in an earlier try or by now. */
	readonly order?: Order;
	/** Orders that a person has asked for anew: they stay paid for. */
	readonly earlier: readonly Order[];
}

/** A row of a run; its orders are always those of the moment. */
export const rowOf = (
	orders: Orders,
	itemIndex: number,
	known: Partial<Pick<Row, 'plan' | 'result'>> = {},
): Row => ({
	itemIndex,
	plan: known.plan,
	result: known.result ?? { skipped: true },
	get order() {
		return orders.find(itemIndex);
	},
	get earlier() {
		return orders.earlierOf(itemIndex);
	},
});

type PlannedRow = Row & { plan: ItemPlan };

/** The rows that can be sent, and were not. */
export const sendable = (rows: readonly Row[]): PlannedRow[] =>
	rows.filter((row): row is PlannedRow => row.plan !== undefined && 'skipped' in row.result);

/** An output item, paired with the input item that it came from. */
export const itemOf = (
	{ itemIndex }: Pick<ItemPlan, 'itemIndex'>,
	json: IDataObject,
): INodeExecutionData => ({ json, pairedItem: { item: itemIndex } });

/** The answer to a request that creates no job; it is sent again where that does no harm (`sendWithRetry`). */
export const ask = async (
	{ service, clock, signal }: Run,
	request: ServiceRequest,
): Promise<unknown> => await sendWithRetry(service, request, clock, { signal });

/** Carries out the plan of one item. */
export type Runner<O> = (run: Run, operation: O, plan: ItemPlan) => Promise<INodeExecutionData[]>;

const ITEMS_DOWNLOADING = 10;

/** How many jobs are followed at once by what only reads them: the account paces the reads. */
export const FOLLOWED_AT_ONCE = 100;

/** An execution that a person lets this one continue, and the orders of its node. */
export interface Continued {
	id: string;
	/** What it has in common with its retries. */
	lineage: string;
	orders: Order[];
	/** Since when it may have ordered what n8n has not stored, ms since 1970. */
	unknownSince?: number;
}

/** Whose orders the jobs of a run are: its own, or those of a run that waits durably for another execution. */
export interface Owner extends Pick<RunOfNode, 'execution' | 'run' | 'isRetry'> {
	/** By item (`sourcesOf`). */
	sources: ReadonlyArray<string | undefined>;
}

interface Opening extends Pick<JobContext, 'clock' | 'stopCreating' | 'onItemFailed'> {
	/** The run that waits for the jobs, where that is not this one. */
	owner?: Owner & Pick<RunOfNode, 'hasNoted'>;
	/** Fires, as Stop does, when the jobs are to be left alone. */
	rest?: AbortSignal;
	/** How long the places of jobs are held then, in ms. */
	leftMs?: number;
	durable?: Durable;
	/** The execution that this one continues. */
	continued?: Continued;
}

/** Stands in for the service where the credential cannot be used. */
const NO_SERVICE: Service = {
	baseUrl: '',
	account: '',
	uploadMode: 'multipart',
	path: () => undefined,
	field: () => undefined,
	send: async () => await Promise.reject(new Error('The credential cannot be used')),
};

/**
 * Opens a run: makes what all its items share. Where the credential cannot be used, it shows what is paid for already.
 */
export async function openRun(
	context: IExecuteFunctions,
	{ owner, rest, ...shared }: Opening,
): Promise<Run> {
	const { clock, continued } = shared;
	const { sources, ...own } = owner ?? (await ownerOf(context, continued));
	const { helpers } = context;
	const opening = openService(context, {
		clock,
		bodyWithFiles: async (request, service, signal) =>
			await bodyWithFiles(request, { helpers, clock, service, signal }),
	});
	const opened = await attempt(opening);
	const service = 'value' in opened ? opened.value : NO_SERVICE;
	const account = accountOf(service.account, clock);
	const { claims } = account;
	const stop = context.getExecutionCancelSignal();
	const signal = rest ? AbortSignal.any(stop ? [stop, rest] : [rest]) : stop;
	const ofNode: RunOfNode = {
		...{ lineage: '', isCalled: false, ...own },
		workflow: String(context.getWorkflow().id),
		isTool: isTool(context),
		continued: continued?.orders,
	};
	const orders = new Orders(context.getContext('node'), ofNode, account);
	orders.match(sources.map((source, row) => ({ row, source })));
	return {
		...shared,
		context,
		isCalled: ofNode.isCalled,
		service,
		account,
		orders,
		unusable: 'error' in opened ? opened.error : undefined,
		startedAt: clock.now(),
		readHistory: async (granted) => await readHistory(service, granted, { claims, clock, signal }),
		executionId: ofNode.execution,
		isRetry: ofNode.isRetry,
		signal,
		downloads: callLimit(ITEMS_DOWNLOADING),
		seen: new Map(),
		said: new Set(),
	};
}

async function ownerOf(context: IExecuteFunctions, continued?: Continued) {
	const call = await callOf(context);
	return {
		execution: context.getExecutionId(),
		run: runIndexOf(context),
		isRetry: context.getMode() === 'retry' || continued !== undefined,
		sources: isTool(context) ? [] : sourcesOf(context),
		lineage: await lineageOf(context, { call, continued }),
		isCalled: call !== undefined,
	};
}

/** Parameters that do not change what is ordered. */
const NOT_ORDERED = ['options', 'waitForCompletion', DOWNLOAD_MEDIA, ROLE_PARAMETER];

/**
 * Whose orders are whose: for each input item a fingerprint of it and of what a person has typed into the node,
 * expressions unevaluated. So it stays the same when `$now` or a random word changes the request, and is known before any
 * file is read.
 */
export function sourcesOf(context: IExecuteFunctions): string[] {
	const { parameters } = context.getNode();
	const typed = Object.entries(parameters).filter(([name]) => !NOT_ORDERED.includes(name));
	const ordered = fingerprint(Object.fromEntries(typed));
	return context.getInputData().map(({ json, binary = {} }) => {
		const files = Object.entries(binary).map(([property, file]) => {
			const { fileName, mimeType, fileSize } = file;
			return [property, fileName, mimeType, fileSize];
		});
		return fingerprint([ordered, json, files]);
	});
}

/** Key under which all nodes of an execution remember which executions go on with each other's orders. */
const LINEAGE = 'mediaGenLineage';

/**
 * The same for runs that go on with each other's orders. Every retry of an execution begins with what n8n stored of that
 * execution, which knows nothing of other retries; a called workflow that is called again begins with nothing.
 */
async function lineageOf(
	context: IExecuteFunctions,
	{ call, continued }: { call?: string; continued?: Continued },
): Promise<string> {
	const flow = context.getContext('flow');
	// Of an execution that was killed, n8n has stored when it began, and no more.
	const began = flow[LINEAGE] || context.getMode() !== 'retry' ? undefined : await beganAt(context);
	if (continued) flow[LINEAGE] = continued.lineage;
	flow[LINEAGE] ??= call ?? (began ? `began ${began}` : context.getExecutionId());
	// Each call of an agent's tool is a run, and finds its order in those of all calls.
	const index = isTool(context) ? -1 : runIndexOf(context);
	return JSON.stringify([context.getWorkflow().id, context.getNode().name, flow[LINEAGE], index]);
}

/** Which execution the others go on with that have stored these data; itself where they do not say. */
export const lineageIn = (data: IRunExecutionData, id: string): string =>
	String(data.executionData?.contextData.flow?.[LINEAGE] ?? id);

/** When the execution began, or the one that it retries, ms since 1970; `undefined` where n8n does not tell. */
export const beganAt = async (context: IExecuteFunctions): Promise<number | undefined> =>
	beganIn(await ownData(context));

export function beganIn(data?: IRunExecutionData): number | undefined {
	const starts = Object.values(data?.resultData.runData ?? {})
		.flat()
		.map(({ startTime }) => startTime);
	return starts.length > 0 ? Math.min(...starts) : undefined;
}

/** What n8n has stored of this execution. */
async function ownData(context: IExecuteFunctions): Promise<IRunExecutionData | undefined> {
	const read = await attempt(context.getExecutionDataById(context.getExecutionId()));
	return 'value' in read ? read.value : undefined;
}

/** The same for calls of this workflow by the same execution with the same input; `undefined` if none has called it. */
async function callOf(context: IExecuteFunctions): Promise<string | undefined> {
	if (context.getMode() !== 'integrated') return undefined;
	const data = await ownData(context);
	const parent = data?.parentExecution?.executionId;
	return data && parent !== undefined ? fingerprint([parent, inputOf(data)]) : undefined;
}

/** What the execution was started with: what its first node has given out, or will run with. */
function inputOf({ resultData, executionData }: IRunExecutionData): unknown {
	const [first] = Object.values(resultData.runData).flat();
	const [main = []] = first?.data?.main ?? executionData?.nodeExecutionStack[0]?.data.main ?? [];
	return main?.map(({ json, binary }) => [json, binary]);
}

/** Whether an agent calls the node as its tool: n8n gives such a node a type of its own. */
export const isTool = (context: IExecuteFunctions): boolean =>
	context.getNode().type.endsWith('Tool');

/** Which run of the node in its execution this is: a loop makes several. Counted from 0. */
const runIndexOf = (context: IExecuteFunctions): number =>
	Number(context.evaluateExpression('{{ $runIndex }}', 0));

/** What a creation asks for: its order is known by this. */
export const asksOf = (request: ServiceRequest): string => fingerprint(identityOf(request));

export function jobSpecOf(operation: CreateOperation, plan: ItemPlan): JobSpec {
	const { itemIndex, values, request, options } = plan;
	return {
		itemIndex,
		operation,
		values,
		request,
		noted: { asks: asksOf(request), started: startedOf(operation, values) },
		wait: options.waitForCompletion,
		maxRunning: options.maxConcurrentJobs,
		timeoutMs: options.timeout * 1000,
		failuresAreItems: options.outputByStatus,
	};
}

function startedOf(operation: CreateOperation, values: Values): Started {
	const { resource, operation: name } = operation;
	const prompt = promptOf(operation, values);
	const model = textIn(values, MODEL_FIELDS);
	return {
		...{ resource, operation: name },
		...(prompt !== undefined && { prompt }),
		...(model !== null && { model }),
		...(isFree(operation, values) && { isFree: true as const }),
	};
}
