import type { IDataObject } from 'n8n-workflow';

import { hasFailed, jobOf } from '../jobs/order';
import { PROMPT_ON_RETRY, PROMPT_ON_RETRY_LABEL } from '../parameters/names';
import { OPTIONS } from '../parameters/options';
import type { ReadParameter } from '../request/readValues';
import { InvalidValues } from '../request/validate';
import { counted, info } from '../run/messages';
import { givenOptions } from '../run/readParameters';
import { rowFirst, rowNumber } from '../run/rows';
import { isTool, type ItemPlan, type Run } from '../run/run';
import { PROMPT_FIELD } from '../spec/answers';
import { fieldNamed } from '../spec/conditions';
import type { Operation } from '../spec/types';

/*
 * A list from a node before this one stays as it was when a person retries an execution. This is how one of its
 * rows gets another prompt all the same, without an expression (money rule 6: the others keep their jobs).
 */

/** Where a node remembers which of its runs was the last, in which execution, and whether it went on with one before. */
const LAST_RUN = 'mediaGenLastRun';

/** Runs that go on with what an execution before them has left: a retry runs the nodes after that for the first time. */
const again = new WeakSet<Run>();

/** To be called once, as a run begins. */
export function noteRun(run: Run): void {
	const { context, executionId, isRetry, ledger } = run;
	const memory = context.getContext('node');
	const last = memory[LAST_RUN] as IDataObject | undefined;
	const isSame = last?.index === ledger.runIndex;
	const isAgain = isRetry && isSame && (last.executionId !== executionId || last.isAgain === true);
	memory[LAST_RUN] = { index: ledger.runIndex, executionId, isAgain };
	if (isAgain && !isTool(context.getNode())) again.add(run);
}

/**
 * The prompt that a person has given a row for this retry; `undefined` where it has none, or its job.
 *
 * @throws InvalidValues where a row is named that the run does not have
 */
export function promptOnRetry(
	run: Run,
	operation: Operation,
	itemIndex: number,
	read: ReadParameter,
): string | undefined {
	const prompts = again.has(run) ? promptsIn(operation, read) : [];
	const { length } = run.context.getInputData();
	const beyond = prompts.find(({ row }) => row > length);
	if (beyond) {
		// @error(values) <option> names row <number>, but this run has <rows>
		// Enter the number of the row that failed. Rows count from 1.
		const message = `Options > ${PROMPT_ON_RETRY_LABEL} names row ${beyond.row}, but this run has ${counted(length, 'row')}`;
		throw new InvalidValues([{ field: PROMPT_ON_RETRY, message }]);
	}
	if (hasJob(run, itemIndex)) return undefined;
	return prompts.find(({ row }) => row === rowNumber(itemIndex))?.prompt;
}

export function warnOfUnusedPrompt(run: Run, { operation, read, itemIndex }: ItemPlan): void {
	const prompts = promptsIn(operation, read);
	if (prompts.length === 0) return;
	if (!again.has(run)) {
		info(
			run,
			`Options > ${PROMPT_ON_RETRY_LABEL} has no effect in this run: it counts when an execution is retried.`,
		);
	} else if (prompts.some(({ row }) => row === rowNumber(itemIndex)) && hasJob(run, itemIndex)) {
		info(
			run,
			`${rowFirst({ itemIndex })}: Options > ${PROMPT_ON_RETRY_LABEL} has no effect, since the row has its job.`,
		);
	}
}

/** Whether the row has a job that has not failed, whatever else has been changed. */
function hasJob({ ledger }: Run, itemIndex: number): boolean {
	const order = ledger.find(itemIndex);
	return jobOf(order) !== undefined && !hasFailed(order);
}

/** Whatever is wrong with the options is told where all of them are read. */
function promptsIn(operation: Operation, read: ReadParameter) {
	if (operation.kind !== 'create' || !fieldNamed(operation, PROMPT_FIELD)) return [];
	const { success, data } = OPTIONS[PROMPT_ON_RETRY].value.safeParse(
		givenOptions(read)[PROMPT_ON_RETRY],
	);
	return success ? data : [];
}
