import type { IExecuteFunctions } from 'n8n-workflow';

import { Batch, NotStarted, type Settled } from '../jobs/batch';
import type { Clock } from '../clock/clock';
import { JobError } from '../jobs/job';
import { runJob, type JobSpec, type JobResult } from '../jobs/runJob';
import { openRun } from '../run/openRun';
import type { ItemPlan, Run } from '../run/run';
import { jobSpecOf } from '../run/runCreate';
import { attempt } from '../service/attempt';
import { isTooMany, isUnreachable, ServiceError } from '../service/serviceError';
import { unpackPlan } from './packing';
import { AWAKE_MS } from './rest';
import type { WorkState } from './state';

/**
 * One stretch takes so long at most, ms, unless something new comes sooner; long enough for a look
 * where nothing has been new for a while.
 */
const STRETCH_MS = 20_000;
const LOOK_MS = 5000;

/** What comes so soon after something new belongs to the same stretch, ms. */
const TOGETHER_MS = 300;

/** An item that is still to come to its end, and what it orders. */
export interface OpenItem {
	itemIndex: number;
	plan: ItemPlan;
	jobSpec: JobSpec;
}

/** The items of a durable run that have not come to their end. */
export function openItems({ plans, results }: WorkState): OpenItem[] {
	return plans.flatMap((packed, itemIndex) => {
		const plan = unpackPlan(packed);
		if (results[itemIndex] || !('value' in plan)) return [];
		const { operation } = plan.value;
		if (operation.kind !== 'create') return [];
		const jobSpec = { ...jobSpecOf(operation, plan.value), isDurable: true };
		return [{ itemIndex, plan: plan.value, jobSpec }];
	});
}

/** Opens the run that the jobs of a durable run belong to, until `rest` fires. */
export async function openDurable(
	context: IExecuteFunctions,
	{ waiter, isRetry, parameters, unfinishedShown, continueOnFail }: WorkState,
	clock: Clock,
	rest: AbortSignal = new AbortController().signal,
): Promise<Run> {
	const { executionId, runIndex } = waiter;
	const { stopCreating, failed } = new Batch(continueOnFail);
	const run = await openRun(
		context,
		{ kind: 'create' },
		{
			clock,
			stopCreating,
			failed,
			runDone: rest,
			origin: { executionId, runIndex, isRetry, parameters },
			rest,
		},
	);
	for (const type of unfinishedShown) run.jobs.account.unfinishedShown.add(type);
	return run;
}

/**
 * Creates and waits, as in process, until there is something new that n8n should store: a job that
 * was created, or has ended. Jobs that run on are left to the next stretch.
 *
 * @param items those whose jobs run, or are to be created
 * @returns what came of the items, where anything did
 */
export async function stretch(
	context: IExecuteFunctions,
	state: WorkState,
	items: readonly OpenItem[],
	clock: Clock,
): Promise<Map<number, Settled<JobResult>>> {
	const rest = new AbortController();
	const done = new AbortController();
	const restIn = (ms: number) => {
		const end = () => rest.abort();
		clock.sleep(ms, done.signal).then(end, () => {});
	};
	const { jobs } = await openDurable(context, state, clock, rest.signal);
	const run = { ...jobs, onCreated: () => restIn(TOGETHER_MS) };
	restIn(clock.now() - state.newsAt < AWAKE_MS ? STRETCH_MS : LOOK_MS);
	const settled = await new Batch(true).settle(
		items,
		async ({ jobSpec }) => {
			const result = await attempt(runJob(run, jobSpec));
			if ('error' in result && isOpen(result.error, rest.signal)) throw new NotStarted();
			restIn(TOGETHER_MS);
			if ('error' in result) throw result.error;
			return result.value;
		},
		Infinity,
	);
	done.abort();
	return new Map(
		settled.flatMap((result, index) => {
			const item = items[index];
			return item && !('skipped' in result) ? [[item.itemIndex, result] as const] : [];
		}),
	);
}

/** Whether an item was only left for the next stretch: its job runs, or is not created. */
function isOpen(error: unknown, rest: AbortSignal): boolean {
	if (error instanceof NotStarted) return true;
	if (!rest.aborted) return false;
	if (error instanceof JobError) return error.kind === 'stopped';
	if (isTooMany(error) || isUnreachable(error)) return true;
	return error instanceof ServiceError && error.outcome === 'notSent';
}
