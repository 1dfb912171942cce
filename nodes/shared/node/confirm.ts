import type { INodeExecutionData } from 'n8n-workflow';

import type { Settled } from '../jobs/batch';
import { attempt } from '../service/attempt';
import type { ItemPlan, Run } from '../run/run';
import { rereadCreate } from '../run/runCreate';

type Results = Array<Settled<INodeExecutionData[]>>;

/**
 * Of the results that were taken from the history, reads the last one from its job's own status. Where
 * that tells something else, or another job did meanwhile, all of them are read so: nothing that rests on
 * a history which was found to be wrong is given out.
 */
export async function confirm(
	run: Run,
	plans: ReadonlyArray<Settled<ItemPlan>>,
	results: Results,
): Promise<void> {
	const taken = [...run.seen].flatMap(([itemIndex, { trust }]) =>
		trust ? [{ itemIndex, trust }] : [],
	);
	const last = taken.at(-1);
	if (!last || run.signal?.aborted) return;
	const before = told(results[last.itemIndex]);
	if (!last.trust.hasEnded) {
		await reread(run, plans, results, last.itemIndex);
		if (told(results[last.itemIndex]) !== before) run.account.historyTrust.end();
	}
	const wrong = taken.filter(({ trust }) => trust.hasEnded);
	await Promise.all(
		wrong.map(async ({ itemIndex }) => await reread(run, plans, results, itemIndex)),
	);
}

async function reread(
	run: Run,
	plans: ReadonlyArray<Settled<ItemPlan>>,
	results: Results,
	itemIndex: number,
): Promise<void> {
	const plan = plans[itemIndex];
	if (!plan || !('value' in plan) || plan.value.operation.kind !== 'create') return;
	results[itemIndex] = await attempt(rereadCreate(run, plan.value.operation, plan.value));
}

/** How long it took may differ. */
const told = (result?: Settled<INodeExecutionData[]>): string =>
	result && 'value' in result
		? JSON.stringify(result.value.map(({ json }) => ({ ...json, waitedMs: 0 })))
		: '';
