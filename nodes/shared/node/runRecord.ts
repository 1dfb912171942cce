import type { IDataObject } from 'n8n-workflow';

import { entryOutput } from '../output/entryOutput';
import { unwrap } from '../service/bodies';
import { STATUS_TEXTS } from '../service/errorTexts';
import { createOnce } from './createOnce';
import { sendWithRetry } from '../service/retry';
import { ServiceError } from '../service/serviceError';
import { ERROR_FIELDS } from '../spec/records';
import type { ErrorStatus } from '../spec/statuses';
import type { RecordOperation, Refusal } from '../spec/types';
import type { Runner } from '../run/run';

/** Reads or writes one record. */
export const runRecord: Runner<RecordOperation> = async (run, operation, plan) => {
	const { service, clock, signal } = run;
	const sent = operation.creates
		? createOnce(run, plan, operation.creates)
		: sendWithRetry(service, plan.request, clock, { signal });
	const body = await sent.catch((error: unknown) => {
		if (!(error instanceof ServiceError) || error.status === undefined) throw error;
		if (operation.mayBeEmpty && error.isEmpty) return { status: error.status };
		const refusal = operation.refusals?.[error.status];
		throw refusal ? inWordsOf(refusal, error, STATUS_TEXTS[error.status as ErrorStatus]) : error;
	});
	const json = entryOutput(unwrap(body) ?? body);
	return [
		{
			json: operation.creates ? withoutError(json) : json,
			pairedItem: { item: plan.itemIndex },
		},
	];
};

/**
 * n8n takes a first item with a field `error` for a failure, and would run the node again after it has
 * created what is to be created once.
 */
function withoutError(json: IDataObject): IDataObject {
	return Object.fromEntries(Object.entries(json).filter(([name]) => name !== ERROR_FIELDS.message));
}

/** The error in the operation's own words; what the service said about it stays. */
function inWordsOf(refusal: Refusal, error: ServiceError, general: Refusal): ServiceError {
	return error.with({
		message: error.message.replace(general.message, () => refusal.message),
		description: error.description.replace(general.description, () => refusal.description),
	});
}
