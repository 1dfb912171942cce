import type { IExecuteFunctions } from 'n8n-workflow';

import type { Settled } from '../orders/batch';
import { CONTINUE_EXECUTION } from '../parameters/names';
import { InvalidValues } from '../request/validate';
import { attempt } from '../service/attempt';
import { cleanText } from '../service/shownText';
import { numberIn, ordersOf, reasonOf } from './keep';
import { hint, info } from './messages';
import { givenOptions, optionLabel, parameterReader } from './readParameters';
import { rowsInWords } from './rows';
import {
	type Continued,
	credentialOf,
	type Durable,
	type ItemPlan,
	plannedIn,
	type Plans,
	type Run,
} from './run';

/*
 * *Continue Execution*: a run that a person starts in the editor begins with the orders of an earlier execution. Rows that
 * it has are taken, as a retry takes them; those that are missing, have failed or were changed are started.
 */

/** The executions that are being continued, and by which: a second click must not order the same. */
const underWay = new Map<string, string>();

/** @throws InvalidValues if another run continues the same execution just now */
export function beginContinued({ continued, executionId }: Run): void {
	if (!continued) return;
	const other = underWay.get(continued.id);
	if (other !== undefined)
		throw refused(`is ${continued.id}: execution ${other} continues it just now`);
	underWay.set(continued.id, executionId);
}

/** To be called when a run is over that has begun so. */
export function endContinued({ continued }: Run): void {
	if (continued) underWay.delete(continued.id);
}

/** What is in the option, by the first row that has it; empty where it is not added. */
function typedIn(context: IExecuteFunctions): string {
	for (const row of context.getInputData().keys()) {
		try {
			const given = givenOptions(parameterReader(context, row))[CONTINUE_EXECUTION];
			if (given) return String(given).trim();
		} catch {
			// Planning the row reports what is wrong with it.
		}
	}
	return '';
}

/**
 * The execution that this one continues, if a person wants that.
 *
 * @throws InvalidValues if it cannot be continued
 */
export async function continuedBy(
	context: IExecuteFunctions,
	durable: Durable,
): Promise<Continued | undefined> {
	const typed = typedIn(context);
	if (typed === '' || context.getMode() !== 'manual') return undefined;
	const id = numberIn(typed);
	if (id === undefined)
		throw refused(`must be a number, such as 231, but is "${cleanText(typed, 100)}"`);
	const read = await attempt(context.getExecutionDataById(id));
	const data = 'value' in read ? read.value : undefined;
	if (!data) throw refused(`is ${id}: n8n has no such execution, or no longer`);
	if (data.waitTill) throw refused(`is ${id}: it still waits, and goes on by itself`);
	const found = await attempt(ordersOf({ context, durable }, id));
	if ('error' in found) throw refused(`is ${id}: ${reasonOf(found.error)}`);
	const { name } = context.getNode();
	const own = found.value.filter(({ node }) => node === name);
	const [first] = own;
	if (!first)
		throw refused(`is ${id}: this node, "${name}", has ordered nothing in it, or it still runs`);
	const credential = credentialOf(context);
	if (own.some(({ order }) => order.credential !== credential))
		throw refused(`is ${id}: that was ordered with another credential`);
	// The number may be that of an execution that keeps the orders of a stopped one.
	return { id: first.executionId, orders: own.map(({ order }) => order) };
}

function refused(rule: string): InvalidValues {
	const message = `${optionLabel(CONTINUE_EXECUTION)} ${rule}`;
	const advice = 'Nothing was ordered. Without this option, the run orders all rows anew.';
	return new InvalidValues([{ field: CONTINUE_EXECUTION, message }], advice);
}

/** The plans; errors in place of them where nothing of the execution that is continued fits a row. */
export function unlessNoneFits({ continued, orders }: Run, plans: Plans): Array<Settled<ItemPlan>> {
	if (!continued || orders.areMatched) return [...plans];
	const error = refused(`is ${continued.id}: none of its orders is for a row of this run`);
	return plans.map((plan) => ('value' in plan ? { error } : plan));
}

/** Says what is taken and what is started, or that the option was left out. */
export function tellContinued(run: Run, plans: Plans): void {
	const { context, continued, orders, executionId } = run;
	if (!continued) {
		if (context.getMode() === 'retry' || typedIn(context) === '') return;
		const why = 'it acts in executions that are started in the editor';
		return hint(run, `${optionLabel(CONTINUE_EXECUTION)} was left out: ${why}.`);
	}
	const rows = plannedIn(plans);
	const taken = rows.filter(({ itemIndex }) => orders.find(itemIndex));
	const started = rows.filter((row) => !taken.includes(row));
	const parts = [
		taken.length > 0 ? `took ${rowsInWords(taken)}` : '',
		started.length > 0 ? `started ${rowsInWords(started)}` : '',
	];
	const what = parts.filter(Boolean).join(', ') || 'nothing was left to do';
	info(
		run,
		`Continued execution ${continued.id}: ${what}. To continue once more after a restart of n8n, enter ${executionId}.`,
	);
}
