import type { IExecuteFunctions } from 'n8n-workflow';

import type { Settled } from '../orders/batch';
import { doubtIn } from '../orders/order';
import { ordersIn, OtherVersion } from '../orders/orders';
import { ROLE_PARAMETER } from '../parameters/names';
import { MAX_TEXT } from '../service/serviceError';
import { cleanText } from '../service/shownText';
import { capitalized } from '../spec/conditions';
import { JOB_RESOURCE, RECOVER_JOBS } from '../spec/jobs';
import { keepPaidJobs } from './keep';
import { nodeError, type NodeError, withDetailsBelow, wordsOf } from './nodeError';
import { rowInWords } from './rows';
import { isTool, runIndexOf, type Plans, type Run } from './run';
import {
	earlierText,
	errorIn,
	lineOf,
	mayHaveMade,
	restText,
	type Row,
	rowsOf,
	untoldText,
} from './table';

/**
 * The error of a run that stops: its first error, and what has become of the other rows, in an earlier try too, so that no
 * paid job is lost (money rule 3).
 *
 * @param results absent where nothing was sent
 */
export function failure(
	run: Run,
	plans: Plans,
	results?: ReadonlyArray<Settled<unknown>>,
): NodeError {
	const rows = rowsOf(run, plans, results);
	const failed = rows.filter(({ result }) => 'error' in result);
	const [first] = failed as [Row];
	const error = errorIn(first);
	const rest = restText(run.orders.rest);
	const unnamed = [unnamedText(first), rest && `${rest}.`].filter(Boolean).join(' ');
	if (rows.length === 1) return nodeError(run.context, error, { more: unnamed });
	const others = rows.filter((one) => one !== first);
	return nodeError(run.context, error, {
		message: cleanText(
			`${failed.length} of ${rows.length} failed: ${rowInWords(first.plan ?? first)}: ${wordsOf(error).message}`,
			MAX_TEXT,
		),
		more: [unnamed, othersText(others), wayBack(run, rows)].filter(Boolean).join(' '),
		details: others.flatMap((row) => lineOf(row) ?? []),
	});
}

/** What a failed row has made, or may have, that its error does not name: in an earlier try or a replaced order. */
export function unnamedText(row: Row): string {
	const texts = [untoldText(row), earlierText(row.earlier)];
	return texts.flatMap((text) => (text ? [`${capitalized(text)}.`] : [])).join(' ');
}

/** An error before anything is sent, with what an earlier try has paid for, or may have (money rule 3). */
export function errorWithPaid(
	context: IExecuteFunctions,
	error: unknown,
	rows: readonly Row[],
): NodeError {
	const details = rows.flatMap((row) => lineOf(row) ?? []);
	const more = details.length > 0 ? 'What an earlier try has paid for stays paid for.' : '';
	return nodeError(context, error, { more, details });
}

/** The error of a run that cannot begin. */
export function failureToBegin(context: IExecuteFunctions, error: unknown): NodeError {
	// The error about another version names the jobs itself.
	return errorWithPaid(context, error, error instanceof OtherVersion ? [] : rowsBefore(context));
}

/** The rows that an earlier try of the run has ordered. */
export function rowsBefore(context: IExecuteFunctions): Row[] {
	// Orders of a tool belong to no row.
	if (isTool(context)) return [];
	const index = runIndexOf(context);
	const all = ordersIn(context.getContext('node')).filter(({ run }) => run === index);
	const rows = [...new Set(all.map(({ row }) => row))].sort((one, other) => one - other);
	return rows.map((row) => {
		const own = all.filter((order) => order.row === row);
		const order = own.filter(({ isOver }) => !isOver).at(-1);
		const earlier = own.filter((one) => one !== order);
		return { itemIndex: row, order, earlier, result: { skipped: true } };
	});
}

/**
 * The error of a run of a called workflow: it says what to retry, as n8n also offers to retry the calling execution, and
 * then nothing shows that the order is the same.
 */
