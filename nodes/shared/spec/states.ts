/** Section "States and transitions". */
export const JOB_STATES = ['queued', 'processing', 'completed', 'failed'] as const;

export type JobState = (typeof JOB_STATES)[number];

export const COMPLETED: JobState = 'completed';
export const FAILED: JobState = 'failed';

/** Longer than any state, with spaces around it. */
const MAX_LENGTH = 50;

/** The state that a text names, whatever its case; `undefined` for every other text. */
export function stateNamed(text: string): JobState | undefined {
	if (text.length > MAX_LENGTH) return undefined;
	const name = text.trim().toLowerCase();
	return JOB_STATES.find((state) => state === name);
}

/** One of the documented states in which a job is still to end. */
export function isUnfinished(state: string): boolean {
	return JOB_STATES.some((one) => one === state && !isFinal(one));
}

/** A state from which a job does not move on. Unknown states are "not finished yet". */
export function isFinal(state: string): boolean {
	return state === COMPLETED || state === FAILED;
}
