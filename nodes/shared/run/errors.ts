import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Settled } from '../jobs/batch';
import { JobError, nameOf } from '../jobs/job';
import { replacedText } from '../jobs/ledger';
import { doubtIn, jobOf, type InDoubt, type Order } from '../jobs/order';
import { identifierIn, stateIn } from '../jobs/readRecord';
import { mediaUrlsIn } from '../output/mediaUrls';
import { PROMPT_ON_RETRY_LABEL, ROLE_PARAMETER } from '../parameters/names';
import { answerText, unknownOutcomeText } from '../service/errorTexts';
import { MAX_TEXT } from '../service/serviceError';
import { cleanText } from '../service/shownText';
import { PROMPT_FIELD } from '../spec/answers';
import { capitalized, fieldNamed } from '../spec/conditions';
import { JOB_RESOURCE, RECOVER_JOBS } from '../spec/jobs';
import { nodeError, type NodeError } from './nodeError';
import { keepPaidJobs } from './paidJobs';
import { rowFirst, rowInWords } from './rows';
import { isTool, planIn, type ItemPlan, type Plans, type Run } from './run';

/** The job an error is about, so that it is never lost. */
export function jobInError(error: unknown) {
	return error instanceof JobError ? error.job : undefined;
}

/** What is known of one item: its plan, where it has one, and what became of it. */
interface ItemOutcome {
	itemIndex: number;
	plan: Settled<ItemPlan> | undefined;
	result: Settled<unknown>;
}

/**
 * The error of a run that stops: the first of its errors, and whatever has become of the other
 * items, those of an earlier try too, so that no paid job is lost (money rule 3).
 */
export function failure(
	run: Run,
	plans: Plans,
	results: ReadonlyArray<Settled<unknown>> = plans.map(withoutResult),
): NodeError {
	const first = results.findIndex((result) => 'error' in result);
	const result = results[first];
	const error = result && 'error' in result ? result.error : undefined;
	const unnamed = unnamedText(run, first, plans[first], error);
	if (results.length === 1) return nodeError(run.context, error, { more: unnamed });
	const failed = results.filter((one) => 'error' in one).length;
	const outcomes = results.map((one, itemIndex) => ({
		itemIndex,
		plan: plans[itemIndex],
		result: one,
	}));
	const others = outcomes.filter(({ itemIndex }) => itemIndex !== first);
	const row = rowInWords({ ...planIn(plans[first]), itemIndex: first });
	return nodeError(run.context, error, {
		message: cleanText(
			// @error(waiting) <number> of <number> failed: <row>: <error>
			// Look up the error of that row. The details of the error have a line for each other row. To
			// pay only for what is missing, use _Retry with currently saved workflow_ on this execution. It
			// does not read your list again: for another prompt, add _Options > Prompt on Retry_.
			// [More](money.md#retries)
			// @charged Each row that has a job, once, also if the job has failed.
			`${failed} of ${results.length} failed: ${row}: ${messageOf(error)}`,
			MAX_TEXT,
		),
		more: [unnamed, othersText(run, others), wayBack(run, plans, results, error)]
			.filter(Boolean)
			.join(' '),
		details: others.flatMap((outcome) => rowText(run, outcome) ?? []),
	});
}

const messageOf = (error: unknown) => (error as Error).message || String(error);

/** What has become of a row, in words; `undefined` where nothing was begun. */
function rowText(run: Run, outcome: ItemOutcome): string | undefined {
	const { itemIndex, plan } = outcome;
	const text = describeOutcome(run, outcome);
	return text && `${rowFirst({ ...planIn(plan), itemIndex })}: ${text}`;
}

/** How many of the other rows have come to what; those that have failed are counted before. */
function othersText(run: Run, others: readonly ItemOutcome[]): string {
	const open = others.filter(({ result }) => !('error' in result));
	const finished = open.filter(({ result }) => 'value' in result);
	const untouched = open.filter((outcome) => describeOutcome(run, outcome) === undefined);
	const left = open.length - finished.length - untouched.length;
	const parts = [
		...(finished.length > 0 ? [`${finished.length} finished`] : []),
		...(left > 0 ? [`${left} ordered by an earlier try`] : []),
		...(untouched.length > 0 ? [`${untouched.length} not started and not charged`] : []),
	];
	return parts.length > 0 ? `The others: ${parts.join(', ')}.` : '';
}

