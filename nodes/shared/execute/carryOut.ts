import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { catalogEntries } from '../catalog/catalogEntries';
import {
	durableRunsOf,
	finishAbandoned,
	NotRecoverable,
	paidJobsOf,
	StillWorkedOn,
	type DurableRun,
} from '../durable/recovery';
import { readPlanned } from '../request/readValues';
import { InvalidValues } from '../request/validate';
import { hint } from '../run/messages';
import { stoppedJobsOf } from '../run/paidJobs';
import { itemOf, type ItemPlan, type Run, type Runner } from '../run/run';
import { attempt } from '../service/attempt';
import { unwrap } from '../service/bodies';
import { cleanText } from '../service/shownText';
import { EXECUTION_ID, FINISH_EXECUTION, RECOVERY_READS } from '../spec/jobs';
import { DEFAULT_LANGUAGE } from '../spec/music/catalog';
import { priceOf, PLANNED_OPERATION, plannedName } from '../spec/price';
import type { CatalogOperation, EstimateOperation, RecoverOperation } from '../spec/types';
import { runCheck } from './checkConnection';
import { runCreate } from './create';
import { runStatus } from './readJob';
import { runList, runRecord } from './records';

/**
 * Carries out what one item asks for.
 *
 * @param goOn to be called when the next item may be begun, where that is before this one has ended
 */
export async function carryOut(
	run: Run,
	item: ItemPlan,
	goOn: () => void,
): Promise<INodeExecutionData[]> {
	const { operation, itemIndex, passesOn } = item;
	if (passesOn) return [{ ...passesOn, pairedItem: { item: itemIndex } }];
	switch (operation.kind) {
		case 'create':
			return await runCreate(run, operation, item, goOn);
		case 'status':
			return await runStatus(run, operation, item);
		case 'list':
			return await runList(run, operation, item);
		case 'record':
			return await runRecord(run, operation, item);
		case 'estimate':
			return await runEstimate(run, operation, item);
		case 'catalog':
			return await runCatalog(run, operation, item);
		case 'check':
			return await runCheck(run, operation, item);
		case 'recover':
			return await runRecover(run, operation, item);
		case 'any':
			throw new Error('An operation of the catalog is resolved before it is carried out');
	}
}

/** Works out what a planned job would cost, from the tables alone. */
const runEstimate: Runner<EstimateOperation> = async (_run, { planned }, plan) => {
	const name = plan.values[PLANNED_OPERATION];
	return planned
		.filter((operation) => plannedName(operation) === name)
		.map((operation) => {
			const { planned: job, values, problems } = readPlanned(operation, plan.read);
			if (problems.length > 0) throw new InvalidValues(problems);
			const { credits, exact, reason = null } = priceOf(job, values);
			const json = { operation: plannedName(operation), credits, exact, reason };
			return itemOf(plan, json);
		});
};

/** Gives out the music catalog: as the service has it, or the built-in tables in the same form. */
const runCatalog: Runner<CatalogOperation> = async (run, _operation, plan) => {
	const { operations, live } = await run.catalog(String(plan.values.language ?? DEFAULT_LANGUAGE));
	const catalog = unwrap(live) ?? catalogEntries(operations);
	const json = { source: live === undefined ? 'built-in' : 'service', ...catalog } as IDataObject;
	return [itemOf(plan, json)];
};

/** Gives the paid jobs of an execution that waits durably or was stopped, one item each, as n8n has stored them. */
const runRecover: Runner<RecoverOperation> = async (run, _operation, plan) => {
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

const itemsOf = (jobs: readonly IDataObject[], plan: ItemPlan): INodeExecutionData[] =>
	jobs.map((json) => itemOf(plan, json));

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
