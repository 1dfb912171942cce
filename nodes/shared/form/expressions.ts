import { type ExpressionString, NodeConnectionTypes } from 'n8n-workflow';

import { OUTPUT_BY_STATUS, ROLE_PARAMETER, STATUS_OUTPUTS } from '../parameters/names';
import { JOB_RESOURCE, RECOVER_JOBS } from '../spec/jobs';

/** What the canvas shows below the name of a node. */
export const SUBTITLE = '={{ $parameter["operation"] + ": " + $parameter["resource"] }}';

const byStatus = STATUS_OUTPUTS.map((displayName) => ({
	type: NodeConnectionTypes.Main,
	displayName,
}));

/** The outputs of a node: one, unless *Output by Status* is on. */
export const OUTPUTS: ExpressionString = `={{ $parameter.options?.${OUTPUT_BY_STATUS} === true ? ${JSON.stringify(byStatus)} : ${JSON.stringify([NodeConnectionTypes.Main])} }}`;

const OWN = [
	'The node waits for its media.',
	'You can close this page: n8n goes on by itself.',
	`If you stop the execution, its paid jobs go on: ${JOB_RESOURCE.label} > ${RECOVER_JOBS.label} gets their results.`,
].join(' ');

const HELPER = 'This execution works for another one, and ends by itself.';

/**
 * What the editor shows for a parked node, below "Waiting for input": an expression over its parameters.
 * A node of this package parks only if it waits durably, or works for one that does.
 */
export const WAITING_TOOLTIP = `={{ $parameter.${ROLE_PARAMETER} ? ${JSON.stringify(HELPER)} : ${JSON.stringify(OWN)} }}`;
