import type { Origin } from '../output/jobOutput';
import type { Job } from '../jobs/job';
import type { Values } from '../spec/conditions';
import { GENERATION, startedWithOf } from '../spec/startedWith';
import type { CreateOperation } from '../spec/types';

/**
 * What is known of a job by the operation that has created it.
 *
 * @param request the values that were sent
 * @param status where its state is read; not known of every job
 */
export function originOf(
	operation: CreateOperation,
	request: Values,
	status?: Job['status'],
): Origin {
	const { mediaType, operation: name, result, passesSourceOn } = operation;
	const route = status && 'path' in status ? status : undefined;
	return {
		...(mediaType === undefined ? {} : { mediaType }),
		...(route ? { route } : {}),
		request,
		operation: name,
		...(passesSourceOn ? { source: { jobId: request.source, audioId: request.audio_id } } : {}),
		// Whichever operation it was: a job with a generation_id is a generation.
		startedWith: route?.isInHistory ? GENERATION : startedWithOf(operation),
		isAnswerOpen: result === undefined,
	};
}
