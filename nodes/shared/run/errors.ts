import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Settled } from '../orders/batch';
import { JobError, nameOf } from '../orders/job';
import { entriesIn, Ledger, replacedText, UnknownLedger } from '../orders/ledger';
import { doubtIn, jobOf, type InDoubt, type Order } from '../orders/order';
import { identifierIn, stateIn } from '../orders/readRecord';
import { urlsIn } from '../output/resultUrls';
import { ROLE_PARAMETER } from '../parameters/names';
import { answerText } from '../service/errorTexts';
import { MAX_TEXT, ServiceError } from '../service/serviceError';
import { cleanText } from '../service/shownText';
import { PROMPT_FIELD } from '../spec/answers';
import { capitalized, fieldNamed } from '../spec/conditions';
import { JOB_RESOURCE, RECOVER_JOBS } from '../spec/jobs';
import { nodeError, type NodeError, wordsOf } from './nodeError';
import { keepPaidJobs } from './paidJobs';
import { rowFirst, rowInWords } from './rows';
import { isTool, planIn, runIndexOf, type ItemPlan, type Plans, type Run } from './run';

/** The job an error is about, so that it is never lost. */
export function jobInError(error: unknown) {
	return error instanceof JobError ? error.job : undefined;
}

interface Outcome {
	itemIndex: number;
	plan?: ItemPlan;
	result: Settled<unknown>;
	/** What the ledger knows of the item. */
	order?: Order;
}

export function outcomeOf(
	run: Run,
	itemIndex: number,
	settled: Settled<ItemPlan> | undefined,
	result: Settled<unknown>,
): Outcome {
	const plan = planIn(settled);
	return { itemIndex, plan, result, order: storedOrder(run, itemIndex, plan) };
}

export const storedOrder = ({ ledger }: Run, itemIndex: number, plan?: ItemPlan) =>
	ledger.find(itemIndex, plan?.request);

type Results = ReadonlyArray<Settled<unknown>>;

/** @param results absent where nothing was sent */
const outcomesOf = (run: Run, plans: Plans, results: Results = plans.map(withoutResult)) =>
	results.map((result, itemIndex) => outcomeOf(run, itemIndex, plans[itemIndex], result));

const withoutResult = (plan: Settled<ItemPlan>): Settled<unknown> =>
	'error' in plan ? plan : { skipped: true };

const errorIn = ({ result }: Outcome) => ('error' in result ? result.error : undefined);

/**
 * The error of a run that stops: its first error, and what has become of the other items, in an earlier
 * try too, so that no paid job is lost (money rule 3).
 */
export function failure(run: Run, plans: Plans, results?: Results): NodeError {
	const outcomes = outcomesOf(run, plans, results);
	const failed = outcomes.filter(({ result }) => 'error' in result);
	const [first] = failed as [Outcome];
	const error = errorIn(first);
	const unnamed = unnamedText(first);
	if (outcomes.length === 1) return nodeError(run.context, error, { more: unnamed });
	const others = outcomes.filter((one) => one !== first);
	return nodeError(run.context, error, {
		message: cleanText(
			`${failed.length} of ${outcomes.length} failed: ${rowInWords(first.plan ?? first)}: ${wordsOf(error).message}`,
			MAX_TEXT,
		),
		more: [unnamed, othersText(others), wayBack(run, outcomes, first)].filter(Boolean).join(' '),
		details: others.flatMap((outcome) => rowText(outcome) ?? []),
	});
}

/** The error of a run that cannot begin: it names what an earlier try has paid for, or may have (money rule 3). */
export function failureToBegin(context: IExecuteFunctions, error: unknown): NodeError {
	const details = rowsBefore(context, error);
	const more = details.length > 0 ? 'What an earlier try has paid for stays paid for.' : '';
	return nodeError(context, error, { more, details });
}

function rowsBefore(context: IExecuteFunctions, error: unknown): string[] {
	const memory = context.getContext('node');
	const isEmpty = Object.keys(entriesIn(memory)).length === 0;
	// The error about another version names the jobs itself, and orders of a tool belong to no row.
	if (isEmpty || error instanceof UnknownLedger || isTool(context)) return [];
	const { orders } = new Ledger(memory, { index: runIndexOf(context) });
	const inOrder = [...orders].sort(([one], [other]) => one - other);
	return inOrder.flatMap(
		([itemIndex, order]) => rowText({ itemIndex, order, result: { skipped: true } }) ?? [],
	);
}

