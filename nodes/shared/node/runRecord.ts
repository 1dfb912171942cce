import { entryOutput } from '../output/listOutput';
import { unwrap } from '../service/bodies';
import { STATUS_TEXTS } from '../service/errorTexts';
import { sendPatiently } from '../service/patience';
import { ServiceError } from '../service/serviceError';
import { NO_CONTENT, type ErrorStatus } from '../spec/statuses';
import type { RecordOperation, Refusal } from '../spec/types';
import type { Runner } from './run';

/** Reads or writes one record. */
export const runRecord: Runner<RecordOperation> = async (
	{ service, clock, signal },
	operation,
	plan,
) => {
	const body = await sendPatiently(service, plan.request, clock, { signal }).catch(
		(error: unknown) => {
			if (!(error instanceof ServiceError) || error.status === undefined) throw error;
			if (error.status === NO_CONTENT) return { status: NO_CONTENT };
			const refusal = operation.refusals?.[error.status];
			throw refusal ? inWordsOf(refusal, error, STATUS_TEXTS[error.status as ErrorStatus]) : error;
		},
	);
	return [{ json: entryOutput(unwrap(body) ?? body), pairedItem: { item: plan.itemIndex } }];
};

/** The error in the operation's own words; what the service said about it stays. */
function inWordsOf(refusal: Refusal, error: ServiceError, general: Refusal): ServiceError {
	return error.with({
		message: error.message.replace(general.message, () => refusal.message),
		description: error.description.replace(general.description, () => refusal.description),
	});
}
