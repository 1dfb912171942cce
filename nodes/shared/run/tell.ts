import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { ROLE_PARAMETER } from '../form/names';
import { JobError, jobName } from '../orders/job';
import { doubtIn, jobOf, type Order } from '../orders/order';
import { stateIn } from '../orders/readRecord';
import { creditsTold } from '../output/item';
import { answerText, MAX_TEXT, ServiceError } from '../service/serviceError';
import { cleanText } from '../service/shownText';
import { CREDITS_REMAINING_FIELD, CREDITS_USED_FIELDS, FAILED } from '../spec/answers';
import { JOB_RESOURCE, RECOVER_JOBS } from '../spec/jobs';
import { inCredits } from '../spec/price';
import { keepPaidJobs } from './keep';
import { info, nodeError, rowFirst, rowInWords, withDetailsBelow, wordsOf } from './messages';
import { isTool, type ItemPlan, type Row, type Run } from './run';

/* What is told of rows and their orders: in the error of a run, in a failed item, after Stop, and in the summary. */

export const errorIn = ({ result }: Row): unknown => ('error' in result ? result.error : undefined);

/** The job an error is about, so that it is never lost. */
export function jobInError(error: unknown) {
	return error instanceof JobError ? error.job : undefined;
}

/** What became of a row, in words; `undefined` where nothing was begun. */
export function lineOf(row: Row): string | undefined {
	const text = [resultText(row), untoldText(row)].filter(Boolean).join('. ');
	return text === '' ? undefined : `${rowFirst(row.plan ?? row)}: ${text}`;
}

function resultText(row: Row): string {
	const { plan, result, order } = row;
	if ('value' in result) return finishedText(result.value, plan);
	if (!('error' in result)) return '';
	const { message } = result.error as Error;
	return order && doubtIn(order) && isTold(row) ? orderText(order, message) : message;
}

/** What a row has ordered in earlier tries, where its result does not name it; else empty. */
export function untoldText(row: Row): string {
	const { order, earlier } = row;
	const untold = order && !isTold(row) ? [order, ...earlier] : earlier;
	const texts = untold.map((one) => orderText(one));
	return texts.length > 0 ? `Ordered by an earlier try: ${texts.join('; ')}.` : '';
}

/** Whether its result names what a row has ordered. */
function isTold({ order, result }: Row): boolean {
	if (!('error' in result)) return 'value' in result;
	const { error } = result;
	const job = jobOf(order);
	return job
		? String(Object(error).message).split(' ').includes(job.id)
		: error instanceof ServiceError && error.outcome === 'unknown';
}

/**
 * An order in words: its job, or why none is known.
 *
 * @param why in place of what the order says about it
 */
function orderText(order: Order, why = doubtIn(order)?.why): string {
	const job = jobOf(order);
	if (job) return `job ${jobName(job)}${order.outcome.state === 'failed' ? ', which failed' : ''}`;
	const { answer, mayBe = [] } = doubtIn(order) ?? {};
	const ids = mayBe.map(({ jobId }) => jobId);
	const mayExist =
		ids.length > 0
			? `it may be job ${ids.join(' or ')}, which is paid for`
			: 'a job may exist and be paid for';
	return [`${why} (${mayExist})`, answerText(answer)].filter(Boolean).join('. ');
}

/** How many characters of a prompt name an order that has no row. */
const SHOWN_PROMPT = 40;

/** What was ordered for rows that are gone, in words; empty when there is nothing. */
export function restText(orders: readonly Order[]): string {
	const told = orders.map((order) => {
		const { prompt } = order.started;
		const isNamed = prompt === undefined || jobOf(order);
		return isNamed ? orderText(order) : `"${cleanText(prompt, SHOWN_PROMPT)}", ${orderText(order)}`;
	});
	return told.length > 0 ? `Ordered by an earlier try, and by no row now: ${told.join(', ')}` : '';
}