/** What has become of a row, in words; `undefined` where nothing was begun. */
function rowText(outcome: Outcome): string | undefined {
	const text = describe(outcome);
	return text && `${rowFirst(outcome.plan ?? outcome)}: ${text}`;
}

/** How many of the other rows are finished, ordered or not started; the message counts those that have failed. */
function othersText(others: readonly Outcome[]): string {
	const open = others.filter(({ result }) => !('error' in result));
	const finished = open.filter(({ result }) => 'value' in result).length;
	const untouched = open.filter((outcome) => describe(outcome) === undefined).length;
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
	{ context, executionId, signal }: Run,
	outcomes: readonly Outcome[],
	first: Outcome,
): string {
	const isPaid = outcomes.some(
		({ plan, result, order }) => plan?.operation.kind === 'create' && ('value' in result || order),
	);
	// A retry may order again what is in doubt: the text of that row says what to do first.
	const isDoubtful = outcomes.some(({ order }) => doubtIn(order));
	if (!isPaid || isTool(context)) return '';
	if (isDurable(context))
		return `A retry shows this error again. ${wayBackWithoutRetry(executionId)}`;
	if (isDoubtful) return '';
	if (signal?.aborted) return wayBackWithoutRetry(executionId);
	const error = errorIn(first);
	const hasPrompt = first.plan && fieldNamed(first.plan.operation, PROMPT_FIELD) !== undefined;
	const isPrompt = hasPrompt && error instanceof JobError && error.kind === 'failed';
	const retry = `To pay only for what is missing, ${isPrompt ? newPrompt(context, first) : ''}${RETRY}`;
	const isFinished = outcomes.some(({ result }) => 'value' in result);
	return isFinished ? `${retry} ${inEditor(executionId)}` : retry;
}

/** What puts the finished jobs into the editor, which a retried execution does not. */
const inEditor = (executionId: string) =>
	`${JOB_RESOURCE.label} > ${RECOVER_JOBS.label} for execution ${executionId}, in a node that nothing leads to, puts the finished ones into the editor.`;

/** Whether helpers ordered its jobs: n8n does not run a node again that has waited durably. */
const isDurable = (context: IExecuteFunctions) =>
	Boolean(context.getNode().parameters?.[ROLE_PARAMETER]);

/** How many characters of a prompt, as it is written, an error repeats. */
const MOST_WRITTEN = 300;

/**
 * What gives one row another prompt: a retry does not read the list again. The other rows have to ask for exactly what
 * they asked for before, or the retry would pay for them again. So nothing is said that an error would not show as it is.
 */
function newPrompt(context: IExecuteFunctions, { itemIndex }: Outcome): string {
	const typed = context.getNode().parameters?.[PROMPT_FIELD];
	const code = typeof typed === 'string' ? inCode(typed) : '';
	const isShown = code !== '' && cleanText(code, MOST_WRITTEN) === code && !/<|&\w/.test(code);
	return isShown
		? `set Prompt to {{ $itemIndex === ${itemIndex} ? 'the new prompt' : ${code} }}, then `
		: 'make Prompt an expression that is another text for this row and the same as before for the others, then ';
}

/** A parameter as it is written, as JavaScript: its text and its expressions. */
function inCode(typed: string): string {
	if (!typed.startsWith('=')) return JSON.stringify(typed);
	const [start = '', ...rest] = typed.slice(1).split('{{');
	const expressions = rest.map((part) => {
		const end = part.indexOf('}}');
		return { code: part.slice(0, end).trim(), text: part.slice(end + 2) };
	});
	const [first] = expressions;
	if (first && expressions.length === 1 && !start && !first.text) return first.code;
	const written = expressions.map(({ code, text }) => `\${${code}}${inTemplate(text)}`);
	return `\`${inTemplate(start)}${written.join('')}\``;
}