export function errorOfCall({ context, orders, signal, isCalled }: Run, error: unknown): unknown {
	// n8n offers no retry of what was stopped.
	if (!isCalled || signal?.aborted || orders.isEmpty) return error;
	const own = context.getExecutionId();
	const advice = `Another workflow has called this one. Retry execution ${own}, which is this one: it pays only for what is missing. Retry execution of the calling workflow pays for all items again.`;
	const told = withDetailsBelow(error) as { description?: string | null };
	told.description = [advice, told.description].filter(Boolean).join(' ');
	return error;
}

/** How many of the other rows are finished, ordered or not started; the message counts those that have failed. */
function othersText(others: readonly Row[]): string {
	const open = others.filter(({ result }) => !('error' in result));
	const finished = open.filter(({ result }) => 'value' in result).length;
	const untouched = open.filter((row) => lineOf(row) === undefined).length;
	const left = open.length - finished - untouched;
	const parts = [
		...(finished > 0 ? [`${finished} finished`] : []),
		...(left > 0 ? [`${left} ordered by an earlier try`] : []),
		...(untouched > 0 ? [`${untouched} not started and not charged`] : []),
	];
	return parts.length > 0 ? `The others: ${parts.join(', ')}.` : '';
}

/** How to pay only for what is missing; empty where nothing was paid for, or this advice is not safe. */
function wayBack(
	{ context, executionId, signal, isCalled, orders }: Run,
	rows: readonly Row[],
): string {
	const isPaid = rows.some(
		({ plan, result, order }) => plan?.operation.kind === 'create' && ('value' in result || order),
	);
	// The error of a called workflow says what to retry.
	if (!isPaid || isTool(context) || (isCalled && !signal?.aborted)) return '';
	// The text of a row whose outcome is unknown says what to do before it is ordered again.
	if (rows.some(({ order }) => doubtIn(order)) && !isDurable(context)) return '';
	const isRetried = !isDurable(context) && !signal?.aborted;
	const ways = [
		// Of several rounds of a loop, n8n stores the last alone.
		orders.run === 0
			? `correct the rows, add Options > Continue Execution with ${executionId} to each MediaGen node, and press Execute workflow`
			: '',
		isRetried ? 'repeat them as they were with Retry (the bent arrow) under Executions' : '',
	].filter(Boolean);
	if (ways.length === 0) return '';
	return `A new run pays for all rows again: to pay only for what is missing, ${ways.join(', or ')}.`;
}

/** Whether helpers ordered its jobs: n8n does not run a node again that has waited durably. */
const isDurable = (context: IExecuteFunctions) =>
	Boolean(context.getNode().parameters?.[ROLE_PARAMETER]);

/**
 * Says what became of the jobs of a stopped run, including finished ones and creations of unknown outcome. n8n
 * drops the output of a stopped node, so this goes to n8n's log and, for a run started in the editor, to the
 * browser's console; the orders go to an execution that keeps them.
 */
export async function reportStopped(
	run: Run,
	plans: Plans,
	results?: ReadonlyArray<Settled<unknown>>,
): Promise<void> {
	const told = rowsOf(run, plans, results)
		.filter(mayHaveMade)
		.flatMap((row) => lineOf(row) ?? []);
	if (told.length === 0) return;
	const kept = await keepPaidJobs(run);
	const way =
		kept === undefined
			? 'Read the jobs with Job > Get Status or Job > Wait for Completion.'
			: `Execution ${kept} of this workflow shows the jobs. ${JOB_RESOURCE.label} > ${RECOVER_JOBS.label} gets them for Execution ID ${run.executionId}, and Options > Continue Execution starts the rest, too.`;
	const text = cleanText(`Stopped. What is paid for stays paid for. ${told.join('; ')}. ${way}`);
	run.context.logger.warn(`${run.context.getNode().name}: ${text}`);
	run.context.sendMessageToUI(text);
}
