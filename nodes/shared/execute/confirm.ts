import type { INodeExecutionData } from 'n8n-workflow';

import type { Settled } from '../jobs/batch';
import { SHOWN_CHARACTERS, type JobSnapshot } from '../jobs/job';
import { attempt } from '../service/attempt';
import { jobInError } from '../run/errors';
import { hint } from '../run/hint';
import type { ItemPlan, Run } from '../run/run';
import { rereadCreate } from '../run/runCreate';
import { counted } from '../run/words';
import { cleanText } from '../service/cleanText';

type Results = Array<Settled<INodeExecutionData[]>>;

/**
 * Of the results that were taken from the history, reads the last one from its job's own status. Where
 * that tells something else, or another job did meanwhile, all of them are read so: nothing that rests on
 * a history which was found to be wrong is given out. What only could not be compared in the end is, with a
 * hint.
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
	const { itemIndex } = last;
	const before = results[itemIndex];
	const job = run.seen.get(itemIndex);
	if (!last.trust.hasEnded) {
		await reread(run, plans, results, itemIndex);
		const isUnseen = seenOf(run, itemIndex, results[itemIndex])?.state === undefined;
		if (isUnseen && !last.trust.hasEnded && before && job) {
			results[itemIndex] = before;
			run.seen.set(itemIndex, job);
			hint(run, unconfirmedText(job.id, taken.length));
		} else if (told(results[itemIndex]) !== told(before)) run.account.historyTrust.end();
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

/** As what the job was seen; without a state where no look was answered. */
function seenOf(run: Run, itemIndex: number, result?: Settled<unknown>): JobSnapshot | undefined {
	return result && 'error' in result ? jobInError(result.error) : run.seen.get(itemIndex);
}

const unconfirmedText = (id: string, results: number) =>
	`${counted(results, 'result was', 'results were')} taken from the generation history, which had told the truth before, and the service did not answer the check of job ${cleanText(id, SHOWN_CHARACTERS)} in the end. Before you rely on what was taken, read that job with Job > Get Status, and compare it with its item.`;

/** How long it took may differ. */
const told = (result?: Settled<INodeExecutionData[]>): string =>
	result && 'value' in result
		? JSON.stringify(result.value.map(({ json }) => ({ ...json, waitedMs: 0 })))
		: '';
