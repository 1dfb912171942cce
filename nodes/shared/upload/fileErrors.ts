import { ServiceError } from '../service/serviceError';

const NOT_SENT = 'The request was not sent in full: no job was created, nothing was charged.';

const MAYBE_REFUSED =
	'The service may also have refused it for the API key (use Test in the credential) or for the size of the file.';

/** A file that could not be read while the request was made or sent. */
export function unreadableFile(what: string, reason: string, advice = ''): ServiceError {
	return new ServiceError({
		message: `${what} could not be uploaded: ${reason}`,
		description: [advice, NOT_SENT].filter(Boolean).join(' '),
		outcome: 'notSent',
	});
}

/**
 * The error of an upload that broke off: a request that did not arrive in full started no job. A
 * service that refuses one at its start closes the connection, and its answer is lost.
 */
export function brokenUpload(error: ServiceError): ServiceError {
	return error.with({
		description: `${error.description} ${MAYBE_REFUSED} ${NOT_SENT}`,
		outcome: 'notSent',
	});
}
