import type { IDataObject, IExecuteFunctions, INode } from 'n8n-workflow';

import type { Waiter } from './executions';
import { relay } from './relay';
import type { Role } from './role';

/**
 * Starts an execution in a role, and does not wait for it. It stands in n8n's database when this
 * returns. Its end changes nothing for the execution that waits.
 *
 * @param node the one that waits, where that is another
 * @returns its id
 */
export async function start(
	context: IExecuteFunctions,
	{ executionId, workflowId }: Pick<Waiter, 'executionId' | 'workflowId'>,
	role: Role,
	json: IDataObject,
	node: INode = context.getNode(),
): Promise<string> {
	const started = await context.executeWorkflow(
		{ code: relay(node, role, 'kept') },
		[{ json }],
		undefined,
		{
			doNotWaitToFinish: true,
			parentExecution: { executionId, workflowId, shouldResume: false },
		},
	);
	return started.executionId;
}
