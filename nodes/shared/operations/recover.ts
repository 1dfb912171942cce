import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { finishAbandoned, StillWorkedOn } from '../durable/finishAbandoned';
import { durableRunsOf, NotRecoverable, paidJobsOf, type DurableRun } from '../durable/recovery';
import { attempt } from '../service/attempt';
import { cleanText } from '../service/cleanText';
import { EXECUTION_ID, FINISH_EXECUTION, RECOVERY_READS } from '../spec/jobs';
import type { RecoverOperation } from '../spec/types';
import { InvalidValues } from '../request/validate';
import { hint } from '../run/hint';
import type { ItemPlan, Run, Runner } from '../run/run';
import { stoppedJobsOf } from '../run/stoppedRun';

/** Gives the paid jobs of an execution that waits durably or was stopped, one item each, as n8n has stored them. */
export const runRecover: Runner<RecoverOperation> = async (run, _operation, plan) => {
	const id = executionNumber(plan.values[EXECUTION_ID]);
	const stopped = await attempt(stoppedJobsOf(run.context, id));
	if ('value' in stopped && stopped.value) return itemsOf(stopped.value, plan);
	const runs = await durableRunsOf(run.context, id).catch((error: unknown) => {
		throw invalidId(`is "${id}": ${reasonOf(error)}`);
	});
	if (plan.values[FINISH_EXECUTION] === true) await finish(run, runs, id);
	const jobs = runs.flatMap(paidJobsOf);
	if (jobs.length === 0) hint(run, `Execution ${id} has paid for no job`);
	return itemsOf(jobs, plan);
};

const itemsOf = (jobs: readonly IDataObject[], { itemIndex }: ItemPlan): INodeExecutionData[] =>
	jobs.map((json) => ({ json, pairedItem: { item: itemIndex } }));

/** As n8n's editor shows it: `231`, `#231` or `ID#231`; in no database longer than 15 digits. */
const NUMBER = /^(?:(?:ID)? ?#)? ?(\d{1,15})$/i;

function executionNumber(given: unknown): string {
	const number = NUMBER.exec(String(given).trim())?.[1];
	if (number !== undefined) return number;
	throw invalidId(`must be a number, such as 231, but is "${cleanText(String(given), 100)}"`);
}

function invalidId(rule: string): InvalidValues {
	const message = `Execution ID (${EXECUTION_ID}) ${rule}`;
	return new InvalidValues([{ field: EXECUTION_ID, message }], RECOVERY_READS);
}

/** What n8n's database says of a fault is for its log alone. */
function reasonOf(error: unknown): string {
	return error instanceof NotRecoverable ? error.message : 'n8n could not read it';
}

/** The jobs are given out all the same where the execution cannot go on. */
async function finish(run: Run, runs: readonly DurableRun[], id: string): Promise<void> {
	const { context, clock, signal } = run;
	for (const durable of runs.filter(({ isWaiting }) => isWaiting)) {
		const finished = await attempt(finishAbandoned(context, durable, clock, signal));
		if ('value' in finished) continue;
		hint(run, `Execution ${id} ${whyNotFinished(finished.error)}`);
	}
}

function whyNotFinished(error: unknown): string {
	return error instanceof StillWorkedOn
		? 'is still being worked on and will finish by itself; nothing was done.'
		: `cannot be finished: ${error instanceof NotRecoverable ? error.message : 'n8n could not start a new worker'}`;
}
