import {
	NodeApiError,
	NodeOperationError,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';

import type { Settled } from '../jobs/batch';
import { JobError, nameOf } from '../jobs/job';
import { replacedText } from '../jobs/ledger';
import { doubtIn, jobOf, type InDoubt, type Order } from '../jobs/order';
import { identifierIn, stateIn } from '../jobs/readRecord';
import { mediaUrlsIn } from '../output/mediaUrls';
import { answerText, unknownOutcomeText } from '../service/errorTexts';
import { ServiceError } from '../service/serviceError';
import { cleanText } from '../service/shownText';
import { keepPaidJobs } from './paidJobs';
import { planIn, type ItemPlan, type Plans, type Run } from './run';

export type NodeError = NodeApiError | NodeOperationError;

/**
 * Any error as n8n's editor shows it best, with the item it belongs to.
 *
 * @param more text added to the description
 */
export function nodeError(
	context: Pick<IExecuteFunctions, 'getNode'>,
	error: unknown,
	itemIndex?: number,
	more = '',
): NodeError {
	const node = context.getNode();
	const { description: own } = error as { description?: unknown };
	const told = typeof own === 'string' ? own : '';
	const description = cleanText([told, more].filter(Boolean).join(' '));
	if (error instanceof ServiceError) {
		const { message, status } = error;
		const httpCode = status === undefined ? undefined : String(status);
		return new NodeApiError(node, { message }, { message, description, httpCode, itemIndex });
	}
	// A fresh error: what n8n's own errors carry besides (request, response) must not be stored.
	const message = cleanText((error as Error).message || String(error));
	return new NodeOperationError(node, message, { description, itemIndex });
}

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
	const urls = new ShownUrls();
	const outcomes = results.map((result, itemIndex) =>
		itemIndex === first
			? ''
			: describeOutcome(run, { itemIndex, plan: plans[itemIndex], result }, urls),
	);
	const told = outcomes.flatMap((text, index) => (text ? [`item ${index}: ${text}`] : []));
	const untouched = outcomes.filter((text) => text === undefined).length;
	const result = results[first];
	const error = result && 'error' in result ? result.error : undefined;
	const more = [
		unnamedText(run, first, plans[first], error),
		told.length > 0 ? `Other items of this run: ${urls.after(told.join('; '))}.` : '',
		untouched > 0 ? `Not started and not charged: ${untouched} more.` : '',
	]
		.filter(Boolean)
		.join(' ');
	return nodeError(run.context, error, first, more);
}

const withoutResult = (plan: Settled<ItemPlan>): Settled<unknown> =>
	'error' in plan ? plan : { skipped: true };

/** In words; `undefined` where nothing was begun. */
function describeOutcome(run: Run, outcome: ItemOutcome, urls: ShownUrls): string | undefined {
	const { itemIndex, plan, result } = outcome;
	const lost = lostText(run, itemIndex, plan);
	const isMade = lost !== '' && !('error' in result);
	const own = isMade ? '' : describeOwnOutcome(run, outcome, urls);
	const replaced = replacedText(storedOrder(run, itemIndex, plan));
	return [own, lost, replaced].filter(Boolean).join('; ') || undefined;
}

function describeOwnOutcome(
	run: Run,
	{ itemIndex, plan, result }: ItemOutcome,
	urls: ShownUrls,
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
	if ('value' in result) return finished(result.value, urls, own, job?.id);
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
function isNamedIn(text: string, id: string): boolean {
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

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** URLs in a text about a whole run: some of them, and how many more there are; ids are all there. */
class ShownUrls {
	private static readonly MOST = 3;
	private count = 0;

	/** Those that are still to be shown. */
	take(urls: readonly string[]): string[] {
		const left = Math.max(0, ShownUrls.MOST - this.count);
		this.count += urls.length;
		return urls.slice(0, left);
	}

	/** The text, and how many URLs are not in it. */
	after(text: string): string {
		const more = this.count - ShownUrls.MOST;
		return more > 0 ? `${text}; and ${more} more URL${more === 1 ? '' : 's'}` : text;
	}
}

function finished(value: unknown, shown: ShownUrls, plan?: ItemPlan, jobId?: string): string {
	const items = isAboutJob(plan) ? (value as INodeExecutionData[]) : [];
	const texts = items.map(({ json }) => {
		// A record that is not simplified has whatever the service put there.
		const id = [json.jobId, jobId, identifierIn(json)?.value].find(isText);
		const found = mediaUrlsIn(json, { request: plan?.values }).map(({ url }) => url);
		const urls: unknown[] = Array.isArray(json.mediaUrls) ? json.mediaUrls : found;
		return [`job ${id}`, stateIn(json), ...shown.take(urls.filter(isText))]
			.filter(isText)
			.join(' ');
	});
	return texts.length > 0 ? texts.join(', ') : 'done';
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

const isAboutJob = (plan?: ItemPlan) => plan && ['create', 'status'].includes(plan.operation.kind);

/**
 * Says what became of the jobs of a run that was stopped, finished ones and creations of unknown outcome too.
 * n8n drops what a stopped node gives out, so this goes to n8n's log and, of a run started in the
 * editor, to the browser's console; the jobs go to an execution that keeps them.
 */
export async function reportStopped(
	run: Run,
	plans: Plans,
	results: ReadonlyArray<Settled<unknown>>,
): Promise<void> {
	const urls = new ShownUrls();
	const told = results.flatMap((result, index) => {
		const plan = plans[index];
		if (!isAboutJob(planIn(plan))) return [];
		const outcome = describeOutcome(run, { itemIndex: index, plan, result }, urls);
		return outcome === undefined ? [] : [`item ${index}: ${outcome}`];
	});
	if (told.length === 0) return;
	const kept = await keepPaidJobs(run, plans);
	const way =
		kept === undefined
			? 'Read the jobs with Job > Get Status or Job > Wait for Completion.'
			: `Execution ${kept} of this workflow shows the jobs, and Job > Recover From Execution lists them for Execution ID ${run.executionId}.`;
	const text = cleanText(
		`Stopped. What is paid for stays paid for: ${urls.after(told.join('; '))}. ${way}`,
	);
	run.context.logger.warn(`${run.context.getNode().name}: ${text}`);
	run.context.sendMessageToUI(text);
}
