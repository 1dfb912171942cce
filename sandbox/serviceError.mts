import { ERRORS } from '../test/document.mts';

/** A status of section "Errors". */
type ErrorStatus = (typeof ERRORS)[number]['status'];

/** What it means; nothing for any other status. */
export const meaningOf = (status: number): string | undefined =>
	ERRORS.find((error) => error.status === status)?.means;

export type Details = Record<string, string>;

/** A refusal in the documented form (section "Errors"). */
export class ServiceError extends Error {
	constructor(
		readonly status: ErrorStatus,
		message: string = meaningOf(status) ?? '',
		readonly details?: Details,
		/** Seconds after which the request may succeed, where that is known. */
		readonly retryAfter?: number,
	) {
		super(message);
	}
}

/** Section "Errors". */
export const errorBody = (error: string, details?: Details): Record<string, unknown> => ({
	success: false,
	error,
	...(details && { details }),
});
