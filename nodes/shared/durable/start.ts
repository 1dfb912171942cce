import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { Waiter } from './executions';
import { relay } from './relay';
import type { Role } from './role';

/**
 * Starts an execution in a role, and does not wait for it. It stands in n8n's database when this
 * returns. Its end changes nothing for the execution that waits.
 *
 * @returns its id
 */
export async function start(
	context: IExecuteFunctions,
	{ executionId, workflowId }: Pick<Waiter, 'executionId' | 'workflowId'>,
	role: Role,
	json: IDataObject,
): Promise<string> {
	const started = await context.executeWorkflow(
		{ code: relay(context.getNode(), role, 'kept') },
		[{ json }],
		undefined,
		{
			doNotWaitToFinish: true,
			parentExecution: { executionId, workflowId, shouldResume: false },
		},
	);
	return started.executionId;
}
