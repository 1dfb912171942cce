import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Clock } from '../clock/clock';
import { withJob } from '../jobs/job';
import { Ledger } from '../jobs/ledger';
import { asCreated } from '../jobs/runJob';
import { attempt } from '../service/attempt';
import { finish } from './finish';
import { packed } from './packing';
import { again, NOTHING } from './rounds';
import { recall, takeIn, WORK, type WorkState } from './state';
import { openItems } from './stretch';
import { isWanted } from './wanted';
import { workOn } from './workOn';

/** After an error that is not about an item, ms; after so many in a row the run ends with it. */
const TROUBLE_MS = 60_000;
const MOST_TROUBLES = 5;

/**
 * The role of the execution that works on a durable run: a stretch at a time, until all items have
 * come to their end; then it starts the one that hands over the results.
 */
export async function work(
	context: IExecuteFunctions,
	clock: Clock,
): Promise<INodeExecutionData[][]> {
	if (takeIn(context, WORK)) return await again(context, 0);
	const state = recall<WorkState>(context, WORK);
	const round = await attempt(goRound(context, state, clock));
	if ('value' in round) return round.value;
	const error = round.error as Error;
	context.logger.warn(`${context.getNode().name} waits durably: ${error.message}`);
	state.troubles += 1;
	if (state.troubles >= MOST_TROUBLES) endWith(context, state, error);
	return await again(context, clock.now() + TROUBLE_MS);
}

async function goRound(context: IExecuteFunctions, state: WorkState, clock: Clock) {
	if (!(await isWanted(context, state, clock))) return NOTHING;
	const till = await workOn(context, state, clock);
	state.troubles = 0;
	if (till !== undefined) return await again(context, till);
	state.delivery = await finish(context, state);
	return NOTHING;
}

/** Nothing more can be done, such as with a credential that is gone: all that is open fails. */
function endWith(context: IExecuteFunctions, state: WorkState, error: Error): void {
	const ledger = new Ledger(context.getContext('node'), { index: state.waiter.runIndex });
	for (const { itemIndex, jobSpec } of openItems(state)) {
		const job = ledger.find(itemIndex, jobSpec.request)?.job;
		state.results[itemIndex] = packed({ error: job ? withJob(error, asCreated(job)) : error });
	}
}
