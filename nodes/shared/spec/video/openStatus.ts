import { statusOperations } from '../jobs';
import { JOB_ID } from '../records';

/** Get and Wait for a family whose status route is not shown, by the path in the credential. */
export const openStatusOperations = (resource: string, openPoint: string) =>
	statusOperations(resource, {
		path: { openPoint },
		idField: JOB_ID,
		urlFields: {},
	});
