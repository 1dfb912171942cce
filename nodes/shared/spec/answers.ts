/** Also the answer about a job that the service has just created and does not find yet. */
export const NOT_FOUND = 404;

/** Section "States and transitions". */
const JOB_STATES = ['queued', 'processing', 'completed', 'failed'] as const;

export type JobState = (typeof JOB_STATES)[number];

export const COMPLETED: JobState = 'completed';
export const FAILED: JobState = 'failed';

/** The state that a text names, whatever its case; `undefined` for every other text. */
export function stateNamed(text: string): JobState | undefined {
	const name = text.trim().toLowerCase();
	return JOB_STATES.find((state) => state === name);
}

/** Whether a state is a documented one in which the job has not ended. */
export function isUnfinished(state: string): boolean {
	return JOB_STATES.some((one) => one === state && !isFinal(one));
}

/** Whether a job has ended in this state. Unknown states count as "not finished yet". */
export function isFinal(state: string): boolean {
	return state === COMPLETED || state === FAILED;
}

/**
 * Names of the fields of jobs and of the records around them (section "Resources and their
 * fields"). Where an answer is not shown, the readers look for these names in this order.
 */

/** Names to look for where the document does not name the identifier of a creation. */
export const ID_FIELDS = ['generation_id', 'task_id', 'job_id', 'id'] as const;

/** The record of a generation calls its identifier `id` (section "Generation record"). */
export const GENERATION_RECORD_IDS = ['generation_id', 'id'] as const;

/** Our own name, not the service's: the part of an item with what is needed less often. */
export const DETAILS = 'details';

/** In the details: the song from which something was made. */
export const SOURCE_JOB = 'sourceJobId';
export const SOURCE_AUDIO = 'sourceAudioId';

/** What an item says at its top, as the service's record or a row of a table does, or in its details. */
export function saidBy(item: Readonly<Record<string, unknown>>, name: string): unknown {
	return item[name] ?? (Object(item[DETAILS]) as Record<string, unknown>)[name];
}

/** Fields most likely to hold the state where that is not shown, and a pattern for similar names. */
export const STATE_FIELDS = ['status', 'state'] as const;
export const STATE_LIKE = /stat(e|us)/i;

export const PROMPT_FIELD = 'prompt';
export const ERROR_MESSAGE_FIELD = 'error_message';
export const GENERATION_TYPE_FIELD = 'generation_type';
export const CREDITS_REMAINING_FIELD = 'credits_remaining';
export const CREATED_AT_FIELD = 'created_at';
export const COMPLETED_AT_FIELD = 'completed_at';

/** Credits charged, in generation results and records, and in family A. */
export const CREDITS_USED_FIELDS = ['credits_used', 'credits_charged'] as const;

/** The model used, in generation records and in family A. */
export const MODEL_FIELDS = ['video_model', 'model'] as const;

/** Section "Generation creation result". */
export const GENERATION_RESULT = [
	'generation_id',
	'status',
	'credits_used',
	CREDITS_REMAINING_FIELD,
	'message',
] as const;

/** Section "Family-A video task", creation result. */
export const TASK_RESULT = [
	'task_id',
	'status',
	'model',
	'credits_charged',
	'estimated_time',
] as const;
