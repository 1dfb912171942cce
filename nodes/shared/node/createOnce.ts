import { isDoubtful } from '../jobs/createJob';
import { entryOf, remember } from '../jobs/runJob';
import { objectSchema } from '../service/bodies';
import { sendPatiently } from '../service/retry';
import { ServiceError } from '../service/serviceError';
import type { Plan, Run } from '../run/run';

/**
 * Creates something that is no job, such as an API key, once for an item: a node that runs again
 * gives out what the first try has made, and sends nothing where its answer was lost (money rule 1).
 *
 * @throws ServiceError
 */
export async function createOnce(run: Run, { itemIndex, request }: Plan): Promise<unknown> {
	const { jobs, service, clock, signal } = run;
	const order = { itemIndex, request };
	const { made, doubt } = entryOf(jobs, order) ?? {};
	if (made) return made;
	if (doubt !== undefined) {
		const message = `Not sent again, since the first try may have been carried out: ${doubt}`;
		throw new ServiceError({ message, description: LOOK, outcome: 'unknown' });
	}
	const body = await sendPatiently(service, request, clock, { signal }).catch((error: unknown) => {
		if (!(error instanceof ServiceError) || !isDoubtful(error)) throw error;
		remember(jobs, order, { doubt: error.message });
		throw error.with({ description: `${error.description} ${MAY_BE_DONE} ${LOOK}` });
	});
	const answer = objectSchema.safeParse(body).data ?? { body };
	remember(jobs, order, { made: answer });
	return answer;
}

const MAY_BE_DONE = 'It may have been carried out all the same.';

const LOOK =
	'Look on the website of the service whether it is there. If it is not, retry this execution or run the workflow again.';
