import { doubtText, UNNAMED_JOB } from '../service/errorTexts';
import { identityOf } from '../service/request';
import { ServiceError } from '../service/serviceError';
import { fingerprint } from './ledger';
import type { CreatedJob, JobContext, JobSpec } from './jobContext';
import { doubtIn, hasFailed, jobOf, type InDoubt, type Order, type OrderEvent } from './order';

/** Whose orders they are, and by whose word. */
type Orders = Pick<JobContext, 'ledger' | 'executionId' | 'isRetry' | 'parameters'>;

/** What the ledger has of an order, unless a person has ordered anew. */
export function orderOf(
	run: Orders,
	jobSpec: Pick<JobSpec, 'itemIndex' | 'request'>,
): Order | undefined {
	const order = run.ledger.find(jobSpec.itemIndex, jobSpec.request);
	return order && !isNewOrder(run, jobSpec, order) ? order : undefined;
}

/**
 * The job that an earlier try has paid for.
 *
 * @throws ServiceError where it is not known whether there is one (`doubtOf`)
 */
export function findJob(run: JobContext, jobSpec: JobSpec): CreatedJob | undefined {
	const doubt = doubtOf(run, jobSpec);
	if (doubt) throw doubt;
	const order = orderOf(run, jobSpec);
	const job = jobOf(order);
	if (!job) return undefined;
	if (order?.state === 'ended') return { job };
	const { loop, detached } = run.account;
	// In this order: whoever waits for a place must not get that of a job which runs on.
	const place = loop.occupy(run);
	detached.free(job.id);
	return { job, place };
}

/**
 * Why an order is not sent: the outcome of an earlier creation is unknown (money rule 1); `undefined`
 * where it may be sent, or has its job.
 */
export function doubtOf(run: JobContext, jobSpec: JobSpec): ServiceError | undefined {
	const doubt = doubtIn(orderOf(run, jobSpec));
	return doubt && stillUnknown(doubt, jobSpec);
}

/**
 * Only a person orders anew, by *Retry execution*, having read what happened: a job that failed, a
 * creation of unknown outcome, or something else than before. A request that has come out differently by itself
 * (`$now`, a random word) is the same order, and so is whatever *Retry On Fail* sends (money rule 6).
 */
function isNewOrder(run: Orders, jobSpec: Pick<JobSpec, 'request'>, order: Order): boolean {
	if (!isRetriedByPerson(run, order)) return false;
	if (order.state === 'inDoubt' || hasFailed(order)) return true;
	return isChangedByPerson(run, jobSpec, order);
}

/** Whether an order is for what its item asks for now: a person may have asked for another, which was refused. */
export function isStillWanted(
	run: Orders,
	jobSpec: Pick<JobSpec, 'request'>,
	order: Order,
): boolean {
	const { request } = jobSpec;
	const isSame = order.request === fingerprint(identityOf(request));
	return (isSame && request.ownPrompt === undefined) || !isNewOrder(run, jobSpec, order);
}

/**
 * Whether an item has a job that is waited for whatever its request has become: that needs none of its files.
 * Not of an agent's tool, whose orders are known by their requests.
 */
export function isPaidFor(run: JobContext, itemIndex: number, isTool: boolean): boolean {
	const order = isTool ? undefined : run.ledger.find(itemIndex);
	if (!order || !jobOf(order)) return false;
	const isSame = order.parameters === run.parameters;
	return !isRetriedByPerson(run, order) || (isSame && !hasFailed(order));
}

/** Whether a person has run the execution again that was last at work on the order. */
function isRetriedByPerson(run: Orders, { executionId }: Order): boolean {
	return run.isRetry && executionId !== run.executionId;
}

/** Whether a person has changed the node such that it asks for something else. */
export function isChangedByPerson(
	{ parameters }: Pick<Orders, 'parameters'>,
	{ request }: Pick<JobSpec, 'request'>,
	order: Order,
): boolean {
	return order.parameters !== parameters && order.request !== fingerprint(identityOf(request));
}

/** An order that is not sent again: the first try may have been paid for. */
export class StillInDoubt extends ServiceError {
	override readonly heading = 'starting-jobs';
}

function stillUnknown(
	{ unknownOutcome, answer, isAccepted, candidates }: InDoubt,
	{ operation }: JobSpec,
): ServiceError {
	const named = isAccepted ? UNNAMED_JOB.description : '';
	return new StillInDoubt({
		// @error(starting) Not sent again, since the first try may have been paid for: <error>
		// The error names the jobs of the generation history that may be this one. The node takes none by
		// itself: others may have started a job with the same prompt.
		// @charged Perhaps.
		message: `Not sent again, since the first try may have been paid for: ${unknownOutcome}`,
		description: [doubtText(operation, candidates), named].filter(Boolean).join(' '),
		outcome: 'unknown',
		answer,
	});
}

/** Puts into the ledger what has happened to an order. */
export function remember(
	{ ledger, executionId, parameters }: Omit<Orders, 'isRetry'>,
	{ itemIndex, request }: Pick<JobSpec, 'itemIndex' | 'request'>,
	event: OrderEvent,
): void {
	const by = { executionId, parameters, request: fingerprint(identityOf(request)) };
	ledger.remember(itemIndex, request, event, by);
}
