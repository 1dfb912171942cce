import type { JobSnapshot } from '../jobs/job';
import { pollJob, type Awaited } from '../jobs/waitForJob';
import { attempt } from '../service/attempt';
import { COMPLETED } from '../spec/answers';
import type { Run } from './run';

/** A record may be completed before its URL is there: it is read again after so long each, ms. */
const PAUSES_MS = [500, 1500, 3000];

/** Where the state of a job is read. */
export type StatusPlace = Pick<Awaited, 'path' | 'stateField'>;

/**
 * Reads a completed job again, a few times, until its record has what it lacks. A read that fails is none:
 * what was read before stays.
 */
export async function readAgain(
	{ service, clock, signal }: Run,
	job: JobSnapshot,
	place: StatusPlace,
	isWhole: (job: JobSnapshot) => boolean,
): Promise<JobSnapshot> {
	let last = job;
	for (const ms of PAUSES_MS) {
		if (isWhole(last) || signal?.aborted) return last;
		await clock.sleep(ms, signal).catch(() => {});
		const startedAt = clock.elapsed();
		const read = await attempt(
			pollJob(service, { ...place, id: job.id, startedAt }, clock, { signal }),
		);
		const isSame = 'value' in read && read.value.state === COMPLETED;
		if (isSame) last = { ...job, record: read.value.record };
	}
	return last;
}
