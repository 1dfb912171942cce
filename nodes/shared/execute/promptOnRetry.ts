import { isPaidFor } from '../jobs/itemOrder';
import { PROMPT_ON_RETRY, PROMPT_ON_RETRY_LABEL } from '../parameters/names';
import { OPTIONS } from '../parameters/options';
import type { ReadParameter } from '../request/readValues';
import { InvalidValues } from '../request/validate';
import { counted, infoOnce } from '../run/messages';
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

/**
 * Reads the fields of an item, its prompt as the person has changed it.
 *
 * @throws InvalidValues where a row is named that the run does not have
 */
export function withPromptOnRetry(
	run: Run,
	operation: Operation,
	itemIndex: number,
	read: ReadParameter,
): ReadParameter {
	const prompts = run.isRetry ? promptsIn(operation, read) : [];
	const { length } = run.context.getInputData();
	const beyond = prompts.find(({ row }) => row > length);
	if (beyond) {
		const message = `Options > ${PROMPT_ON_RETRY_LABEL} names row ${beyond.row}, but this run has ${counted(length, 'row')}`;
		throw new InvalidValues([{ field: PROMPT_ON_RETRY, message }]);
	}
	const own = prompts.find(({ row }) => row === rowNumber(itemIndex));
	return own && !hasJob(run, itemIndex)
		? (name, fallback) => (name === PROMPT_FIELD ? own.prompt : read(name, fallback))
		: read;
}

/** Says so where a prompt on retry has no effect. */
export function warnOfUnusedPrompt(run: Run, { operation, read, itemIndex }: ItemPlan): void {
	const prompts = promptsIn(operation, read);
	if (prompts.length === 0) return;
	if (!run.isRetry) {
		infoOnce(
			run,
			`Options > ${PROMPT_ON_RETRY_LABEL} has no effect in this run: it counts when an execution is retried.`,
		);
	} else if (prompts.some(({ row }) => row === rowNumber(itemIndex)) && hasJob(run, itemIndex)) {
		infoOnce(
			run,
			`${rowFirst({ itemIndex })}: Options > ${PROMPT_ON_RETRY_LABEL} has no effect, since the row has its job.`,
		);
	}
}

const hasJob = (run: Run, itemIndex: number) =>
	isPaidFor(run, itemIndex, isTool(run.context.getNode()));

/** Whatever is wrong with the options is told where all of them are read. */
function promptsIn(operation: Operation, read: ReadParameter) {
	if (operation.kind !== 'create' || !fieldNamed(operation, PROMPT_FIELD)) return [];
	const { success, data } = OPTIONS[PROMPT_ON_RETRY].value.safeParse(
		givenOptions(read)[PROMPT_ON_RETRY],
	);
	return success ? data : [];
}
