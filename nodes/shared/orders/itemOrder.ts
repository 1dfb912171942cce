import { doubtText, UNNAMED_JOB } from '../service/errorTexts';
import { identityOf } from '../service/request';
import { ServiceError } from '../service/serviceError';
import { sentences } from '../service/shownText';
import { fingerprint } from './ledger';
import type { CreatedJob, JobContext, JobSpec } from './jobContext';
import { doubtIn, hasFailed, jobOf, type InDoubt, type Order, type OrderEvent } from './order';

/** The ledger of a run, and what tells whether a person has ordered anew. */
type Orders = Pick<JobContext, 'ledger' | 'executionId' | 'isRetry' | 'parameters'>;

/** The order of an item in the ledger; `undefined` if a person has ordered anew. */
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
	// Taken before the old one is freed: a run that waits for a place must not get that of a running job.
	const place = loop.occupy(run);
	detached.free(job.id);
	return { job, place };
}

/**
 * Why an order is not sent: the outcome of an earlier creation is unknown (money rule 1); `undefined`
 * where it may be sent, or has its job.
 */
export function doubtOf(run: JobContext, jobSpec: JobSpec): ServiceError | undefined {
	const order = orderOf(run, jobSpec);
	// One that is being sent is sent by this run.
	const doubt = order?.state === 'sending' ? undefined : doubtIn(order);
	return doubt && stillUnknown(doubt, jobSpec);
}

/**
 * Whether a person has ordered anew. Only *Retry execution* does that, after a failed job or a creation of unknown
 * outcome, or if the person has changed what the node asks for. A request that changed without that (`$now`, a random
 * word) is the same order, and so is whatever *Retry On Fail* sends (money rule 6).
 */
function isNewOrder(run: Orders, jobSpec: Pick<JobSpec, 'request'>, order: Order): boolean {
	if (!isRetriedByPerson(run, order)) return false;
	if (order.state === 'inDoubt' || hasFailed(order)) return true;
	return isChangedByPerson(run, jobSpec, order);
}

/** Whether an order is for what its item asks for now. A person may have changed that, and the new order was refused. */
export function isStillWanted(
	run: Orders,
	jobSpec: Pick<JobSpec, 'request'>,
	order: Order,
): boolean {
	const { request } = jobSpec;
	const isSame = order.request === fingerprint(identityOf(request));
	return isSame || !isNewOrder(run, jobSpec, order);
}

/**
 * Whether an item has a job that is waited for even if its request is another by now, so that its files are not needed.
 * Never for an agent's tool, whose orders are known by their requests.
 */
export function isPaidFor(run: JobContext, itemIndex: number, isTool: boolean): boolean {
	const order = isTool ? undefined : run.ledger.find(itemIndex);
	if (!order || !jobOf(order)) return false;
	const isSame = order.parameters === run.parameters;
	return !isRetriedByPerson(run, order) || (isSame && !hasFailed(order));
}

/** Whether a person has retried the execution that last worked on the order. */
function isRetriedByPerson(run: Orders, { executionId }: Order): boolean {
	return run.isRetry && executionId !== run.executionId;
}

/** Whether a person has changed the node so that it asks for something else. */
export function isChangedByPerson(
	{ parameters }: Pick<Orders, 'parameters'>,
	{ request }: Pick<JobSpec, 'request'>,
	order: Order,
): boolean {
	return order.parameters !== parameters && order.request !== fingerprint(identityOf(request));
}

/** Why an order is not sent again: the first try may have been paid for. */
export class StillInDoubt extends ServiceError {}

function stillUnknown(
	{ unknownOutcome, answer, isAccepted, candidates }: InDoubt,
	{ operation }: JobSpec,
): ServiceError {
	return new StillInDoubt({
		message: `Not sent again, since the first try may have been paid for: ${unknownOutcome}`,
		description: sentences(
			doubtText(operation, candidates ?? []),
			isAccepted ? UNNAMED_JOB.description : '',
		),
		outcome: 'unknown',
		answer,
	});
}

/** Puts into the ledger what has happened to an order. */
export function remember(
	{ ledger, executionId, parameters }: Orders,
	{ itemIndex, request }: Pick<JobSpec, 'itemIndex' | 'request'>,
	event: OrderEvent,
): void {
	const by = { executionId, parameters, request: fingerprint(identityOf(request)) };
	ledger.remember(itemIndex, request, event, by);
}
