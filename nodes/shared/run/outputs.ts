import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { JobError } from '../orders/job';
import { adviceOf, doubtIn, jobOf } from '../orders/order';
import { arranged, flat, jobOutput, originOf } from '../output/item';
import { promptOf } from '../spec/field';
import { OUTPUT_BY_STATUS, STATUS_OUTPUTS } from '../form/names';
import {
	type Advice,
	type ErrorText,
	IN_DOUBT,
	JOB_FAILED,
	JOB_TO_READ,
	notCharged,
	ServiceError,
	shownAnswer,
} from '../service/serviceError';
import { JOB_ID_FIELD, JOB_RESOURCE } from '../spec/jobs';
import { COMPLETED, FAILED, isFinal } from '../spec/answers';
import type { Operation } from '../spec/operation';
import { nodeError, wordsOf } from './messages';
import { errorIn, jobInError, lineOf, stopIfWrong, untoldText } from './tell';
import { parameterReader, typedOptions } from './planItem';
import { isTool, itemOf, type Row, type Run } from './run';

/** How a node is set: whether an error becomes an item (*Continue*), and how that leaves the node. */
interface OnError {
	continueOnFail: boolean;
	failedAs: FailedAs;
}

/**
 * The items that a run gives out.
 *
 * @throws NodeApiError, NodeOperationError where an item has failed and is not to become an item
 */
export function outputOf(
	run: Run,
	rows: readonly Row[],
	{ continueOnFail, failedAs: as }: OnError = onErrorOf(run.context),
): INodeExecutionData[] {
	if (!continueOnFail) stopIfWrong(run, rows);
	return rows.flatMap((row) => itemsOf(run.context, row, as));
}

/** Whether all rows have a result that ordering the same again would not mean. */
export function areHandedOn({ seen }: Run, rows: readonly Row[]): boolean {
	// If the time for a job was up before its end, ordering the same again means this job.
	const isAwaited = ({ itemIndex, plan }: Row) =>
		plan?.operation.kind === 'create' &&
		plan.options.waitForCompletion &&
		!isFinal(seen.get(itemIndex)?.state ?? COMPLETED);
	return rows.every((row) => 'value' in row.result && !isAwaited(row));
}

/** The items of a row: if it has failed, one that says why. */
export function itemsOf(context: IExecuteFunctions, row: Row, as: FailedAs): INodeExecutionData[] {
	if ('value' in row.result) return row.result.value;
	return 'error' in row.result ? [failedItemOf(context, row, as)] : [];
}

/** The item of a row that has failed. */
function failedItemOf(context: IExecuteFunctions, row: Row, as: FailedAs): INodeExecutionData {
	const { plan, itemIndex } = row;
	const error = errorIn(row);
	const named = namedJob(context, itemIndex);
	const job = { ...named, ...failedJob(row, error) };
	const resource = parameterReader(context, itemIndex)('resource', '');
	const carriedOut =
		plan?.operation.kind ?? (resource === JOB_RESOURCE.value ? 'status' : undefined);
	const { answer } = Object(error) as { answer?: string };
	const prompt = plan && promptOf(plan.operation, plan.values);
	const told = {
		...(prompt && { prompt }),
		...job,
		...adviceOn(row, carriedOut, flat(job).creditsUsed),
		...(answer && { answer: shownAnswer(answer) }),
	};
	return itemOf({ itemIndex }, failedItem(wordsOf(error, untoldText(row)), told, as));
}

/**
 * What a failed row says about money, judged by its order, or else by its error.
 *
 * @param kind what was carried out for it. Where nothing was even begun: `status` if the item names a job to read,
 *   otherwise `undefined`
 * @param creditsUsed credits that the service has charged for the job
 */
function adviceOn(
	{ order, earlier, result }: Row,
	kind: Operation['kind'] | undefined,
	creditsUsed?: unknown,
): Advice {
	if (order) return adviceOf(order, creditsUsed);
	const error = 'error' in result ? result.error : undefined;
	if (kind === 'status') return adviceOnRead(error);
	// That a new order was refused says nothing about the earlier one.
	if (earlier.some(doubtIn)) return IN_DOUBT;
	const isUnknown = error instanceof ServiceError && error.outcome === 'unknown';
	return kind === 'create' && isUnknown ? IN_DOUBT : notCharged(error);
}

function adviceOnRead(error: unknown): Advice {
	const { kind, job } = error instanceof JobError ? error : {};
	if (kind === 'failed') return JOB_FAILED;
	const wasSeen = Object.keys(job?.record ?? {}).length > 0;
	return { ...JOB_TO_READ, charged: wasSeen ? 'yes' : 'unknown' };
}

