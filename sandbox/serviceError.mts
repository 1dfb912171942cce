import { ERROR_STATUSES, type ErrorStatus } from '../nodes/shared/spec/answers.ts';

export type Details = Record<string, string>;

/** A refusal in the documented form (section "Errors"). */
export class ServiceError extends Error {
	constructor(
		readonly status: ErrorStatus,
		message: string = ERROR_STATUSES[status],
		readonly details?: Details,
		/** Seconds after which the request may succeed, where that is known. */
		readonly retryAfter?: number,
	) {
		super(message);
	}
}

/** Section "Errors". */
export function errorBody(error: string, details?: Details): object {
	return { success: false, error, ...(details && { details }) };
}
