import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { type Job, JobError, nameOf } from '../orders/job';
import { adviceOf, doubtIn, jobOf, type Order } from '../orders/order';
import { stateIn } from '../orders/readRecord';
import { arranged, flatWithout, promptOf } from '../output/itemFields';
import { jobOutput, type Origin, originOf } from '../output/jobOutput';
import {
	type Advice,
	answerText,
	IN_DOUBT,
	JOB_FAILED,
	JOB_TO_READ,
	notCharged,
	ServiceError,
	shownAnswer,
} from '../service/serviceError';
import { cleanText } from '../service/shownText';
import { creationNamed } from '../spec/catalogs';
import { capitalized, firstInWords } from '../spec/conditions';
import type { Operation } from '../spec/operation';
import type { ItemPlan, PaidOrder, Row } from './run';

/*
 * What is told of rows and orders: in the error of a run, a failed item, what is said after Stop, the execution that keeps
 * the jobs, *Get Paid Jobs Back*, the summary.
 */

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
	if (job) return `job ${nameOf(job)}${order.outcome.state === 'failed' ? ', which failed' : ''}`;
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
 * What a failed row says about money, judged by its order, or else by its error.
 *
 * @param kind what was carried out for it. Where nothing was even begun: `status` if the item names a job to read,
 *   otherwise `undefined`
 * @param creditsUsed credits that the service has charged for the job
 */
export function adviceOn(
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

/** An order as the JSON of an item, as last known: the service is not asked. */
export function paidJson({ order, executionId, node }: PaidOrder): IDataObject {
	const { run, row, started } = order;
	const { prompt = null, model = null, operation } = started;
	const by = { executionId, node, runIndex: run, itemIndex: row, prompt, model };
	const { why, mayBe, answer } = doubtIn(order) ?? {};
	const job = jobOf(order);
	if (!job) {
		const open = {
			...(mayBe && { mayBeJobs: mayBe as object[] as IDataObject[] }),
			...(answer && { answer: shownAnswer(answer) }),
		};
		const told = { ...open, ...by, ...adviceOf(order) };
		return arranged({ jobId: null, status: null, unknownOutcome: why, ...told }, 'order');
	}
	const { id, creation } = job;
	const { state } = order.outcome;
	const seen = {
		...{ id, creation, record: creation, waitedMs: 0 },
		state: state === 'running' ? stateIn(creation) : state,
	};
	// How long the node has waited for the job is not known here.
	const known = flatWithout(jobOutput(seen, originIn(order, job), OUTPUT), 'waitedMs');
	const createdAt = new Date(job.startedAt).toISOString();
	return arranged({ ...known, createdAt, ...by, operation, ...adviceOf(order) }, 'order');
}

const OUTPUT = { simplify: true, resultField: '' };

/** What an order tells of its job besides the record. */
export function originIn({ started }: Order, job: Job): Origin {
	const { resource, prompt, isFree: isOfFree } = started;
	const operation = creationNamed(resource, started.operation);
	// Another version of the package may have had it.
	if (!operation) return { route: job.status, statusPath: job.link, isAnswerOpen: true };
	return { ...originOf(operation, {}, job), prompt, isFree: isOfFree };
}

/*
 * Items as a person counts them: n8n's editor numbers the rows of a table from 1. In data (`itemIndex`,
 * `$itemIndex`), items count from 0, as everywhere in n8n.
 */

export const rowNumber = (itemIndex: number): number => itemIndex + 1;

/** How many characters of its prompt name a row. */
const FIRST_WORDS = 40;

/** A row; its operation and values, where they are known. */
type NamedRow = Pick<ItemPlan, 'itemIndex'> & Partial<ItemPlan>;

/** Names a row: `row 3, "A sourdough loaf"`; without a prompt `row 3`. */
export function rowInWords({ itemIndex, operation, values }: NamedRow): string {
	const prompt = operation && values ? promptOf(operation, values) : undefined;
	const row = `row ${rowNumber(itemIndex)}`;
	return prompt === undefined ? row : `${row}, "${cleanText(prompt, FIRST_WORDS)}"`;
}

/** The same at the start of a sentence. */
export const rowFirst = (row: NamedRow): string => capitalized(rowInWords(row));

const MOST_SHOWN = 10;

/** Names rows: `row 2`, `rows 2, 5 and 7`, `rows 1, 2 … and 90 more`. */
export function rowsInWords(items: ReadonlyArray<{ itemIndex: number }>): string {
	const numbers = items.map(({ itemIndex }) => rowNumber(itemIndex));
	return `${items.length === 1 ? 'row' : 'rows'} ${firstInWords(numbers, MOST_SHOWN)}`;
}
