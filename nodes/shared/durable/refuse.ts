import {
	NodeOperationError,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';
import { z } from 'zod';

import type { Clock } from '../clock/clock';
import { entriesIn } from '../jobs/ledger';
import { paidJobsText, startDelivery, type Texts } from './delivery';
import { memoryOf, readExecution, stubIn, whereabouts, type Waiter } from './executions';
import { again, NOTHING } from './rounds';
import { keptIn, parkedIn, WATCH, WORK } from './state';

/** Those who watch leave it so long to those who work to say what is paid for, ms. */
const LEFT_TO_OTHERS_MS = 900_000;

/** Where a watch notes that it has left it to others. */
const LEFT = 'mediaGenLeft';

const waiterSchema = z.object({
	executionId: z.string().min(1),
	workflowId: z.string().min(1),
	node: z.string(),
	runIndex: z.number().int(),
	ticket: z.string().min(1),
});

/** What the node is to fail with where another version has parked the run. */
export function refusal(ids: readonly string[]): Texts {
	return {
		// Under *Continue*, n8n keeps the message alone.
		message: `Another version of n8n-nodes-mediagen has parked this durable run, and this version cannot go on with it. ${paidJobsText(ids)}`,
		description:
			'No more jobs were created. Read those that are paid for with Job > Wait for Completion, and run the workflow again for the other items.',
	};
}

/**
 * In the role `work`: hands the error over that names what is paid for.
 *
 * @throws NodeOperationError with it, where it cannot be read who waits
 */
export async function refuseWork(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const parked = parkedIn(context);
	const waiter = waiterOf(parked[WORK]);
	if (!waiter) return refuseOutput(context);
	await refuse(context, waiter, jobIdsIn(parked));
	return NOTHING;
}

/**
 * In the role `output`: whoever has started it hands the error over.
 *
 * @throws NodeOperationError
 */
export function refuseOutput(context: IExecuteFunctions): never {
	const { message, description } = refusal(jobIdsIn(parkedIn(context)));
	throw new NodeOperationError(context.getNode(), message, { description });
}

/**
 * In the role `watch`: the same, in place of a worker that is dead. It comes second: the worker, and
 * who delivers, wake up earlier.
 */
export async function refuseWatch(
	context: IExecuteFunctions,
	clock: Clock,
): Promise<INodeExecutionData[][]> {
	const memory = context.getContext('node');
	const parked = parkedIn(context);
	memory[WATCH] ??= parked[WATCH];
	if (!memory[LEFT]) {
		memory[LEFT] = true;
		return await again(context, clock.now() + LEFT_TO_OTHERS_MS);
	}
	const waiter = waiterOf(parked[WATCH]);
	if (!waiter) return NOTHING;
	const waiting = await readExecution(context, waiter.executionId);
	if (whereabouts(waiting, waiter) !== 'here') return NOTHING;
	const { worker } = parked[WATCH] as { worker?: unknown };
	const workers = [worker, stubIn(memoryOf(waiting, waiter.node), waiter)?.worker];
	const ids = await Promise.all(
		[...new Set(workers)].map(async (id) => await idsOf(context, id, waiter)),
	);
	await refuse(context, waiter, ids.flat());
	return NOTHING;
}

async function idsOf(context: IExecuteFunctions, id: unknown, { node }: Waiter) {
	const data = typeof id === 'string' ? await readExecution(context, id) : undefined;
	return jobIdsIn(keptIn(data, node));
}

/** Whom the execution works for; `undefined` where that cannot be read. */
function waiterOf(parked: unknown): Waiter | undefined {
	return z.object({ waiter: waiterSchema }).safeParse(parked).data?.waiter;
}

function jobIdsIn(parked: IDataObject): string[] {
	return Object.values(entriesIn(parked)).flatMap(({ job }) => (job ? [String(job.id)] : []));
}

async function refuse(context: IExecuteFunctions, waiter: Waiter, ids: readonly string[]) {
	const error = refusal([...new Set(ids)]);
	context.logger.warn(`${context.getNode().name}: ${error.message}`);
	const waiting = await readExecution(context, waiter.executionId);
	if (whereabouts(waiting, waiter) === 'here') await startDelivery(context, waiter, { error });
}
