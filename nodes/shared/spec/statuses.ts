/** Section "Errors": what each HTTP status of the service means. */
export const ERROR_STATUSES = {
	400: 'Malformed request or missing required fields',
	401: 'Authentication missing, invalid or revoked',
	402: 'Insufficient credits for the operation (or no purchased credits for API use)',
	403: 'Access denied',
	404: 'Resource does not exist',
	429: 'Too many requests in a short time',
	500: 'Server error',
} as const;

export const BAD_REQUEST = 400;

/** Also the answer about a job that the service has just made and does not find yet. */
export const NOT_FOUND = 404;

/** The one status that a later request may not meet again. */
export const TOO_MANY_REQUESTS = 429;

export type ErrorStatus = keyof typeof ERROR_STATUSES;

/** A successful creation; successful reads answer `READ`. */
export const CREATED = 201;
export const READ = 200;
