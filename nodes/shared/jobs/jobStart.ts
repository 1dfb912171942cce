import { elapsedAt, type Clock } from '../clock/clock';
import type { Job } from './job';

/** When this process has created jobs, elapsed ms. */
const known = new WeakMap<Job, number>();

export function noteStart(job: Job, clock: Clock): void {
	known.set(job, clock.elapsed());
}

/**
 * When a job was created, elapsed ms; of one that another process has created, as far as the times of day tell, which
 * may have been set since.
 */
export const startOf = (job: Job, clock: Clock): number =>
	known.get(job) ?? elapsedAt(clock, job.startedAt);
