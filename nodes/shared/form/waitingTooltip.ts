import { ROLE_PARAMETER } from '../parameters/names';
import { JOB_RESOURCE } from '../spec/jobs';
import { RECOVER_JOBS } from '../spec/recovery';
import { inCode } from './inCode';

const OWN = [
	'The node waits for its media.',
	'You can close this page: n8n goes on by itself.',
	`If you stop the execution, its paid jobs go on: ${JOB_RESOURCE.label} > ${RECOVER_JOBS.label} lists them.`,
].join(' ');

const HELPER = 'This execution works for another one, and ends by itself.';

/**
 * What the editor shows of a node that is parked, below "Waiting for input": an expression over its
 * parameters. A node of this package parks only where it waits durably, or works for one that does.
 */
export const WAITING_TOOLTIP = `={{ $parameter.${ROLE_PARAMETER} ? ${inCode(HELPER)} : ${inCode(OWN)} }}`;
