import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Clock } from '../jobs/clock';
import { deliver } from './deliver';
import { output } from './output';
import { isRole, ROLE_PARAMETER, type Role } from './role';
import { watch } from './watch';
import { work } from './work';

/** What the node does in a durable run; `undefined` in a person's workflow. */
export function roleOf(context: IExecuteFunctions): Role | undefined {
	const role = context.getNodeParameter(ROLE_PARAMETER, 0, '');
	return isRole(role) ? role : undefined;
}

const RUNNERS: Record<
	Role,
	(context: IExecuteFunctions, clock: Clock) => Promise<INodeExecutionData[][]>
> = { work, watch, output, deliver, probe: async (context) => [context.getInputData()] };

export async function runRole(
	context: IExecuteFunctions,
	role: Role,
	clock: Clock,
): Promise<INodeExecutionData[][]> {
	return await RUNNERS[role](context, clock);
}
