import type { IDataObject } from 'n8n-workflow';

import type { Settled } from '../jobs/batch';
import { validate, InvalidValues } from '../request/validate';
import { hint } from '../run/hint';
import type { ItemPlan, Run } from '../run/run';
import { counted, itemsInWords } from '../run/words';
import type { Values } from '../spec/conditions';
import { JOB_ID_FIELD } from '../spec/jobs';
import type { Operation } from '../spec/types';

/** Whether an item is to read a job and names none. */
export function namesNoJob({ kind }: Operation, values: Values): boolean {
	return kind === 'status' && String(values[JOB_ID_FIELD] ?? '').trim() === '';
}

/**
 * Lets items go on as they came that name no job, such as a creation of unknown outcome among paid jobs:
 * they do not keep the jobs of the others from being read.
 *
 * @returns the plans; those items are errors where none of the others names a job, and they do not say
 * why they have none: then the field is wrong
 */
export function passOnWithoutJob(
	run: Run,
	plans: ReadonlyArray<Settled<ItemPlan>>,
): ReadonlyArray<Settled<ItemPlan>> {
	const passing = plans.flatMap((plan) =>
		'value' in plan && plan.value.passesOn ? [plan.value] : [],
	);
	if (passing.length === 0) return plans;
	const isAnyRead = plans.some((plan) => 'value' in plan && !plan.value.passesOn);
	const isWrong = ({ passesOn }: ItemPlan) => !isAnyRead && !saysWhy(passesOn?.json);
	const told = passing.filter((plan) => !isWrong(plan));
	if (told.length > 0) hint(run, noJobText(told));
	return plans.map((plan) => {
		if (!('value' in plan) || !plan.value.passesOn || !isWrong(plan.value)) return plan;
		return { error: new InvalidValues(validate(plan.value.operation, plan.value.values)) };
	});
}

/** A creation of unknown outcome, a failed item, or a row of *Recover From Execution*. */
function saysWhy({ unknownOutcome, error, jobId }: IDataObject = {}): boolean {
	return unknownOutcome !== undefined || error !== undefined || jobId === null;
}

function noJobText(passing: readonly ItemPlan[]): string {
	const items = itemsInWords(passing.map(({ itemIndex }) => itemIndex));
	const many = counted(
		passing.length,
		'item has no job ID and goes',
		'items have no job ID and go',
	);
	return `${many} on as received: ${items}. Where such an item has unknownOutcome, its job may exist: look for it in the history or on the website before you order again.`;
}
