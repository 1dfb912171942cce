import type { CreationResult } from './types';

/**
 * Names of the fields of jobs and of the records around them (section "Resources and their
 * fields"). Where an answer is not shown, the readers look for these names in this order.
 */

/** The envelope `{ success, data }` of creation results. */
export const ENVELOPE = { success: 'success', data: 'data' } as const;

/**
 * Not of the service: where a record keeps what stands beside `data` under a name that `data` has,
 * too.
 */
export const BESIDE_DATA = 'beside_data';

export const GENERATION_ID = 'generation_id';
export const TASK_ID = 'task_id';

export const JOB_ID = 'job_id';

/** Identifier of a creation, where the document does not name it. */
export const ID_FIELDS = [GENERATION_ID, TASK_ID, JOB_ID, 'id'] as const;

/** The record of a generation calls its own `id` (section "Generation record"). */
export const GENERATION_RECORD_IDS = [GENERATION_ID, 'id'] as const;

/** Not of the service: the song that something was made of, in its item. */
export const SOURCE_JOB = 'sourceJobId';
export const SOURCE_AUDIO = 'sourceAudioId';

export const STATUS_FIELD = 'status';

/** Fields that are likeliest to carry the state where that is not shown, and others with such names. */
export const STATE_FIELDS = [STATUS_FIELD, 'state'] as const;
export const STATE_LIKE = /stat(e|us)/i;

export const PROMPT_FIELD = 'prompt';
export const ERROR_MESSAGE_FIELD = 'error_message';
export const GENERATION_TYPE_FIELD = 'generation_type';

/** Credits charged: generation results and records; family A. */
export const CREDITS_USED_FIELDS = ['credits_used', 'credits_charged'] as const;
export const CREDITS_REMAINING_FIELD = 'credits_remaining';

/** The model used: generation records; family A. */
export const VIDEO_MODEL_FIELD = 'video_model';
export const MODEL_FIELDS = [VIDEO_MODEL_FIELD, 'model'] as const;

export const CREATED_AT_FIELD = 'created_at';
export const COMPLETED_AT_FIELD = 'completed_at';

/** Section "Generation creation result". */
export const GENERATION_RESULT: CreationResult = {
	idField: GENERATION_ID,
	creditsField: 'credits_used',
	fields: ['status', CREDITS_REMAINING_FIELD, 'message'],
};

/** Section "Family-A video task", creation result. */
export const TASK_RESULT: CreationResult = {
	idField: TASK_ID,
	creditsField: 'credits_charged',
	fields: ['status', 'model', 'estimated_time'],
};

/** Fields of the error body `{ success: false, error, details }`. */
export const ERROR_FIELDS = { success: 'success', message: 'error', details: 'details' } as const;
