import type { Service } from '../service/service';
import { ServiceError } from '../service/serviceError';
import { UPLOAD_MODES } from '../spec/music/uploads';

/** Stands in for the service where nothing is sent, so that no credential is needed. */
export const NO_SERVICE: Service = {
	baseUrl: '',
	account: '',
	uploadMode: UPLOAD_MODES[0].value,
	path: () => undefined,
	field: () => undefined,
	send: async () => {
		throw new ServiceError({
			message: 'This operation sends nothing',
			description: 'It needs no credential and has no service to ask.',
			outcome: 'notSent',
		});
	},
};