/** How to pay for what is missing alone; empty where nothing was paid for. */
function wayBack(
	run: Run,
	plans: Plans,
	results: ReadonlyArray<Settled<unknown>>,
	error: unknown,
): string {
	const paid = plans.filter((plan, itemIndex) => {
		const isOrder = planIn(plan)?.operation.kind === 'create';
		return isOrder && ('value' in (results[itemIndex] ?? {}) || storedOrder(run, itemIndex, plan));
	});
	const orders = plans.map((plan, itemIndex) => storedOrder(run, itemIndex, plan));
	// What nobody knows of, a retry may order again: the row says what to do first.
	const isDoubtful = orders.some((order) => doubtIn(order));
	if (paid.length === 0 || isDoubtful || isTool(run.context.getNode())) return '';
	if (isDurable(run.context)) return DURABLE_WAY_BACK;
	const { operation } = planIn(plans[results.findIndex((one) => 'error' in one)]) ?? {};
	const hasPrompt = operation && fieldNamed(operation, PROMPT_FIELD) !== undefined;
	const isPrompt = hasPrompt && error instanceof JobError && error.kind === 'failed';
	return `To pay only for what is missing, ${isPrompt ? NEW_PROMPT : ''}${RETRY}`;
}

/** Whether its jobs were ordered by helpers: n8n does not run a node again that has waited durably. */
const isDurable = (context: IExecuteFunctions) =>
	Boolean(context.getNode().parameters?.[ROLE_PARAMETER]);

const NEW_PROMPT = `give this row another prompt (Options > ${PROMPT_ON_RETRY_LABEL}), then `;

const RETRY =
	'open this execution under Executions and choose Retry with currently saved workflow (the bent arrow). A new run pays for all rows again.';

const DURABLE_WAY_BACK = `To get what is paid for, use ${JOB_RESOURCE.label} > ${RECOVER_JOBS.label} for this execution. A new run pays for all rows again.`;

const withoutResult = (plan: Settled<ItemPlan>): Settled<unknown> =>
	'error' in plan ? plan : { skipped: true };

/** In words; `undefined` where nothing was begun. */
function describeOutcome(run: Run, outcome: ItemOutcome): string | undefined {
	const { itemIndex, plan, result } = outcome;
	const lost = lostText(run, itemIndex, plan);
	const isMade = lost !== '' && !('error' in result);
	const own = isMade ? '' : describeOwnOutcome(run, outcome);
	const replaced = replacedText(storedOrder(run, itemIndex, plan));
	return [own, lost, replaced].filter(Boolean).join('; ') || undefined;
}

function describeOwnOutcome(
	run: Run,
	{ itemIndex, plan, result }: ItemOutcome,
): string | undefined {
	const own = planIn(plan);
	const order = storedOrder(run, itemIndex, plan);
	const job = jobOf(order);
	const doubt = doubtIn(order);
	if ('error' in result) {
		const { message } = result.error as Error;
		if (doubt) return unknownOutcomeWith(message, doubt, own);
		return !job || isNamedIn(message, job.id) ? message : `job ${nameOf(job)}: ${message}`;
	}
	if ('value' in result && own?.passesOn) return 'no job ID';
	if ('value' in result) return finished(result.value, own, job?.id);
	if (job) return `job ${nameOf(job)}, paid for by an earlier try`;
	return doubt && unknownOutcomeWith(doubt.unknownOutcome, doubt, own);
}

function unknownOutcomeWith(message: string, doubt: InDoubt, plan?: ItemPlan): string {
	return [`${message} (${whatMayExist(doubt, plan)})`, answerText(doubt.answer)]
		.filter(Boolean)
		.join('. ');
}

