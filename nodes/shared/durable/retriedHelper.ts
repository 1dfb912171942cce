import {
	NodeOperationError,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';

import { ROLE_PARAMETER } from '../parameters/names';
import { RESUME } from './results';
import { LOOP, NOTHING } from './roleWorkflow';
import { SUPERVISOR, WORK } from './state';

/** Fields by which the item of a helper is known. */
const MARKS = [WORK, SUPERVISOR, RESUME, LOOP];

/**
 * Keeps a node from ordering what a helper's item makes of its fields. n8n lists a helper that was awake
 * at a kill in red, and offers to retry it: with the workflow that is saved, which gives the helper's item
 * to the user's own node; or as it was, which would create again what was noted before the kill.
 *
 * @returns what the node is to give out; `undefined` where it has its own work to do. Under *Continue*
 * nothing, and a hint: an error would go on as an item, to nodes that order something, too
 * @throws NodeOperationError elsewhere
 */
export function refuseHelper(context: IExecuteFunctions): INodeExecutionData[][] | undefined {
	const hasRole = context.getNodeParameter(ROLE_PARAMETER, 0, '') !== '';
	const input = context.getInputData().map(({ json }) => json);
	const item = input.find((json) => MARKS.some((mark) => mark in json));
	const isRefused = hasRole ? context.getMode() === 'retry' : item !== undefined;
	if (!isRefused) return undefined;
	const { message, description } = refusal(servedIn({ ...item, ...context.getContext('node') }));
	if (!context.continueOnFail()) {
		throw new NodeOperationError(context.getNode(), message, { description });
	}
	const hint = `${message}. ${description}`;
	context.addExecutionHints({ message: hint, type: 'warning', location: 'outputPane' });
	return NOTHING;
}

function refusal(served: string | undefined) {
	const execution = served === undefined ? 'an execution' : `execution ${served}`;
	const where = served === undefined ? 'the execution that its note names' : `execution ${served}`;
	return {
		message: `Nothing was ordered: this is a helper of ${execution}, or an item of one`,
		description: `Look at ${where}: it waits durably and goes on by itself, with the jobs that are paid for. n8n shows in red what was at work when n8n ended; another helper takes its place. If the execution has not gone on after 15 minutes, enter its number in Job > Recover From Execution.`,
	};
}

/** Number of the execution that a helper works for; `undefined` where it does not say so. */
function servedIn({ items, ...known }: IDataObject): string | undefined {
	// What hands over remembers the items that it was started with.
	const [first] = Array.isArray(items) ? (items as INodeExecutionData[]) : [];
	const said = { ...first?.json, ...known };
	const callers = [WORK, SUPERVISOR, RESUME].map((name) => Object(Object(said[name]).caller));
	return callers.map(({ executionId }) => executionId).find((id) => typeof id === 'string');
}
