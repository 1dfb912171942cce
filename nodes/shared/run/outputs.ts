import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Settled } from '../orders/batch';
import { jobOf } from '../orders/order';
import { arranged, flat, promptOf } from '../output/itemFields';
import { jobOutput, originOf } from '../output/jobOutput';
import { OUTPUT_BY_STATUS, STATUS_OUTPUTS } from '../form/names';
import { type Advice, type ErrorText, shownAnswer } from '../service/serviceError';
import { givesJobs, JOB_ID_FIELD } from '../spec/jobs';
import { COMPLETED, FAILED, isFinal } from '../spec/answers';
import type { Operation } from '../spec/operation';
import { wordsOf } from './messages';
import { failure, ordersBefore, unnamedText } from './tell';
import { adviceOn, errorIn, jobInError, type Row, rowOf } from './table';
import { parameterReader, typedOptions } from './readParameters';
import { isTool, itemOf, type ItemPlan, plannedIn, type Plans, type Run } from './run';

/** The results of a run, in input order. */
interface Results {
	plans: Plans;
	results: ReadonlyArray<Settled<INodeExecutionData[]>>;
	/** Whether an error becomes an item (*Continue*), and how that leaves the node; when absent, as this node is set. */
	continueOnFail?: boolean;
	failedAs?: FailedAs;
}

/**
 * The items that a run gives out.
 *
 * @throws NodeApiError, NodeOperationError where an item has failed and is not to become an item
 */
export function outputOf(
	run: Run,
	{
		plans,
		results,
		continueOnFail = run.context.continueOnFail(),
		failedAs: as = failedAs(run.context),
	}: Results,
): INodeExecutionData[] {
	if (results.some((result) => 'error' in result) && !continueOnFail)
		throw failure(run, plans, results);
	return results.flatMap((result, itemIndex) =>
		resultItems(run, plans[itemIndex], result, { itemIndex, as }),
	);
}

/** Whether all rows have a result that ordering the same again would not mean. */
export function areHandedOn({ seen }: Run, { plans, results }: Pick<Results, 'plans' | 'results'>) {
	// If the time for a job was up before its end, ordering the same again means this job.
	const isAwaited = ({ itemIndex, operation, read }: ItemPlan) =>
		operation.kind === 'create' &&
		read('waitForCompletion', true) === true &&
		!isFinal(seen.get(itemIndex)?.state ?? COMPLETED);
	return results.every((result) => 'value' in result) && !plannedIn(plans).some(isAwaited);
}

/** The items of one result: under *Continue* a failed one becomes an item that says why. */
export function resultItems(
	run: Run,
	plan: Settled<ItemPlan> | undefined,
	result: Settled<INodeExecutionData[]>,
	{ itemIndex, as }: { itemIndex: number; as: FailedAs },
): INodeExecutionData[] {
	if ('value' in result) return result.value;
	if ('skipped' in result) return [];
	return [failedItemOf(run.context, rowOf(run, itemIndex, plan, result), as)];
}

/** The item of a row that has failed. */
function failedItemOf(context: IExecuteFunctions, row: Row, as: FailedAs): INodeExecutionData {
	const { plan, itemIndex } = row;
	const error = errorIn(row);
	const named = namedJob(context, itemIndex);
	const job = { ...named, ...failedJob(row, error) };
	const carriedOut = plan?.operation.kind ?? (named.jobId ? 'status' : undefined);
	const { answer } = Object(error) as { answer?: string };
	const prompt = plan && promptOf(plan.operation, plan.values);
	const told = {
		...(prompt && { prompt }),
		...job,
		...adviceOn(row, carriedOut, flat(job).creditsUsed),
		...(answer && { answer: shownAnswer(answer) }),
	};
	return itemOf({ itemIndex }, failedItem(wordsOf(error, unnamedText(row)), told, as));
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
	return jobOutput(job, origin, { simplify: true, resultField: '' });
}

/**
 * The items of a run on the outputs of the node: all on one or, with *Output by Status*, each on the output
 * for its job's state. An item without a job is on *Failed*: a loop from *In Progress* would never end for it.
 *
 * @param results by item index
 */
export function byStatus(
	run: Run,
	operation: Operation,
	results: ReadonlyArray<Settled<unknown>>,
	items: INodeExecutionData[],
): INodeExecutionData[][] {
	if (!givesJobs(operation)) return [items];
	return onOutputs(run.context, items, ({ pairedItem }) => {
		const { item } = pairedItem as { item: number };
		const job = run.seen.get(item);
		if (!job || job.state === FAILED || 'error' in (results[item] ?? {})) return 'Failed';
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
 * The output of a run that cannot begin, under *Continue*: each item has failed. If the error were thrown, n8n
 * would pass on the input items, and the next node would take them for results.
 */
export function failedRun(context: IExecuteFunctions, error: unknown): INodeExecutionData[][] {
	const before = ordersBefore(context);
	const items = context.getInputData().map((_, itemIndex) => {
		const order = before.find(({ row, isOver }) => row === itemIndex && !isOver);
		const row: Row = { itemIndex, result: { error }, order, earlier: [] };
		return failedItemOf(context, row, failedAs(context));
	});
	return onOutputs(context, items, () => 'Failed');
}

/** How a failed item leaves the node under *Continue*: among the others, or through the error output. */
export type FailedAs = 'item' | 'errorOutput';

export const failedAs = (context: IExecuteFunctions): FailedAs =>
	context.getNode().onError === 'continueErrorOutput' ? 'errorOutput' : 'item';

/**
 * The JSON of an item that has failed.
 *
 * n8n sends an item to the error output if its JSON has `error` and nothing else but `message` (in newer
 * versions, `details` too), or if the item itself has an error, whose message then replaces the JSON. So on that
 * output, `message` has all the other fields.
 *
 * @param told the fields of its job, where it has one, and what it says about money
 */
export function failedItem(
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
		'failed',
	);
	return as === 'errorOutput' ? { error, message: facts } : { error, ...facts };
}
