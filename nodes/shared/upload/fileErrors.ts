import { UPLOAD_NOT_SENT } from '../service/failures';
import { ServiceError } from '../service/serviceError';

/** A file that could not be read while the request was made or sent. */
export function unreadableFile(what: string, reason: string, advice = ''): ServiceError {
	return new ServiceError({
		message: `${what} could not be uploaded: ${reason}`,
		description: [advice, UPLOAD_NOT_SENT].filter(Boolean).join(' '),
		outcome: 'notSent',
	});
}
