import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { Batch } from '../orders/batch';
import { arranged, flat, flatWithout } from '../output/itemFields';
import { InvalidValues } from '../request/validate';
import { counted, hint, info } from './messages';
import { numberIn, ordersOf, reasonOf } from './keep';
import { rowsInWords } from './rows';
import { paidJson } from './table';
import { itemOf, type ItemPlan, type Run, type Runner } from './run';
import { attempt } from '../service/attempt';
import { JOB_FAILED, ofFree } from '../service/retryAdvice';
import { cleanText } from '../service/shownText';
import { COMPLETED, FAILED, isFinal } from '../spec/answers';
import { EXECUTION_ID, RECOVERY_READS, WAIT_FOR_JOB } from '../spec/jobs';
import { REQUESTS_PER_WINDOW } from '../spec/limits';
import type { RecoverOperation } from '../spec/types';
import { planRead } from './planItem';
import { runStatus } from './readJob';

/**
 * Gives the paid jobs of an execution that waits durably, has failed or was stopped, one item each: waited for, or as
 * n8n has stored them. It creates none.
 */
export const runRecover: Runner<RecoverOperation> = async (run, _operation, plan) => {
	const id = executionNumber(plan.values[EXECUTION_ID]);
	const rows = await paidRows(run, id);
	if (rows.length === 0) hint(run, `Execution ${id} has paid for no job`);
	if (plan.read('waitForCompletion', true) !== true) {
		return rows.map((json) => itemOf(plan, json));
	}
	const recovered = await new Batch(true).settle(
		rows.map((row, index) => ({ row, index })),
		async ({ row, index }) => await recover(run, plan, row, index),
		REQUESTS_PER_WINDOW,
	);
	const items = recovered.flatMap((one) => ('value' in one ? [one.value] : []));
	tellRecovered(run, id, items);
	return items;
};

async function paidRows(run: Run, id: string): Promise<IDataObject[]> {
	const orders = await ordersOf(run, id).catch((error: unknown) => {
		throw invalidId(`is "${id}": ${reasonOf(error)}`);
	});
	return orders.map(({ order, ...by }) => paidJson(order, by));
}

/**
 * A paid job at its end, with its files if that is asked; as last known if it cannot be read or is of unknown outcome. A job that
 * cannot be read does not keep the others from being read.
 */
async function recover(
	run: Run,
	plan: ItemPlan,
	row: IDataObject,
	index: number,
): Promise<INodeExecutionData> {
	if (row.jobId === null || row.jobId === undefined) return itemOf(plan, row);
	const read = await attempt(readRow(run, plan, row, index));
	const [item] = 'value' in read ? read.value : [];
	if (item) return { ...item, ...itemOf(plan, withRead(row, item.json)) };
	const why = 'error' in read ? (read.error as Error).message : undefined;
	return itemOf(plan, arranged({ ...flat(row), notWaited: why }, 'paid'));
}

async function readRow(run: Run, { options, read }: ItemPlan, row: IDataObject, index: number) {
	// Whatever becomes of a job, it is given out as a row, and messages about it name that row.
	const asRows = { outputByStatus: true, simplify: true };
	const itemIndex = itemIndexOf(row, index);
	const common = { itemIndex, options: { ...options, ...asRows }, read };
	const { operation, ...reading } = planRead(run, WAIT_FOR_JOB, row, common);
	return await runStatus(run, operation, { ...reading, operation });
}

/** The row's index in the execution if that is known, or else in the list. */
const itemIndexOf = ({ itemIndex }: IDataObject, index: number) =>
	typeof itemIndex === 'number' ? itemIndex : index;

/** Replaces what was known of a job by what was read of it; who ordered it stays. */
export function withRead(row: IDataObject, item: IDataObject): IDataObject {
	const { status } = item;
	const { charged, retry, answer, ...known } = flatWithout(row, ...OF_RESULT, ...OF_LOOK);
	const read = status === COMPLETED ? flat(item) : flatWithout(item, ...OF_RESULT);
	const open = isFinal(String(status)) ? {} : { charged, retry, answer };
	const wasFree = charged === 'no' && !Number(read.creditsUsed);
	const free = status === FAILED && wasFree ? ofFree(JOB_FAILED) : {};
	return arranged({ ...known, ...open, ...read, ...free }, 'recovered');
}

/** Fields that only a completed job fills; in any other they are empty or out of date. */
const OF_RESULT = ['mediaUrls', 'audioId', 'takes', 'result'];

/** Fields that a look at a job may fill. */
const OF_LOOK = ['errorMessage', 'timedOut', 'notWaited'];

/** What may have become of a job that has no result, in a word or two; the first that holds. */
const OUTCOMES: ReadonlyArray<[words: string, is: (json: IDataObject) => boolean]> = [
	['unknown', ({ unknownOutcome }) => unknownOutcome !== undefined],
	['not read', (json) => flat(json).notWaited !== undefined],
	['failed', ({ status }) => status === FAILED],
	['not finished in time', ({ status }) => status !== COMPLETED],
];

/** Counts what became of the jobs, and names the rows to look at. */
function tellRecovered(run: Run, id: string, items: readonly INodeExecutionData[]): void {
	if (items.length === 0) return;
	const found = items.map(({ json }) => OUTCOMES.find(([, is]) => is(json)));
	const here = found.filter((outcome) => outcome === undefined).length;
	const others = OUTCOMES.flatMap((outcome) => {
		const rows = items.flatMap(({ json }, index) =>
			found[index] === outcome ? [{ itemIndex: itemIndexOf(json, index) }] : [],
		);
		return rows.length > 0 ? [`${rows.length} ${outcome[0]} (${rowsInWords(rows)})`] : [];
	});
	const counts = [`${counted(here, 'job')} paid and here`, ...others].join(', ');
	// n8n keeps nothing of a stopped execution, not even of nodes that had ended before.
	const text = `Execution ${id}: ${counts}. Rows that are not here were never ordered by that run of the node; for earlier rounds of a loop and other nodes, see Job > Get History.`;
	if (others.length > 0) hint(run, text);
	else info(run, text);
}

function executionNumber(given: unknown): string {
	const number = numberIn(given);
	if (number !== undefined) return number;
	throw invalidId(`must be a number, such as 231, but is "${cleanText(String(given), 100)}"`);
}

function invalidId(rule: string): InvalidValues {
	const message = `Execution ID (${EXECUTION_ID}) ${rule}`;
	return new InvalidValues([{ field: EXECUTION_ID, message }], RECOVERY_READS);
}
