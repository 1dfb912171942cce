import type { IExecuteFunctions } from 'n8n-workflow';

import { JobError } from '../jobs/job';
import { entriesIn, Ledger, UnknownLedger } from '../jobs/ledger';
import { adviceOf, type Order } from '../jobs/order';
import { type Advice, IN_DOUBT, JOB_FAILED, JOB_TO_READ, notCharged } from '../service/retryAdvice';
import { ServiceError } from '../service/serviceError';
import type { Operation } from '../spec/types';
import { isTool } from './run';

/**
 * What an item that has failed says of money: by its order, or else by what has failed.
 *
 * @param kind what was carried out for it; `undefined` where it was not even begun
 */
export function adviceOn(
	kind: Operation['kind'] | undefined,
	order: Order | undefined,
	error: unknown,
): Advice {
	// Such as the creation of an API key, which costs nothing.
	if (order && kind === 'record') return { charged: 'no', retry: 'lookFirst' };
	if (order) return adviceOf(order);
	if (kind === 'status') return adviceOnRead(error);
	const isUnknown = error instanceof ServiceError && error.outcome === 'unknown';
	return kind === 'create' && isUnknown ? IN_DOUBT : notCharged(error);
}

/** Of a job that was to be read. */
function adviceOnRead(error: unknown): Advice {
	const { kind, job } = error instanceof JobError ? error : {};
	if (kind === 'failed') return JOB_FAILED;
	const wasSeen = Object.keys(job?.record ?? {}).length > 0;
	return { ...JOB_TO_READ, charged: wasSeen ? 'yes' : 'unknown' };
}

/** What an item says of a run that could not begin: an earlier try may have paid for it. */
export function adviceBefore(
	context: IExecuteFunctions,
	itemIndex: number,
	error: unknown,
): Advice {
	const memory = context.getContext('node');
	if (Object.keys(entriesIn(memory)).length === 0) return notCharged(error);
	// Which call an order of a tool belongs to, and what another version has ordered, cannot be told.
	if (isTool(context.getNode()) || error instanceof UnknownLedger) return IN_DOUBT;
	const index = Number(context.evaluateExpression('{{ $runIndex }}', 0));
	const order = new Ledger(memory, { index }).find(itemIndex);
	return order ? adviceOf(order) : notCharged(error);
}
