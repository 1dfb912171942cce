import type { IExecuteFunctions } from 'n8n-workflow';

import { JobError } from '../orders/job';
import { StillInDoubt } from '../orders/itemOrder';
import { entriesIn, Ledger, UnknownLedger } from '../orders/ledger';
import { adviceOf, jobOf, type OrderFacts } from '../orders/order';
import {
	type Advice,
	IN_DOUBT,
	JOB_FAILED,
	JOB_TO_READ,
	notCharged,
	ofFree,
} from '../service/retryAdvice';
import { ServiceError } from '../service/serviceError';
import { isFree } from '../spec/price';
import type { Operation } from '../spec/types';
import { isTool, runIndexOf, type ItemPlan } from './run';

/**
 * What a failed item says about money, judged by its order, or else by its error.
 *
 * @param kind what was carried out for it. Where nothing was even begun: `status` if the item names a job to read,
 *   otherwise `undefined`
 */
export function adviceOn(
	kind: Operation['kind'] | undefined,
	order: OrderFacts | undefined,
	error: unknown,
): Advice {
	if (order) return adviceOf(order);
	if (kind === 'status') return adviceOnRead(error);
	if (error instanceof StillInDoubt) return IN_DOUBT;
	const isUnknown = error instanceof ServiceError && error.outcome === 'unknown';
	return kind === 'create' && isUnknown ? IN_DOUBT : notCharged(error);
}

function adviceOnRead(error: unknown): Advice {
	const { kind, job } = error instanceof JobError ? error : {};
	if (kind === 'failed') return JOB_FAILED;
	const wasSeen = Object.keys(job?.record ?? {}).length > 0;
	return { ...JOB_TO_READ, charged: wasSeen ? 'yes' : 'unknown' };
}

/**
 * The advice; if what the item has ordered is free, it says that nothing was charged.
 *
 * @param creditsUsed credits that the service has charged for the job; more than 0 overrules the documented price
 */
export function unlessFree(
	advice: Advice,
	plan?: Pick<ItemPlan, 'operation' | 'values'>,
	creditsUsed?: unknown,
): Advice {
	if (plan?.operation.kind !== 'create' || Number(creditsUsed) > 0) return advice;
	return isFree(plan.operation, plan.values) ? ofFree(advice) : advice;
}

/** What an item says about money if its run could not begin: whether an earlier try may have paid, and for what job. */
export function toldBefore(
	context: IExecuteFunctions,
	itemIndex: number,
	error: unknown,
): Advice & { jobId?: string } {
	const memory = context.getContext('node');
	const orders = Object.values(entriesIn(memory));
	if (orders.length === 0) return notCharged(error);
	// What another version has ordered cannot be read. Nor is it known which call of a tool an order belongs to,
	// so there is doubt unless all have been handed on.
	if (error instanceof UnknownLedger) return IN_DOUBT;
	if (isTool(context)) {
		const isDone = orders.every(({ closedBy }) => closedBy !== undefined);
		return isDone ? notCharged(error) : IN_DOUBT;
	}
	const order = new Ledger(memory, { index: runIndexOf(context) }).find(itemIndex);
	if (!order) return notCharged(error);
	const job = jobOf(order);
	return { ...(job && { jobId: job.id }), ...adviceOf(order) };
}
