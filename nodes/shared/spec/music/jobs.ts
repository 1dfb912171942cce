import { JOB_RESOURCE, statusOperations } from '../jobs';
import { JOB_ID } from '../records';

/** Get Status and Wait for Completion of music jobs, by the path in the credential. */
export const MUSIC_JOB_OPERATIONS = statusOperations(JOB_RESOURCE.value, {
	path: { openPoint: 'musicStatusPath' },
	idField: JOB_ID,
	urlFields: {},
});
