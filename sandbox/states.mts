import { STATES } from '../test/document.mts';

/** States of a job (section "States and transitions"). */

export type JobState = (typeof STATES)[number];

export const [QUEUED, PROCESSING, COMPLETED, FAILED] = STATES;

/** Whether a job has ended in this state. */
export const isFinal = (state: JobState): boolean => state === COMPLETED || state === FAILED;
