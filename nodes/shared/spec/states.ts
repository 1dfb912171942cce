/** Section "States and transitions". */
export const JOB_STATES = ['queued', 'processing', 'completed', 'failed'] as const;

export type JobState = (typeof JOB_STATES)[number];

export const COMPLETED: JobState = 'completed';
export const FAILED: JobState = 'failed';

/** A state from which a job does not move on. Unknown states are "not finished yet". */
export function isFinal(state: string): boolean {
	return state === COMPLETED || state === FAILED;
}
