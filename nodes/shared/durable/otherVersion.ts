import {
	NodeOperationError,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';
import { z } from 'zod/v3';

import type { Clock } from '../clock/clock';
import { entriesIn } from '../jobs/ledger';
import { jobOf } from '../jobs/order';
import { memoryOf, readExecution, handleIn, callerState, type Caller } from './executions';
import { startResume, versionMismatch } from './results';
import { continueAt, NOTHING } from './roleWorkflow';
import { keptIn, parkedIn, SUPERVISOR, WORK } from './state';

/** Supervisors leave it so long to those who work to say what is paid for, ms. */
const LEFT_TO_OTHERS_MS = 900_000;

/** Where a supervisor notes that it has left it to others. */
const LEFT = 'mediaGenLeft';

const callerSchema = z.object({
	executionId: z.string().min(1),
	workflowId: z.string().min(1),
	node: z.string(),
	runIndex: z.number().int(),
	runId: z.string().min(1),
});

/**
 * In the role `work`: hands the error over that names what is paid for.
 *
 * @throws NodeOperationError with it, where it cannot be read who waits
 */
export async function refuseWork(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const parked = parkedIn(context);
	const caller = callerIn(parked[WORK]);
	if (!caller) return refuseOutput(context);
	await refuse(context, caller, jobIdsIn(parked));
	return NOTHING;
}

/**
 * In the role `output`: whoever has started it hands the error over.
 *
 * @throws NodeOperationError
 */
export function refuseOutput(context: IExecuteFunctions): never {
	const { message, description } = versionMismatch(jobIdsIn(parkedIn(context)));
	throw new NodeOperationError(context.getNode(), message, { description });
}

/**
 * In the role `supervise`: the same, in place of a worker that is dead. It comes second: the worker, and
 * who resumes the caller, wake up earlier.
 */
export async function refuseSupervise(
	context: IExecuteFunctions,
	clock: Clock,
): Promise<INodeExecutionData[][]> {
	const memory = context.getContext('node');
	const parked = parkedIn(context);
	memory[SUPERVISOR] ??= parked[SUPERVISOR];
	if (!memory[LEFT]) {
		memory[LEFT] = true;
		return await continueAt(context, clock.now() + LEFT_TO_OTHERS_MS);
	}
	const caller = callerIn(parked[SUPERVISOR]);
	if (!caller) return NOTHING;
	const waiting = await readExecution(context, caller.executionId);
	if (callerState(waiting, caller) !== 'here') return NOTHING;
	const { worker } = parked[SUPERVISOR] as { worker?: unknown };
	const workers = [worker, handleIn(memoryOf(waiting, caller.node), caller)?.worker];
	const ids = await Promise.all(
		[...new Set(workers)].map(async (id) => await idsOf(context, id, caller)),
	);
	await refuse(context, caller, ids.flat());
	return NOTHING;
}

async function idsOf(context: IExecuteFunctions, id: unknown, { node }: Caller) {
	const data = typeof id === 'string' ? await readExecution(context, id) : undefined;
	return jobIdsIn(keptIn(data, node));
}

/** Whom the execution works for; `undefined` where that cannot be read. */
function callerIn(parked: unknown): Caller | undefined {
	return z.object({ caller: callerSchema }).safeParse(parked).data?.caller;
}

function jobIdsIn(parked: IDataObject): string[] {
	return Object.values(entriesIn(parked)).flatMap((order) => jobOf(order)?.id ?? []);
}

async function refuse(context: IExecuteFunctions, caller: Caller, ids: readonly string[]) {
	const error = versionMismatch([...new Set(ids)]);
	context.logger.warn(`${context.getNode().name}: ${error.message}`);
	const waiting = await readExecution(context, caller.executionId);
	if (callerState(waiting, caller) === 'here') await startResume(context, caller, { error });
}
