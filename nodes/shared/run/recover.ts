import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { Batch } from '../orders/jobContext';
import { jobOf, type Order } from '../orders/order';
import { runJob } from '../orders/runJob';
import { arranged, flat, flatWithout } from '../output/item';
import { InvalidValues } from '../request/request';
import { finishedItem } from './finishedItems';
import { counted, hint, info, rowsInWords } from './messages';
import { executionNumber, ordersOf, whyUnknown } from './keep';
import { originIn, paidJson } from './paidItem';
import {
	FOLLOWED_AT_ONCE,
	itemOf,
	type ItemPlan,
	jobSpecOf,
	type PaidOrder,
	type Run,
	type Runner,
} from './run';
import { attempt } from '../clock/clock';
import { COMPLETED, isFinal } from '../spec/answers';
import { creationNamed } from '../spec/catalogs';
import { EXECUTION_ID, RECOVERY_READS } from '../spec/jobs';
import type { CreateOperation, RecoverOperation } from '../spec/operation';

/**
 * Gives the paid jobs of an execution that waits durably, has failed or was stopped, one item each: waited for, or as
 * n8n has stored them. It creates none.
 */
export const runRecover: Runner<RecoverOperation> = async (run, _operation, plan) => {
	const id = executionNumber(plan.values[EXECUTION_ID], invalidId);
	const paid = await ordersOf(run, id).catch((error: unknown) => {
		throw invalidId(`is "${id}": ${whyUnknown(error)}`);
	});
	if (paid.length === 0) hint(run, `Execution ${id} has paid for no job`);
	if (!plan.options.waitForCompletion) return paid.map((one) => itemOf(plan, paidJson(one)));
	// None fails the node.
	const asked = { ...run, onItemFailed: () => {} };
	const recovered = await new Batch(true).workOn(
		paid,
		async (one) => await recover(asked, plan, one),
		FOLLOWED_AT_ONCE,
	);
	run.account.limits.endRun(asked);
	const items = recovered.flatMap((one) => ('value' in one ? [one.value] : []));
	tellRecovered(run, id, items);
	return items;
};

/**
 * A paid job at its end, with its files if that is asked; as last known if it cannot be read or is of unknown outcome. A job that
 * cannot be read does not keep the others from being read.
 */
async function recover(run: Run, plan: ItemPlan, paid: PaidOrder): Promise<INodeExecutionData> {
	const known = paidJson(paid);
	const { resource, operation: name } = paid.order.started;
	const operation = creationNamed(resource, name);
	if (!jobOf(paid.order) || !operation) return itemOf(plan, known);
	const { unusable: error } = run;
	const read = error
		? { error }
		: await attempt(readOrdered(run, { ...plan, operation }, paid.order));
	if ('value' in read) {
		const { json, ...files } = read.value;
		return { ...files, ...itemOf(plan, withRead(known, json)) };
	}
	const notWaited = (read.error as Error).message;
	return itemOf(plan, arranged({ ...flat(known), notWaited }, 'order'));
}

/** The item of an order's job, which is waited for as in the run that has ordered it. */
async function readOrdered(
	run: Run,
	plan: ItemPlan & { operation: CreateOperation },
	order: Order,
): Promise<INodeExecutionData> {
	const { row, started } = order;
	// Whatever becomes of a job, it is given out as a row, and messages about it name that row.
	const options = { ...plan.options, outputByStatus: true, simplify: true };
	const values = { prompt: started.prompt, model: started.model };
	const own = { ...plan, itemIndex: row, values, options };
	// A copy: this execution remembers nothing of it.
	const spec = { ...jobSpecOf(plan.operation, own), order: structuredClone(order) };
	const { snapshot, job } = await runJob(run, { ...spec, since: run.startedAt });
	return await finishedItem(run, own, snapshot, originIn(order, job));
}

/** Replaces what was known of a job by what was read of it; who ordered it stays. */
function withRead(known: IDataObject, read: IDataObject): IDataObject {
	const { charged, retry, answer } = flat(known);
	const by = flatWithout(known, 'charged', 'retry', 'answer', 'mediaUrls', 'errorMessage');
	const open = isFinal(String(read.status)) ? {} : { charged, retry, answer };
	// How long the job was waited for is not known here.
	return arranged({ ...by, ...open, ...flatWithout(read, 'waitedMs') }, 'order');
}

/** Counts the results, and names the rows whose jobs have none: each of those says why. */
function tellRecovered(run: Run, id: string, items: readonly INodeExecutionData[]): void {
	if (items.length === 0) return;
	const isHere = (json: IDataObject) =>
		json.status === COMPLETED && flat(json).notWaited === undefined;
	const rows = items
		.filter(({ json }) => !isHere(json))
		.map(({ json }) => ({ itemIndex: Number(json.itemIndex) }));
	const here = `${counted(items.length - rows.length, 'job')} paid and here`;
	const others = rows.length > 0 ? `, ${rows.length} without a result (${rowsInWords(rows)})` : '';
	// n8n keeps nothing of a stopped execution, not even of nodes that had ended before.
	const text = `Execution ${id}: ${here}${others}. Rows that are not here were never ordered by that run of the node; for earlier rounds of a loop and other nodes, see Job > Get History.`;
	if (rows.length > 0) hint(run, text);
	else info(run, text);
}

function invalidId(rule: string): InvalidValues {
	return new InvalidValues(`Execution ID (${EXECUTION_ID}) ${rule}`, RECOVERY_READS);
}