function finishedText(items: readonly INodeExecutionData[], plan?: ItemPlan): string {
	const texts = (isAboutJob(plan) ? items : []).map(({ json }) => {
		// A record that is not simplified may have anything in its fields.
		const urls: unknown[] = Array.isArray(json.mediaUrls) ? json.mediaUrls : [];
		return ['job', json.jobId, stateIn(json), ...urls].filter(isText).join(' ');
	});
	return texts.length > 0 ? texts.join(', ') : 'done';
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

const isAboutJob = (plan?: ItemPlan) => plan && ['create', 'status'].includes(plan.operation.kind);

/**
 * The error of a run that stops: its first error, and what has become of the other rows, in an earlier try too, so that no
 * paid job is lost (money rule 3).
 *
 * @throws NodeError if a row has failed
 */
export function stopIfWrong(run: Run, rows: readonly Row[]): void {
	const failed = rows.filter(({ result }) => 'error' in result);
	const [first] = failed;
	if (!first) return;
	const error = errorIn(first);
	// One error for all of several rows is about the run, such as a limit that forbids it.
	const isOfRun = failed.length > 1 && failed.every((row) => errorIn(row) === error);
	const isTold = (row: Row) => row === first || (isOfRun && failed.includes(row) && !isPaid(row));
	const others = rows.filter((row) => !isTold(row));
	const inRow = `${failed.length} of ${rows.length} failed: ${rowInWords(first.plan ?? first)}: ${wordsOf(error).message}`;
	const rest = restText(run.orders.rest);
	const told = nodeError(run.context, error, {
		...(rows.length > 1 && !isOfRun && { message: cleanText(inRow, MAX_TEXT) }),
		more: [untoldText(first), rest && `${rest}.`, othersText(others), wayBack(run, rows)]
			.filter(Boolean)
			.join(' '),
		details: others.flatMap((row) => lineOf(row) ?? []),
	});
	throw run.isCalled ? withDetailsBelow(told) : told;
}

/** Whether a row has paid for something, or may have. */
const isPaid = ({ order, earlier }: Row) => order !== undefined || earlier.length > 0;

/** How many of the other rows are finished, ordered or not started; the message counts those that have failed. */
function othersText(others: readonly Row[]): string {
	const open = others.filter(({ result }) => !('error' in result));
	const finished = open.filter(({ result }) => 'value' in result).length;
	const untouched = open.filter((row) => lineOf(row) === undefined).length;
	const counts: Array<[count: number, what: string]> = [
		[finished, 'finished'],
		[open.length - finished - untouched, 'ordered by an earlier try'],
		[untouched, 'not started and not charged'],
	];
	const parts = counts.filter(([count]) => count > 0).map((one) => one.join(' '));
	return parts.length > 0 ? `The others: ${parts.join(', ')}.` : '';
}

/** How to pay only for what is missing; empty where nothing was paid for, or this advice is not safe. */
function wayBack(
	{ context, executionId, signal, isCalled, orders }: Run,
	rows: readonly Row[],
): string {
	// n8n offers no retry of what was stopped. It does of the calling execution, where nothing shows that the order is the same.
	if (isCalled && !signal?.aborted && orders.all.length > 0)
		return `Another workflow has called this one. Retry execution ${executionId}, which is this one: it pays only for what is missing. Retry execution of the calling workflow pays for all items again.`;
	const hasPaid = rows.some(
		({ plan, result, order }) => plan?.operation.kind === 'create' && ('value' in result || order),
	);
	if (rows.length === 1 || !hasPaid || isTool(context)) return '';
	// To order a row of unknown outcome again is for the person to decide: its own text says how.
	const isInDoubt = rows.some(({ order }) => doubtIn(order)) && !isDurable(context);
	const first = isInDoubt ? 'remove a row whose job exists' : 'correct the rows';
	const isRetried = !isInDoubt && !isDurable(context) && !signal?.aborted;
	const ways = [
		// Of several rounds of a loop, n8n stores the last alone.
		orders.run === 0
			? `${first}, add Options > Continue Execution with ${executionId} to each MediaGen node that ran, and press Execute workflow`
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
 *
 * @returns whether there was anything to tell
 */
export async function reportStopped(run: Run, rows: readonly Row[]): Promise<boolean> {
	if (run.orders.all.length === 0) return false;
	const told = rows.flatMap((row) => lineOf(row) ?? []);
	if (told.length === 0) return false;
	const kept = await keepPaidJobs(run);
	const way =
		kept === undefined
			? 'Read the jobs with Job > Get Status or Job > Wait for Completion.'
			: `Execution ${kept} of this workflow shows the jobs. ${JOB_RESOURCE.label} > ${RECOVER_JOBS.label} gets them for Execution ID ${run.executionId}, and Options > Continue Execution starts the rest, too.`;
	const text = cleanText(`Stopped. What is paid for stays paid for. ${told.join('; ')}. ${way}`);
	run.context.logger.warn(`${run.context.getNode().name}: ${text}`);
	run.context.sendMessageToUI(text);
	return true;
}

/**
 * Says what a run has made: `8 completed, 64 credits, 970 left`. The credits are those that the service says it has charged
 * this execution.
 */
export function summarize(run: Run, rows: readonly Row[]): void {
	const jobOfRow = (row: Row) => run.seen.get(row.itemIndex) ?? jobInError(errorIn(row));
	const made = rows.flatMap((row) => {
		const job = jobOfRow(row);
		return job ? [{ row, job }] : [];
	});
	const unmade = rows.filter((row) => 'error' in row.result && !jobOfRow(row));
	const states = [
		...made.map(({ job }) => job.state ?? 'started'),
		...unmade.map(() => FAILED as string),
	];
	if (states.length === 0) return;
	const counts = [...new Set(states)].map(
		(state) => `${states.filter((one) => one === state).length} ${state}`,
	);
	const own = made.filter(({ row }) => row.order?.orderedIn === run.executionId);
	const used = own.flatMap(({ job }) => creditsTold(job, CREDITS_USED_FIELDS) ?? []);
	const left = own.flatMap(({ job }) => creditsTold(job, [CREDITS_REMAINING_FIELD]) ?? []);
	const isTold = used.length > 0 && used.length === own.length;
	const parts = [
		...counts,
		...(isTold ? [inCredits(used.reduce((sum, credits) => sum + credits, 0))] : []),
		// The answers to creations may come in another order than they were made.
		...(left.length > 0 ? [`${Math.min(...left)} left`] : []),
	];
	info(run, parts.join(', '));
}
