import type { IExecuteFunctions } from 'n8n-workflow';

import type { Clock } from '../clock/clock';
import { Ledger, ledgerOf } from '../jobs/ledger';
import { doubtIn, jobOf, type InDoubt } from '../jobs/order';
import { doubtText } from '../service/errorTexts';
import { ServiceError } from '../service/serviceError';
import type { CreateOperation } from '../spec/types';
import { checkSilence, isOwnVersion, isStopped, readExecution, type Silence } from './executions';
import { type DurableRun, helpersOf, NotRecoverable, workOf } from './recovery';
import { withMoreTime } from './plans';
import { serializeResult, type SerializedResult } from './serialize';
import { start } from './roleWorkflow';
import { KILLED_WHILE_SENT, type Work, workItem } from './state';
import { openItems } from './workOnItems';

/** Looks at those who work for a run, until it is certain that nobody does, and between two, ms. */
const CHECKS = 3;
const BETWEEN_MS = 66_000;

/** Somebody works for the run. */
export class StillWorkedOn extends Error {}

/** n8n numbers executions from 1: the worker sees that it has no supervisor, and starts one. */
const NO_SUPERVISOR = '0';

/**
 * Lets an execution go on that waits for a durable run for which nobody works any more: a new worker
 * waits for the jobs that are paid for, and hands the results over. It creates none, so that two of
 * them do not pay twice: items without a job fail.
 *
 * @throws StillWorkedOn where somebody works for the run; NotRecoverable
 */
export async function finishAbandoned(
	context: IExecuteFunctions,
	run: DurableRun,
	clock: Clock,
	signal?: AbortSignal,
): Promise<void> {
	await requireAbandoned(context, run, clock, signal);
	const { caller } = run;
	const waiting = await readExecution(context, caller.executionId);
	const node = waiting?.executionData?.nodeExecutionStack[0]?.node;
	const work = workOf(run);
	if (!node || !work) {
		throw new NotRecoverable('n8n has deleted the executions that worked for it');
	}
	// What another version has parked is refused by the new worker, and its jobs are named.
	const own = isOwnVersion(work.state) ? closed(work, clock.now()) : work;
	await start(context, caller, 'work', workItem(own), node);
}

async function requireAbandoned(
	context: IExecuteFunctions,
	{ caller, handle }: DurableRun,
	clock: Clock,
	signal?: AbortSignal,
): Promise<void> {
	let before: Record<string, Silence> = {};
	for (let check = 1; check <= CHECKS; check++) {
		if (check > 1) await clock.sleep(BETWEEN_MS, signal);
		const helpers = await helpersOf(context, caller.node, handle);
		const worker = helpers.filter(({ work }) => work).at(-1);
		const hasSupervisors = !worker || !isStopped(worker.data);
		// One that has failed or was stopped does not go on, until when it may have parked before;
		// supervisors end as they see that a person has stopped the worker.
		const open = helpers.filter(
			({ data, work }) => !data.resultData.error && (work || hasSupervisors),
		);
		const silences = open.map(
			({ id, data }) => [id, checkSilence(data, clock.now(), before[id])] as const,
		);
		const isAlive = silences.some(([, silence]) => silence?.times !== check);
		if (isAlive) throw new StillWorkedOn();
		before = Object.fromEntries(silences) as Record<string, Silence>;
	}
}

/** The work with no job left to create. */
function closed({ state, entries }: Work, now: number): Work {
	const ledger = new Ledger(ledgerOf(entries), { index: state.caller.runIndex });
	const results: Record<number, SerializedResult> = { ...state.results };
	for (const { itemIndex, jobSpec } of openItems(state)) {
		const order = ledger.find(itemIndex, jobSpec.request);
		if (jobOf(order)) continue;
		const isUnderWay = state.intents.items.includes(itemIndex);
		const doubt = doubtIn(order) ?? (isUnderWay ? KILLED_WHILE_SENT : undefined);
		results[itemIndex] = serializeResult({ error: notCreated(jobSpec.operation, doubt) });
	}
	const lostMs = Math.max(0, now - state.lastProgressAt);
	return {
		entries,
		state: {
			...state,
			// The time in which nobody worked does not count.
			plans: withMoreTime(state.plans, lostMs),
			results,
			supervisor: NO_SUPERVISOR,
			isReplacement: false,
			intents: { at: 0, items: [] },
			lastProgressAt: now,
			checkedAt: undefined,
			silence: undefined,
			resuming: undefined,
			consecutiveErrors: 0,
		},
	};
}

function notCreated(operation: CreateOperation, doubt: InDoubt | undefined): ServiceError {
	if (doubt) {
		return new ServiceError({
			message: doubt.unknownOutcome,
			description: doubtText(operation, doubt.candidates),
			outcome: 'unknown',
		});
	}
	return new ServiceError({
		message: 'This job was not created: nobody worked for the execution any more',
		description: 'Run the workflow again for this item. Nothing was charged for it.',
		outcome: 'notSent',
	});
}
