import { type IExecuteFunctions, type INodeExecutionData, NodeOperationError } from 'n8n-workflow';

import type { Clock } from '../clock/clock';
import { ROLE_PARAMETER } from '../parameters/names';
import { AGAIN, NOTHING, type Role } from './helper';
import { WATCH, WORK } from './stored';
import { watch } from './watch';
import { work } from './work';

type Runner = (context: IExecuteFunctions, clock: Clock) => Promise<INodeExecutionData[][]>;

const RUNNERS: Record<Role, Runner> = { worker: work, watcher: watch };

/** Fields that only a helper's item has. */
const MARKS = [WORK, WATCH, AGAIN];

/**
 * What a helper's node gives out; `undefined` in a user's workflow.
 *
 * @throws NodeOperationError if a person retries a helper with the saved workflow, which gives the helper's item to the
 * user's own node, and under *Stop*; or in a role that this version lacks: as a user's node, it would create new jobs
 */
export async function runAsHelper(
	context: IExecuteFunctions,
	clock: Clock,
): Promise<INodeExecutionData[][] | undefined> {
	const role: unknown = context.getNodeParameter(ROLE_PARAMETER, 0, '');
	if (role === '') return refusedItem(context);
	const runner = RUNNERS[role as Role] as Runner | undefined;
	if (runner) return await runner(context, clock);
	const message = `This version has no durable role ${JSON.stringify(role)}: nothing was created`;
	throw new NodeOperationError(context.getNode(), message);
}

/** Under *Continue*, gives out no items: an error would go on as an item, even to nodes that order something. */
function refusedItem(context: IExecuteFunctions): INodeExecutionData[][] | undefined {
	const items = context.getInputData().map(({ json }) => json);
	if (!items.some((json) => MARKS.some((mark) => mark in json))) return undefined;
	const message = 'Nothing was ordered: this is the item of a helper of a durable run';
	const description =
		'To let a red worker go on, open it again, not this retry, and choose Retry with original workflow.';
	if (!context.continueOnFail())
		throw new NodeOperationError(context.getNode(), message, { description });
	const hint = `${message}. ${description}`;
	context.addExecutionHints({ message: hint, type: 'warning', location: 'outputPane' });
	return NOTHING;
}
