import { NodeOperationError, type IExecuteFunctions, type INodeExecutionData } from 'n8n-workflow';

import type { Clock } from '../clock/clock';
import { deliver } from './deliver';
import { output } from './output';
import { refuseOutput, refuseWatch, refuseWork } from './refuse';
import { isRole, ROLE_PARAMETER, type Role } from './role';
import { parkedIn, WATCH, WORK } from './state';
import { isOwnVersion } from './version';
import { watch } from './watch';
import { work } from './work';

type Runner = (context: IExecuteFunctions, clock: Clock) => Promise<INodeExecutionData[][]>;

/** What a role does; and what with that which another version has parked, under a name. */
interface RoleRunner {
	run: Runner;
	foreign?: { name: string; refuse: Runner };
}

const RUNNERS: Record<Role, RoleRunner> = {
	work: { run: work, foreign: { name: WORK, refuse: refuseWork } },
	watch: { run: watch, foreign: { name: WATCH, refuse: refuseWatch } },
	output: {
		run: output,
		foreign: { name: WORK, refuse: async (context) => refuseOutput(context) },
	},
	// It parks before it hands anything over, and so has to run whatever it is to hand over.
	deliver: { run: deliver },
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
