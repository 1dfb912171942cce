import type { IDataObject } from 'n8n-workflow';

import { isOutcomeUnknown } from '../jobs/createJob';
import { orderOf, remember } from '../jobs/itemOrder';
import { doubtIn } from '../jobs/order';
import { entryOutput } from '../output/listEntries';
import type { ItemPlan, Run, Runner } from '../run/run';
import { objectSchema, unwrap } from '../service/bodies';
import { STATUS_TEXTS } from '../service/errorTexts';
import { sendWithRetry } from '../service/retry';
import { ServiceError } from '../service/serviceError';
import { ERROR_FIELDS, type ErrorStatus } from '../spec/answers';
import type { RecordOperation, Refusal } from '../spec/types';

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

/**
 * Creates something that is no job, such as an API key, once for an item: a node that runs again
 * gives out what the first try has made, and sends nothing where its answer was lost (money rule 1).
 *
 * @throws ServiceError
 */
async function createOnce(
	run: Run,
	{ itemIndex, request, values }: ItemPlan,
	{ what, namedBy }: NonNullable<RecordOperation['creates']>,
): Promise<unknown> {
	const { service, clock, signal, ledger } = run;
	const made = ledger.madeFor(itemIndex, request);
	if (made) return made.answer;
	const jobSpec = { itemIndex, request };
	const doubt = doubtIn(orderOf(run, jobSpec));
	if (doubt) {
		const message = `Not sent again, since the first try may have been carried out: ${doubt.unknownOutcome}`;
		throw new ServiceError({ message, description: LOOK, outcome: 'unknown' });
	}
	const body = await sendWithRetry(service, request, clock, { signal }).catch((error: unknown) => {
		if (!(error instanceof ServiceError) || !isOutcomeUnknown(error)) throw error;
		remember(run, jobSpec, { kind: 'lost', unknownOutcome: error.message });
		throw error.with({ description: `${error.description} ${MAY_BE_DONE} ${LOOK}` });
	});
	const answer = objectSchema.safeParse(body).data ?? { body };
	const ifLost = `${what} "${String(values[namedBy])}" ${LOST}`;
	ledger.keepMade(itemIndex, request, { answer, ifLost });
	return answer;
}

const LOST =
	'was created, but is in no output and cannot be read again. How to revoke it is not documented: look in the dashboard of the service. To run this item again creates another one';

const MAY_BE_DONE = 'It may have been carried out all the same.';

const LOOK =
	'Look on the website of the service whether it is there. If it is not, retry this execution or run the workflow again.';
