import { isOutcomeUnknown } from '../jobs/createJob';
import { ledgerEntryOf, remember } from '../jobs/jobEntry';
import { objectSchema } from '../service/bodies';
import { sendWithRetry } from '../service/retry';
import { ServiceError } from '../service/serviceError';
import type { ItemPlan, Run } from '../run/run';

/**
 * Creates something that is no job, such as an API key, once for an item: a node that runs again
 * gives out what the first try has made, and sends nothing where its answer was lost (money rule 1).
 *
 * @throws ServiceError
 */
export async function createOnce(run: Run, { itemIndex, request }: ItemPlan): Promise<unknown> {
	const { service, clock, signal } = run;
	const jobSpec = { itemIndex, request };
	const { made, unknownOutcome } = ledgerEntryOf(run, jobSpec) ?? {};
	if (made) return made;
	if (unknownOutcome !== undefined) {
		const message = `Not sent again, since the first try may have been carried out: ${unknownOutcome}`;
		throw new ServiceError({ message, description: LOOK, outcome: 'unknown' });
	}
	const body = await sendWithRetry(service, request, clock, { signal }).catch((error: unknown) => {
		if (!(error instanceof ServiceError) || !isOutcomeUnknown(error)) throw error;
		remember(run, jobSpec, { unknownOutcome: error.message });
		throw error.with({ description: `${error.description} ${MAY_BE_DONE} ${LOOK}` });
	});
	const answer = objectSchema.safeParse(body).data ?? { body };
	remember(run, jobSpec, { made: answer });
	return answer;
}

const MAY_BE_DONE = 'It may have been carried out all the same.';

const LOOK =
	'Look on the website of the service whether it is there. If it is not, retry this execution or run the workflow again.';
