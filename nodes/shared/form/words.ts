import { type ExpressionString, type IBuilderHint, NodeConnectionTypes } from 'n8n-workflow';

import { JOB_RESOURCE, RECOVER_JOBS } from '../spec/jobs';
import { CONCURRENT_GENERATIONS } from '../spec/limits';
import { EVENTS, MEDIA_TYPE, OUTPUT_BY_STATUS, ROLE_PARAMETER, STATUS_OUTPUTS } from './names';

/** What the canvas shows below the name of a node. */
export const SUBTITLE = '={{ $parameter["operation"] + ": " + $parameter["resource"] }}';

const byStatus = STATUS_OUTPUTS.map((displayName) => ({
	type: NodeConnectionTypes.Main,
	displayName,
}));

/** What the canvas shows below the name of a trigger. */
export const TRIGGER_SUBTITLE = `={{ $parameter["${MEDIA_TYPE}"] + ": " + $parameter["${EVENTS}"] }}`;

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

/** What n8n's AI builder reads about the nodes besides their forms; no person sees it. */

export const CREATING_HINT: IBuilderHint = {
	searchHint: [
		"Creating a job costs credits of the service's account. Each input item is one job.",
		'Nothing limits what a run costs unless options.maxCredits is added: then the node fails and creates nothing where all items together could cost more.',
		`The node waits for its jobs by itself and takes lists of items, ${CONCURRENT_GENERATIONS} at a time: no loop and no Wait node needed.`,
		'It gives out mediaUrl, status, jobId, creditsUsed and more; the fields of the input items are not among them.',
		'It has one output unless options.outputByStatus is true: then 0 is Completed, 1 is Failed and 2 is In Progress.',
		'Where a field takes the URL of an image, video or audio, the bare name of a binary field of the item will do, such as data.',
	].join(' '),
};

export const ACCOUNT_HINT: IBuilderHint = { searchHint: 'Costs no credits.' };

export const TRIGGER_HINT: IBuilderHint = {
	searchHint:
		'Costs no credits. Not needed to wait for a job that a MediaGen node of the same workflow creates: that node waits by itself.',
};
