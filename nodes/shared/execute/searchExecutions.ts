import {
	type ILoadOptionsFunctions,
	type INodeListSearchResult,
	NodeOperationError,
} from 'n8n-workflow';

import { OF_WORKFLOW } from '../parameters/names';
import { nodeError } from '../run/nodeError';
import { knownExecutions, type KnownExecution } from '../run/knownExecutions';
import { counted } from '../run/messages';
import { attempt } from '../service/attempt';
import { openService } from '../service/service';
import { cleanText } from '../service/shownText';
import { timeOf } from './searchJobs';

/**
 * The executions of this workflow that have paid jobs which they have not handed on, for the list of *Execution ID*,
 * newest first. Only those of the credential's account, since the editor may name any workflow.
 *
 * @param filter what a person has typed to find one
 * @throws NodeApiError, NodeOperationError if there are none, or the credential cannot be used
 */
export async function searchExecutions(
	this: ILoadOptionsFunctions,
	filter = '',
): Promise<INodeListSearchResult> {
	const opened = await attempt(openService(this));
	if ('error' in opened) throw nodeError(this, opened.error);
	const executions = knownExecutions(opened.value.account, workflowOf(this));
	if (executions.length === 0) throw new NodeOperationError(this.getNode(), NONE, ENTER_IT);
	const sought = filter.trim().toLowerCase();
	const results = executions
		.map((one) => ({ name: nameOf(one, this.getTimezone()), value: one.executionId }))
		.filter(({ name }) => name.toLowerCase().includes(sought));
	return { results };
}

// @error(recovery) This n8n has seen no execution of this workflow with paid jobs since it started
// Choose _By ID_, and enter the number of the execution. In queue mode, the list is always empty.
const NONE = 'This n8n has seen no execution of this workflow with paid jobs since it started';

const ENTER_IT = {
	description:
		'Enter the number of the execution By ID. Executions of before, and those of the workers of an n8n in queue mode, are not in this list.',
};

/** The workflow's ID; `undefined` if the editor has not given it. */
function workflowOf(context: ILoadOptionsFunctions): string | undefined {
	const given = context.getCurrentNodeParameter(OF_WORKFLOW);
	return typeof given === 'string' && given !== '' && !given.startsWith('=') ? given : undefined;
}

/** Most characters shown of a node's name, so that a line of the panel has room for the rest. */
const MAX_NODES = 40;

/** Names the time zone's place, since n8n's list of executions goes by the browser's, which may be another. */
function timeIn(at: number, timeZone: string): string {
	const place = timeZone.split('/').pop()?.replaceAll('_', ' ');
	return `${timeOf(at, timeZone)} (${place})`;
}

/** `231 · stopped · 5 jobs · 2026-11-25 08:45 (Berlin) · MediaGen Image` */
function nameOf(
	{ executionId, because, jobs, at, node }: KnownExecution,
	timeZone: string,
): string {
	const parts = [executionId, because, counted(jobs, 'job'), timeIn(at, timeZone)];
	return [...parts, cleanText(node, MAX_NODES)].join(' · ');
}