/** The job that an item is to read, if it names one. It stays in the item, whatever has failed. */
function namedJob(context: IExecuteFunctions, itemIndex: number): IDataObject {
	try {
		const id = parameterReader(context, itemIndex)(JOB_ID_FIELD, undefined);
		return typeof id === 'string' || typeof id === 'number' ? { jobId: String(id).trim() } : {};
	} catch {
		// The expression of this field may be what has failed.
		return {};
	}
}

/** What the item says of the job that has failed, or that an earlier try of the item has paid for. */
function failedJob({ order, plan }: Row, error: unknown): IDataObject {
	const stored = jobOf(order);
	const job = jobInError(error);
	if (!job) return stored ? { jobId: stored.id } : {};
	const { operation, values = {} } = plan ?? {};
	const isCreated = operation?.kind === 'create';
	const origin = isCreated ? originOf(operation, values, stored) : {};
	return jobOutput(job, origin);
}

/**
 * The items of a run on the outputs of the node: all on one or, with *Output by Status*, each on the output
 * for its job's state. An item without a job is on *Failed*: a loop from *In Progress* would never end for it.
 */
export function byStatus(
	run: Run,
	operation: Operation,
	rows: readonly Row[],
	items: INodeExecutionData[],
): INodeExecutionData[][] {
	if (!['create', 'status'].includes(operation.kind)) return [items];
	return onOutputs(run.context, items, ({ pairedItem }) => {
		const { item } = pairedItem as { item: number };
		const job = run.seen.get(item);
		if (!job || job.state === FAILED || 'error' in rows[item]!.result) return 'Failed';
		return job.state === COMPLETED ? 'Completed' : 'In Progress';
	});
}

/**
 * Items on the node's outputs. Whether it has one for each status is told by the same test as the expression of its
 * outputs. The options are not evaluated: this switch takes no expression, and that of another option may fail.
 */
function onOutputs(
	context: IExecuteFunctions,
	items: INodeExecutionData[],
	outputOfItem: (item: INodeExecutionData) => (typeof STATUS_OUTPUTS)[number],
): INodeExecutionData[][] {
	if (isTool(context) || typedOptions(context)[OUTPUT_BY_STATUS] !== true) return [items];
	return STATUS_OUTPUTS.map((name) => items.filter((item) => outputOfItem(item) === name));
}

/**
 * The output of a run that cannot begin. Under *Continue*, each item has failed: n8n would pass on the input items if the
 * error were thrown, and the next node would take them for results.
 *
 * @param rows with what an earlier try has paid for, or may have (money rule 3)
 * @throws NodeError under *Stop*
 */
export function cannotBegin(
	context: IExecuteFunctions,
	error: unknown,
	rows: readonly Row[] = [...context.getInputData().keys()].map(emptyRow),
): INodeExecutionData[][] {
	const { continueOnFail, failedAs } = onErrorOf(context);
	if (!continueOnFail) {
		const details = rows.flatMap((row) => lineOf(row) ?? []);
		const more = details.length > 0 ? 'What an earlier try has paid for stays paid for.' : '';
		throw nodeError(context, error, { more, details });
	}
	const failed = rows.map((row) => failedItemOf(context, { ...row, result: { error } }, failedAs));
	return onOutputs(context, failed, () => 'Failed');
}

const emptyRow = (itemIndex: number): Row => ({
	itemIndex,
	result: { skipped: true },
	earlier: [],
});

/** How a failed item leaves the node under *Continue*: among the others, or through the error output. */
export type FailedAs = 'item' | 'errorOutput';

export const onErrorOf = (context: IExecuteFunctions): OnError => ({
	continueOnFail: context.continueOnFail(),
	failedAs: context.getNode().onError === 'continueErrorOutput' ? 'errorOutput' : 'item',
});

/**
 * The JSON of an item that has failed.
 *
 * n8n sends an item to the error output if its JSON has `error` and nothing else but `message` (in newer
 * versions, `details` too), or if the item itself has an error, whose message then replaces the JSON. So on that
 * output, `message` has all the other fields.
 *
 * @param told the fields of its job, where it has one, and what it says about money
 */
function failedItem(
	{ message, description }: ErrorText,
	told: IDataObject & Partial<Advice>,
	as: FailedAs,
): IDataObject {
	const { mediaUrl, mediaUrls, status, errorMessage, ...rest } = flat(told);
	const { error, ...facts } = arranged(
		{
			...rest,
			error: message,
			// A job that the node no longer waits for still runs at the service.
			status: typeof status === 'string' && !isFinal(status) ? status : FAILED,
			errorMessage: errorMessage ?? message,
			...(mediaUrl ? { mediaUrl } : {}),
			...(mediaUrl && mediaUrls ? { mediaUrls } : {}),
			...(description ? { description } : {}),
		},
		'order',
	);
	return as === 'errorOutput' ? { error, message: facts } : { error, ...facts };
}
