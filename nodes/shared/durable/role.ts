import { NodeOperationError, type IExecuteFunctions, type INodeExecutionData } from 'n8n-workflow';

import type { Clock } from '../clock/clock';
import { ROLE_PARAMETER } from '../parameters/names';
import { refuseOutput, refuseSupervise, refuseWork } from './otherVersion';
import { makeItems, resumeCaller } from './results';
import { isRole, wake, type Role } from './roleWorkflow';
import { parkedIn, SUPERVISOR, WORK } from './state';
import { isOwnVersion } from './executions';
import { supervise } from './supervisor';
import { work } from './worker';

type Runner = (context: IExecuteFunctions, clock: Clock) => Promise<INodeExecutionData[][]>;

/** What a role does; and what with that which another version has parked, under a name. */
interface RoleRunner {
	run: Runner;
	foreign?: { name: string; refuse: Runner };
}

const RUNNERS: Record<Role, RoleRunner> = {
	work: { run: work, foreign: { name: WORK, refuse: refuseWork } },
	supervise: { run: supervise, foreign: { name: SUPERVISOR, refuse: refuseSupervise } },
	output: {
		run: makeItems,
		foreign: { name: WORK, refuse: async (context) => refuseOutput(context) },
	},
	// It parks before it hands anything over, and so has to run whatever it is to hand over.
	resume: { run: resumeCaller },
	wake: { run: wake },
	probe: { run: async (context) => [context.getInputData()] },
};

/**
 * What the node does in a durable run; `undefined` in a person's workflow.
 *
 * @throws NodeOperationError where it is a role that this version does not have: a person's node
 * would make new jobs
 */
export function roleOf(context: IExecuteFunctions): Role | undefined {
	const role: unknown = context.getNodeParameter(ROLE_PARAMETER, 0, '');
	if (isRole(role)) return role;
	if (role === '') return undefined;
	throw new NodeOperationError(
		context.getNode(),
		`This version has no durable role ${JSON.stringify(role)}`,
		{
			description:
				'Another version of n8n-nodes-mediagen has started this execution. Nothing was created. Do not set the parameter durableRole in a workflow of your own.',
		},
	);
}

export async function runRole(
	context: IExecuteFunctions,
	role: Role,
	clock: Clock,
): Promise<INodeExecutionData[][]> {
	const { run, foreign } = RUNNERS[role];
	const isForeign = foreign !== undefined && !isOwnVersion(parkedIn(context)[foreign.name]);
	return isForeign ? await foreign.refuse(context, clock) : await run(context, clock);
}
