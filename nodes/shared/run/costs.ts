import type { INodeExecutionData } from 'n8n-workflow';

import { numberIn, recordIn } from '../orders/readRecord';
import { GUARDS } from '../form/options';
import { InvalidValues } from '../request/request';
import { counted, hint, info, rowFirst, rowsInWords } from './messages';
import { outputOf } from './outputs';
import { type ReadOptions, typedOptions, readItem } from './planItem';
import { ask, itemOf, type Row, type Run, sendable } from './run';
import { attempt } from '../clock/clock';
import type { Advising } from '../service/serviceError';
import { CREDITS_BALANCE_FIELD, CREDITS_PATH } from '../spec/account';
import { inCredits, priceOf, operationName, type PriceEstimate } from '../spec/price';
import type { Operation } from '../spec/operation';

interface ItemEstimate extends PriceEstimate {
	itemIndex: number;
}

/** What items would cost together, each at its highest price. */
function totalOf(estimates: readonly ItemEstimate[]) {
	const known = estimates.filter(({ credits }) => credits !== null);
	return {
		/** Sum for the items whose price is documented. */
		credits: known.reduce((sum, { credits }) => sum + Number(credits), 0),
		/** Whether the sum cannot be less. */
		exact: known.every(({ exact }) => exact),
		unknown: estimates.filter(({ credits }) => credits === null),
	};
}

/** `64 credits`, `at most 64 credits`. */
const totalInWords = ({ credits, exact }: { credits: number; exact: boolean }): string =>
	`${exact ? '' : 'at most '}${inCredits(credits)}`;

/** A guard forbids the run, before the first charge. */
class GuardError extends Error implements Advising {
	readonly retry = 'creditsFirst';

	readonly description: string;

	constructor(message: string, advice: string) {
		super(message);
		this.description = `${advice} Nothing was created, nothing was charged.`;
	}
}

/**
 * Keeps a run from costing more than it may (money rule 4): *Max Credits per Run*, and the credit balance, which is read
 * before a run of several jobs. Items whose job an earlier try has paid for cost nothing, and no jobs are created for
 * invalid ones. Call this before the first creation of a run, durable or not: if a limit forbids the run, all rows that
 * would cost something are this error.
 */
export async function keepGuards(
	run: Run,
	rows: readonly Row[],
	options: readonly ReadOptions[],
): Promise<void> {
	const unpaid = sendable(rows).filter(({ order }) => !order);
	const estimates = unpaid.flatMap(({ itemIndex, plan: { operation, values } }) =>
		operation.kind === 'create' ? [{ itemIndex, ...priceOf(operation, values) }] : [],
	);
	try {
		const limit = limitOf(run, options);
		if (limit < Infinity) keepLimit(estimates, limit);
		if (estimates.length > 1) await keepBalance(run, estimates);
	} catch (error) {
		for (const row of unpaid) row.result = { error };
	}
}

/**
 * *Max Credits per Run*: an expression may give each item another limit, and the lowest counts, also that of an item that
 * is invalid.
 *
 * @throws the error of an item whose options cannot be read, if there are guards among them: nobody knows its limit
 */
function limitOf({ context }: Run, options: readonly ReadOptions[]): number {
	const isGuarded = GUARDS.some((name) => name in typedOptions(context));
	return options.reduce((lowest, read) => {
		if ('value' in read) return Math.min(lowest, read.value.maxCredits ?? Infinity);
		if (isGuarded) throw read.error;
		return lowest;
	}, Infinity);
}

/** @throws GuardError if the items would cost more, or nobody knows what they would cost */
function keepLimit(estimates: readonly ItemEstimate[], limit: number): void {
	const total = totalOf(estimates);
	const [first] = total.unknown;
	if (first) {
		throw new GuardError(
			`What ${rowsInWords(total.unknown)} would cost is not known, so Max Credits per Run (${limit}) cannot be kept`,
			`${rowFirst(first)}: ${first.reason}. To run it anyway, remove Options > Max Credits per Run.`,
		);
	}
	if (total.credits <= limit) return;
	throw new GuardError(
		`${theseItems(estimates)} would cost ${totalInWords(total)}, more than Max Credits per Run (${limit})`,
		'Give the node fewer or cheaper items, or raise Options > Max Credits per Run.',
	);
}

/**
 * Starts nothing that the balance does not cover. Whether it covers what only may cost more is the service's to say.
 *
 * @throws GuardError if the balance is less than the exact prices add up to
 */
async function keepBalance(run: Run, estimates: readonly ItemEstimate[]): Promise<void> {
	const read = await attempt(readBalance(run));
	if ('error' in read) {
		const why = `The credit balance could not be read: ${(read.error as Error).message}`;
		return hint(run, `${why}. Credits may not last for all items.`);
	}
	const sure = totalOf(estimates.filter(({ exact }) => exact));
	if (sure.credits <= read.value) return;
	const cost = totalInWords(totalOf(estimates));
	throw new GuardError(
		`${theseItems(estimates)} would cost ${cost}, and the balance is ${inCredits(read.value)}`,
		'Buy credits, or give the node fewer or cheaper items.',
	);
}

/** @throws ServiceError, or an Error if the answer has no balance */
async function readBalance(run: Run): Promise<number> {
	const body = await ask(run, { method: 'GET', path: CREDITS_PATH });
	const balance = numberIn(recordIn(body), [CREDITS_BALANCE_FIELD]);
	if (balance === null) throw new Error('the answer has no credits_balance');
	return balance;
}

const theseItems = ({ length }: readonly unknown[]) =>
	length === 1 ? 'This item' : `These ${length} items`;

/**
 * Says what the items of a run would cost, one item for each. Needs no path and no file, and sends nothing.
 *
 * @throws NodeError if an item is invalid and failed items are not given out
 */
export async function estimateItems(
	run: Run,
	chosen: Operation,
	rows: readonly Row[],
): Promise<INodeExecutionData[][]> {
	const estimates: ItemEstimate[] = [];
	const estimateItem = async (itemIndex: number): Promise<INodeExecutionData[]> => {
		const { operation, values, problems } = readItem(run, chosen, itemIndex);
		if (problems.length > 0) throw new InvalidValues(problems);
		if (operation.kind !== 'create') return [];
		const estimate = priceOf(operation, values);
		estimates.push({ itemIndex, ...estimate });
		const json = { operation: operationName(operation), ...estimate, estimateOnly: true };
		return [itemOf({ itemIndex }, json)];
	};
	for (const row of rows) row.result = await attempt(estimateItem(row.itemIndex));
	const items = outputOf(run, rows);
	info(run, estimateText(estimates));
	return [items];
}

function estimateText(estimates: readonly ItemEstimate[]): string {
	const total = totalOf(estimates);
	const { unknown } = total;
	const items = counted(estimates.length - unknown.length, 'item');
	const rest = unknown.length > 0 ? `; not known: what ${rowsInWords(unknown)} would cost` : '';
	return `Estimate only, no job was created: ${items}, ${totalInWords(total)}${rest}`;
}
