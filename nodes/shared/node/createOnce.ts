import { isOutcomeUnknown } from '../jobs/createJob';
import { orderOf, remember } from '../jobs/itemOrder';
import { doubtIn } from '../jobs/order';
import { objectSchema } from '../service/bodies';
import { sendWithRetry } from '../service/retry';
import { ServiceError } from '../service/serviceError';
import type { RecordOperation } from '../spec/types';
import type { ItemPlan, Run } from '../run/run';

/**
 * Creates something that is no job, such as an API key, once for an item: a node that runs again
 * gives out what the first try has made, and sends nothing where its answer was lost (money rule 1).
 *
 * @throws ServiceError
 */
export async function createOnce(
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
