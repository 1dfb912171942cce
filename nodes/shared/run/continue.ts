import type { IExecuteFunctions } from 'n8n-workflow';

import { knownUntil, ORDERS } from '../orders/orders';
import { CONTINUE_EXECUTION } from '../form/names';
import { InvalidValues } from '../request/request';
import { attempt } from '../clock/clock';
import { executionNumber, ordersOf, whyUnknown } from './keep';
import { hint, info, rowsInWords } from './messages';
import { optionLabel, type ReadOptions } from './planItem';
import {
	beganIn,
	type Continued,
	type Durable,
	lineageIn,
	type Row,
	type Run,
	sendable,
} from './run';

/*
 * *Continue Execution*: a run that a person starts in the editor begins with the orders of an earlier execution. Rows that
 * it has are taken, as a retry takes them; those that are missing, have failed or were changed are started.
 */

/** The executions that are being continued, and by which: a second click must not order the same. */
const underWay = new Map<string, string>();

/**
 * To be called before the run is opened: its memory must not have the orders if it is refused.
 *
 * @throws InvalidValues if another run continues the same execution just now
 */
export function beginContinued(continued: Continued | undefined, executionId: string): void {
	if (!continued) return;
	const other = underWay.get(continued.id);
	if (other !== undefined && other !== executionId)
		throw refused(
			`is ${continued.id}: execution ${other} continues it. Wait for that one, or continue it`,
		);
	underWay.set(continued.id, executionId);
}

/** To be called when a run is over that has begun so. */
export function endContinued({ continued }: Pick<Run, 'continued'>): void {
	if (continued) underWay.delete(continued.id);
}

/**
 * The execution that this one continues, if a person wants that; also a retry of one that came to nothing before.
 *
 * @throws InvalidValues if it cannot be continued
 */
export async function continuedBy(
	context: IExecuteFunctions,
	durable: Durable,
	options: readonly ReadOptions[],
): Promise<Continued | undefined> {
	const mode = context.getMode();
	const isNew = mode === 'retry' && !(ORDERS in context.getContext('node'));
	const given = options.flatMap((read) =>
		'value' in read ? (read.value.continueExecution ?? []) : [],
	);
	const [typed, ...others] = new Set(given);
	if (typed === undefined || (mode !== 'manual' && !isNew)) return undefined;
	if (others.length > 0) throw refused('must be the same for all rows');
	const id = executionNumber(typed, refused);
	const read = await attempt(context.getExecutionDataById(id));
	const data = 'value' in read ? read.value : undefined;
	if (!data) throw refused(`is ${id}: n8n has no such execution, or no longer`);
	if (data.waitTill && !data.resultData.error)
		throw refused(`is ${id}: it still waits, and goes on by itself`);
	const found = await attempt(ordersOf({ context, durable }, id));
	if ('error' in found) throw refused(`is ${id}: ${whyUnknown(found.error)}`);
	const { name } = context.getNode();
	const own = found.value.filter(({ node }) => node === name);
	const [first] = own;
	if (!first)
		throw refused(`is ${id}: this node, "${name}", has ordered nothing in it, or it still runs`);
	// The number may be that of an execution that keeps the orders of a stopped one.
	const { executionId } = first;
	const lineage = executionId === id ? lineageIn(data, id) : executionId;
	const orders = own.map(({ order }) => order);
	const memory = data.executionData?.contextData[`node:${name}`];
	return { id: executionId, lineage, orders, unknownSince: knownUntil(memory) ?? beganIn(data) };
}

function refused(rule: string): InvalidValues {
	const message = `${optionLabel(CONTINUE_EXECUTION)} ${rule}`;
	const advice =
		'Nothing was ordered. Without this option, a node orders all its rows anew: remove it only where the node did not run in that execution.';
	return new InvalidValues(message, advice);
}

/** Starts nothing where nothing of the execution that is continued fits a row. */
export function refuseOthers({ continued }: Run, rows: readonly Row[]): void {
	if (!continued || rows.some(({ order, earlier }) => order ?? earlier[0])) return;
	const error = refused(`is ${continued.id}: none of its orders is for a row of this run`);
	for (const row of sendable(rows)) row.result = { error };
}

/** Says what is taken and what is started, or that the option was left out. */
export function tellContinued(run: Run, rows: readonly Row[]): void {
	const { context, continued, executionId } = run;
	const sent = sendable(rows);
	if (!continued) {
		const isAdded = sent.some(({ plan }) => plan.options.continueExecution !== undefined);
		if (context.getMode() === 'retry' || !isAdded) return;
		const why = 'it acts only in executions that are started in the editor';
		return hint(
			run,
			`${optionLabel(CONTINUE_EXECUTION)} was left out, and all rows were started: ${why}. Remove it.`,
		);
	}
	if (sent.length === 0) return;
	const taken = sent.filter(({ order }) => order);
	const started = sent.filter(({ order }) => !order);
	const parts = [
		taken.length > 0 ? `took ${rowsInWords(taken)}` : '',
		started.length > 0 ? `started ${rowsInWords(started)}` : '',
	];
	info(
		run,
		`Continued execution ${continued.id}: ${parts.filter(Boolean).join(', ')}. Remove the option before you run a new list. To continue once more after a restart of n8n, enter ${executionId}.`,
	);
}