/** A text within backticks. */
const inTemplate = (text: string) => text.replace(/[`\\$]/g, '\\$&').replaceAll('\n', '\\n');

const RETRY =
	'open this execution under Executions and choose Retry with currently saved workflow (the bent arrow). A new run pays for all rows again.';

/** Names the execution: if that is of a called workflow, the error is seen in the calling one, too. */
const wayBackWithoutRetry = (executionId: string) =>
	`To get what is paid for, use ${JOB_RESOURCE.label} > ${RECOVER_JOBS.label} for execution ${executionId}. A new run pays for all rows again.`;

/** What has become of an item, in words; `undefined` where nothing was begun. */
function describe(outcome: Outcome): string | undefined {
	const texts = [describeOwn(outcome), replacedText(outcome.order)];
	return texts.filter(Boolean).join('; ') || undefined;
}

function describeOwn(outcome: Outcome): string | undefined {
	const { plan, result, order } = outcome;
	const job = jobOf(order);
	const doubt = doubtIn(order);
	if ('error' in result) {
		const { message } = result.error as Error;
		const earlier = earlierText(outcome);
		if (earlier !== '') return `${message}. ${earlier}`;
		return doubt ? unknownOutcomeWith(message, doubt) : message;
	}
	if ('value' in result)
		return plan?.passesOn ? 'no job ID' : finished(result.value, plan, job?.id);
	if (job) return `job ${nameOf(job)}, paid for by an earlier try`;
	return doubt && unknownOutcomeWith(doubt.unknownOutcome, doubt);
}

function unknownOutcomeWith(message: string, { answer, candidates = [] }: InDoubt): string {
	const ids = candidates.map(({ jobId }) => jobId);
	const mayExist = ids.length > 0 ? `it may be job ${ids.join(' or ')}` : 'a job may exist';
	return [`${message} (${mayExist})`, answerText(answer)].filter(Boolean).join('. ');
}

/** Whether a text names an identifier as a word of its own: "3" is not in "3:2". */
export function isNamedIn(text: string, id: string): boolean {
	return text.split(/[\s,;()]+/).some((word) => word.replace(/[.:]$/, '') === id);
}

/** What a failed item has made, or may have, that its error does not name: in an earlier try or a replaced order. */
export function unnamedText(outcome: Outcome): string {
	const texts = [earlierText(outcome), replacedText(outcome.order)];
	return texts.flatMap((text) => (text ? [`${capitalized(text)}.`] : [])).join(' ');
}

/** What an earlier try of an item has paid for, or may have, if its error is about something else; else empty. */
function earlierText(outcome: Outcome): string {
	const { order } = outcome;
	const error = errorIn(outcome);
	const job = jobOf(order);
	const isNamed = !job || isNamedIn(String(Object(error).message), job.id);
	if (!isNamed) return `An earlier try of this item has paid for job ${nameOf(job)}`;
	const doubt = doubtIn(order);
	if (!doubt || (error instanceof ServiceError && error.outcome === 'unknown')) return '';
	return `An earlier try of this item: ${unknownOutcomeWith(doubt.unknownOutcome, doubt)}`;
}

function finished(value: unknown, plan?: ItemPlan, jobId?: string): string {
	const items = isAboutJob(plan) ? (value as INodeExecutionData[]) : [];
	const texts = items.map(({ json }) => {
		// A record that is not simplified may have anything in these fields.
		const id = [json.jobId, jobId, identifierIn(json)?.value].find(isText);
		const found = urlsIn(json, plan?.values).map(({ url }) => url);
		const urls: unknown[] = Array.isArray(json.mediaUrls) ? json.mediaUrls : found;
		return [`job ${id}`, stateIn(json), ...urls.filter(isText)].filter(isText).join(' ');
	});
	return texts.length > 0 ? texts.join(', ') : 'done';
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

const isAboutJob = (plan?: ItemPlan) => plan && ['create', 'status'].includes(plan.operation.kind);

/**
 * Says what became of the jobs of a stopped run, including finished ones and creations of unknown outcome. n8n
 * drops the output of a stopped node, so this goes to n8n's log and, for a run started in the editor, to the
 * browser's console; the jobs go to an execution that keeps them.
 */
export async function reportStopped(run: Run, plans: Plans, results?: Results): Promise<void> {
	const outcomes = outcomesOf(run, plans, results).filter(mayHaveMade);
	const told = outcomes.flatMap((outcome) => rowText(outcome) ?? []);
	if (told.length === 0) return;
	const kept = await keepPaidJobs(run, plans);
	const way =
		kept === undefined
			? 'Read the jobs with Job > Get Status or Job > Wait for Completion.'
			: `Execution ${kept} of this workflow shows the jobs, and ${JOB_RESOURCE.label} > ${RECOVER_JOBS.label} gets them for Execution ID ${run.executionId}.`;
	const text = cleanText(`Stopped. What is paid for stays paid for. ${told.join('; ')}. ${way}`);
	run.context.logger.warn(`${run.context.getNode().name}: ${text}`);
	run.context.sendMessageToUI(text);
}

/** Whether an item has made something, or may have: also one whose row cannot be read any more. */
const mayHaveMade = ({ plan, order }: Outcome) => isAboutJob(plan) || order !== undefined;