function whatMayExist({ candidates = [] }: InDoubt, plan?: ItemPlan): string {
	if (candidates.length > 0) {
		return `it may be job ${candidates.map(({ jobId }) => jobId).join(' or ')}`;
	}
	if (!plan) return 'a job may exist';
	const { operation } = plan;
	// Such as that of an API key.
	if (operation.kind !== 'create') return 'it may have been carried out';
	return unknownOutcomeText(operation).short;
}

/** As a word of its own: the identifier "3" is not in "3:2". */
export function isNamedIn(text: string, id: string): boolean {
	return text.split(/[\s,;()]+/).some((word) => word.replace(/[.:]$/, '') === id);
}

/** What the item has made besides jobs, and is not handed on. */
function lostText({ ledger }: Run, itemIndex: number, plan?: Settled<ItemPlan>): string {
	return ledger.madeFor(itemIndex, planIn(plan)?.request)?.ifLost ?? '';
}

/** What the ledger knows of an item. */
export function storedOrder(
	{ ledger }: Run,
	itemIndex: number,
	plan?: Settled<ItemPlan>,
): Order | undefined {
	return ledger.find(itemIndex, planIn(plan)?.request);
}

/** What the item itself has made that its error does not name: by an earlier try, or replaced. */
export function unnamedText(
	run: Run,
	itemIndex: number,
	plan: Settled<ItemPlan> | undefined,
	error: unknown,
): string {
	const order = storedOrder(run, itemIndex, plan);
	const { message, description = '' } = Object(error) as { message: string; description?: string };
	const job = jobOf(order);
	const isOwn = error instanceof JobError && error.job.id === job?.id;
	const isNamed = !job || isOwn || isNamedIn(`${message} ${description}`, job.id);
	const paid = isNamed ? '' : `An earlier try of this item has paid for job ${nameOf(job)}`;
	const texts = [paid, lostText(run, itemIndex, plan), replacedText(order)];
	return texts.flatMap((text) => (text ? [`${capitalized(text)}.`] : [])).join(' ');
}

function finished(value: unknown, plan?: ItemPlan, jobId?: string): string {
	const items = isAboutJob(plan) ? (value as INodeExecutionData[]) : [];
	const texts = items.map(({ json }) => {
		// A record that is not simplified has whatever the service put there.
		const id = [json.jobId, jobId, identifierIn(json)?.value].find(isText);
		const found = mediaUrlsIn(json, { request: plan?.values }).map(({ url }) => url);
		const urls: unknown[] = Array.isArray(json.mediaUrls) ? json.mediaUrls : found;
		return [`job ${id}`, stateIn(json), ...urls.filter(isText)].filter(isText).join(' ');
	});
	return texts.length > 0 ? texts.join(', ') : 'done';
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

const isAboutJob = (plan?: ItemPlan) => plan && ['create', 'status'].includes(plan.operation.kind);

/**
 * Says what became of the jobs of a run that was stopped, finished ones and creations of unknown outcome too.
 * n8n drops what a stopped node gives out, so this goes to n8n's log and, of a run started in the
 * editor, to the browser's console; the jobs go to an execution that keeps them.
 *
 * @param results none yet, where it was stopped before anything was sent
 */
export async function reportStopped(
	run: Run,
	plans: Plans,
	results: ReadonlyArray<Settled<unknown>> = plans.map(withoutResult),
): Promise<void> {
	const told = results.flatMap((result, itemIndex) => {
		const plan = plans[itemIndex];
		return isAboutJob(planIn(plan)) ? (rowText(run, { itemIndex, plan, result }) ?? []) : [];
	});
	if (told.length === 0) return;
	const kept = await keepPaidJobs(run, plans);
	const way =
		kept === undefined
			? 'Read the jobs with Job > Get Status or Job > Wait for Completion.'
			: `Execution ${kept} of this workflow shows the jobs, and Job > Recover From Execution gets them for Execution ID ${run.executionId}.`;
	const text = cleanText(`Stopped. What is paid for stays paid for. ${told.join('; ')}. ${way}`);
	run.context.logger.warn(`${run.context.getNode().name}: ${text}`);
	run.context.sendMessageToUI(text);
}
