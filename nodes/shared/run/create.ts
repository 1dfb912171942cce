import type { INodeExecutionData } from 'n8n-workflow';

import type { Settled } from '../orders/batch';
import { SHOWN_CHARACTERS, type JobSnapshot } from '../orders/job';
import type { JobSpec } from '../orders/jobContext';
import { runJob } from '../orders/runJob';
import { flat } from '../output/itemFields';
import { jobOutput, originOf } from '../output/jobOutput';
import { resultUrls } from '../output/resultUrls';
import { jobItems, withSettings } from './finishedItems';
import { counted, hint } from './messages';
import { jobInError } from './table';
import { jobSpecOf, planIn, type ItemPlan, type Plans, type Run, type Runner } from './run';
import { attempt } from '../service/attempt';
import { cleanText } from '../service/shownText';
import type { CreateOperation } from '../spec/types';

/** Creates the job of one item, unless it has one already, and waits for it if that is asked. */
export const runCreate: Runner<CreateOperation> = async (run, operation, plan, onPlace) =>
	await ordered(run, operation, plan, { outcome: outcomeOf(run, operation, plan), onPlace });

async function ordered(
	run: Run,
	operation: CreateOperation,
	plan: ItemPlan,
	more: Pick<JobSpec, 'outcome' | 'isReread' | 'onPlace'>,
): Promise<INodeExecutionData[]> {
	const result = await runJob(run, { ...jobSpecOf(operation, plan), ...more });
	return await jobItems(run, operation, plan, result);
}

/** What a user gets to see of a record, as text: records with the same text are alike. */
function outcomeOf(
	run: Run,
	operation: CreateOperation,
	{ values, options }: ItemPlan,
): JobSpec['outcome'] {
	const { simplify, resultField } = options;
	return (job) => {
		const origin = withSettings(run, originOf(operation, values, job));
		return {
			kind: [operation.resource, operation.operation, simplify, resultField].join(' '),
			read: (snapshot) => {
				const urls = resultUrls(snapshot, origin, resultField);
				const seen = { ...snapshot, waitedMs: 0 };
				return { text: JSON.stringify(jobOutput(seen, origin, options, urls)), urls: urls.main };
			},
		};
	};
}

type Results = Array<Settled<INodeExecutionData[]>>;

/**
 * Compares the last result that was taken from the history with what its job's status endpoint says. If
 * they differ, or another comparison has failed meanwhile, all such results are read again at the status
 * endpoint, so that nothing from a wrong history is given out. If the last comparison only gets no answer,
 * the results are given out with a hint.
 */
export async function confirm(run: Run, plans: Plans, results: Results): Promise<void> {
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

/** Reads the record of an item's ended job again, from the job's status endpoint. */
async function reread(run: Run, plans: Plans, results: Results, itemIndex: number): Promise<void> {
	const plan = planIn(plans[itemIndex]);
	if (plan?.operation.kind !== 'create') return;
	results[itemIndex] = await attempt(ordered(run, plan.operation, plan, { isReread: true }));
}

/** The job as last seen; without a state if no look was answered. */
function seenOf(run: Run, itemIndex: number, result?: Settled<unknown>): JobSnapshot | undefined {
	return result && 'error' in result ? jobInError(result.error) : run.seen.get(itemIndex);
}

const unconfirmedText = (id: string, results: number) =>
	`${counted(results, 'result was', 'results were')} taken from the generation history, which had told the truth before, and the service did not answer the check of job ${cleanText(id, SHOWN_CHARACTERS)} in the end. Before you rely on what was taken, read that job with Job > Get Status, and compare it with its item.`;

/** The items as text, to compare them; leaves out how long the job took, which may differ. */
const told = (result?: Settled<INodeExecutionData[]>): string =>
	result && 'value' in result
		? JSON.stringify(result.value.map(({ json }) => ({ ...flat(json), waitedMs: 0 })))
		: '';
