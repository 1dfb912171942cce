import { isGood } from '../jobs/order';
import { PROMPT_ON_RETRY, PROMPT_ON_RETRY_LABEL } from '../parameters/names';
import { OPTIONS } from '../parameters/options';
import type { ReadParameter } from '../request/readValues';
import { InvalidValues } from '../request/validate';
import { counted, info } from '../run/messages';
import { givenOptions } from '../run/readParameters';
import { rowFirst, rowNumber } from '../run/rows';
import type { ItemPlan, Run } from '../run/run';
import { PROMPT_FIELD } from '../spec/answers';
import { fieldNamed } from '../spec/conditions';
import type { Operation } from '../spec/types';
import { isRetryOfRun } from './retries';

/*
 * When a person retries an execution, a list from an earlier node stays as it was. With this option, a row of the
 * list gets another prompt without an expression, and the others keep their jobs (money rule 6).
 */

/**
 * The prompt that a person has given a row for this retry; `undefined` if there is none, or the row has its job.
 *
 * @throws InvalidValues if the option names a row that the run does not have
 */
export function promptOnRetry(
	run: Run,
	operation: Operation,
	itemIndex: number,
	read: ReadParameter,
): string | undefined {
	const prompts = isRetryOfRun(run) ? promptsIn(operation, read) : [];
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
	if (!isRetryOfRun(run)) {
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
const hasJob = ({ ledger }: Run, itemIndex: number) => isGood(ledger.find(itemIndex));

/** The prompts that the option gives; none if it is invalid, which is reported where all options are read. */
function promptsIn(operation: Operation, read: ReadParameter) {
	if (operation.kind !== 'create' || !fieldNamed(operation, PROMPT_FIELD)) return [];
	const { success, data } = OPTIONS[PROMPT_ON_RETRY].value.safeParse(
		givenOptions(read)[PROMPT_ON_RETRY],
	);
	return success ? data : [];
}
