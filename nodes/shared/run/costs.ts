import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Settled } from '../orders/batch';
import { numberIn } from '../orders/readRecord';
import { GUARDS, OPTIONS } from '../parameters/options';
import { InvalidValues } from '../request/validate';
import { counted, hint, info } from './messages';
import { outputOf } from './outputs';
import { givenOptions, parameterReader, readOptions, typedOptions } from './readParameters';
import { rowFirst, rowInWords, rowsInWords } from './rows';
import { rowsOf } from './table';
import { errorWithPaid } from './tell';
import { itemOf, planIn, type ItemPlan, type Plans, type Run } from './run';
import { attempt } from '../service/attempt';
import { unwrap } from '../service/bodies';
import type { Advising } from '../service/retryAdvice';
import { CREDITS_BALANCE_FIELD, GET_CREDITS } from '../spec/account';
import { capitalized } from '../spec/conditions';
import { inCredits, priceOf, operationName, type PriceEstimate } from '../spec/price';
import { startsJob } from '../spec/jobs';
import type { Operation } from '../spec/types';
import { readItem } from './planItem';

interface ItemEstimate extends PriceEstimate {
	itemIndex: number;
}

/** What items would cost together, each at its highest price. */
export function totalOf(estimates: readonly ItemEstimate[]) {
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
export const totalInWords = ({ credits, exact }: { credits: number; exact: boolean }): string =>
	`${exact ? '' : 'at most '}${inCredits(credits)}`;

/** A guard forbids the run, before the first charge. */
class GuardError extends Error implements Advising {
	readonly description: string;

	readonly retry = 'creditsFirst';

	constructor(message: string, ...advice: string[]) {
		super(message);
		this.name = 'GuardError';
		this.description = [...advice, NOTHING_DONE].filter(Boolean).join(' ');
	}
}

const NOTHING_DONE = 'Nothing was created, nothing was charged.';

/**
 * Keeps a run from costing more than it may (money rule 4): *Max Credits per Run*, and the credit balance, which is read
 * before a run of several jobs. Items whose job an earlier try has paid for cost nothing, and no jobs are created for
 * invalid ones. Call this before the first creation of a run, durable or not.
 *
 * @returns the plans; if a limit forbids the run under *Continue*, those that would cost something are errors
 * @throws NodeError if a limit forbids the run without *Continue*
 */
export async function keepGuards(run: Run, plans: Plans): Promise<Plans> {
	const estimates = plans.flatMap((plan) => estimateIn(run, planIn(plan)) ?? []);
	const checked = await attempt(checkGuards(run, plans, estimates));
	if ('value' in checked) return plans;
	const { error } = checked;
	if (!run.context.continueOnFail()) throw errorWithPaid(run.context, error, rowsOf(run, plans));
	const forbidden = new Set(estimates.map(({ itemIndex }) => itemIndex));
	return plans.map((plan, itemIndex) => (forbidden.has(itemIndex) ? { error } : plan));
}

/** @throws GuardError, ServiceError if a limit forbids the run, or cannot be checked */
async function checkGuards(
	run: Run,
	plans: Plans,
	estimates: readonly ItemEstimate[],
): Promise<void> {
	const limits = plans.flatMap((plan, itemIndex) => limitOf(run, plan, itemIndex) ?? []);
	if (limits.length > 0) keepLimit(estimates, limits);
	if (estimates.length > 1) await keepBalance(run, estimates);
}

/** *Max Credits per Run* of one item: it holds for the whole run, even if the item itself is invalid. */
function limitOf({ context }: Run, plan: Settled<ItemPlan>, itemIndex: number): number | undefined {
	if ('value' in plan) return plan.value.options.maxCredits;
	const read = parameterReader(context, itemIndex);
	try {
		return readOptions(read).maxCredits;
	} catch (error) {
		// The options as typed, since one that cannot be evaluated makes all of them unreadable.
		const isGuarded = Object.keys(typedOptions(context)).some((name) => GUARDS.includes(name));
		if (!isGuarded) return undefined;
		throw unreadGuard(error as Error, itemIndex);
	}
}

function unreadGuard({ message }: Error, itemIndex: number): GuardError {
	return new GuardError(
		`The limits of this run are not known: ${message} (${rowInWords({ itemIndex })})`,
		'Correct the value: a limit of one row holds for all.',
	);
}

/** What an item would cost; `undefined` if it has no job that is still to be paid for. */
function estimateIn(run: Run, plan?: ItemPlan): ItemEstimate | undefined {
	if (plan?.operation.kind !== 'create' || run.orders.find(plan.itemIndex)) return undefined;
	return { itemIndex: plan.itemIndex, ...priceOf(plan.operation, plan.values) };
}

/** An expression may give each item another limit: the lowest counts. */
function keepLimit(estimates: readonly ItemEstimate[], limits: readonly number[]): void {
	const limit = limits.reduce((lowest, one) => Math.min(lowest, one), Infinity);
	const total = totalOf(estimates);
	const [first] = total.unknown;
	if (first) {
		throw new GuardError(
			`What ${rowsInWords(total.unknown)} would cost is not known, so Max Credits per Run (${limit}) cannot be kept`,
			`${rowFirst(first)}: ${first.reason}.`,
			'Fill in the fields that decide the price, or remove Options > Max Credits per Run.',
		);
	}
	if (total.credits <= limit) return;
	throw new GuardError(
		`${capitalized(theseItems(estimates))} would cost ${totalInWords(total)}, more than Max Credits per Run (${limit})`,
		'Give the node fewer or cheaper items, or raise Options > Max Credits per Run.',
	);
}

/**
 * Starts nothing that the balance does not cover. What only may cost more, or cannot be known, is told: whether the
 * service has credits for it is the service's to say.
 *
 * @throws GuardError if the balance is less than the exact prices add up to
 */
async function keepBalance(run: Run, estimates: readonly ItemEstimate[]): Promise<void> {
	const read = await attempt(readBalance(run));
	if (!('value' in read)) {
		const { message } = read.error as Error;
		hint(
			run,
			`The credit balance could not be read: ${message}. Credits may not last for all items.`,
		);
		return;
	}
	const balance = read.value;
	const sure = totalOf(estimates.filter(({ exact }) => exact));
	const most = totalOf(estimates);
	if (sure.credits > balance) {
		throw new GuardError(
			`${capitalized(theseItems(estimates))} would cost ${totalInWords(most)}, and the balance is ${inCredits(balance)}`,
			'Buy credits, or give the node fewer or cheaper items.',
		);
	}
	const { unknown } = most;
	if (unknown.length > 0 || most.credits > balance) {
		const facts = [
			...(unknown.length < estimates.length ? [`they would cost ${totalInWords(most)}`] : []),
			...(unknown.length > 0 ? [`the price of ${rowsInWords(unknown)} is not known`] : []),
		];
		hint(
			run,
			`Credits may not last for all items: ${facts.join(', and ')}. The balance is ${inCredits(balance)}.`,
		);
	}
}

/** @throws ServiceError, or an Error if the answer has no balance */
async function readBalance({ service, signal }: Run): Promise<number> {
	const { method, path } = GET_CREDITS;
	const body = await service.send(
		{ method, path: String(path) },
		{ signal, because: 'several jobs are to be paid for' },
	);
	const balance = numberIn(unwrap(body), [CREDITS_BALANCE_FIELD]);
	if (balance === null) throw new Error(`the answer has no ${CREDITS_BALANCE_FIELD}`);
	return balance;
}

const theseItems = ({ length }: readonly unknown[]) =>
	length === 1 ? 'this item' : `these ${length} items`;

/** Whether the run only says what it would cost, and creates nothing: it is enough if one item asks for it. */
export function isEstimateOnly(context: IExecuteFunctions, operation: Operation): boolean {
	if (!startsJob(operation)) return false;
	return context.getInputData().some((_, itemIndex) => {
		try {
			const given = givenOptions(parameterReader(context, itemIndex));
			return OPTIONS.estimateOnly.value.safeParse(given.estimateOnly).data === true;
		} catch {
			// Planning the item reports what is wrong with it.
			return false;
		}
	});
}

/**
 * Says what the items of a run would cost, one item for each. Needs no path and no file, and sends nothing.
 *
 * @throws NodeError if an item is invalid and failed items are not given out
 */
export async function estimateItems(run: Run, chosen: Operation): Promise<INodeExecutionData[][]> {
	const { context } = run;
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
	const results: Array<Settled<INodeExecutionData[]>> = [];
	for (const itemIndex of context.getInputData().keys()) {
		results.push(await attempt(estimateItem(itemIndex)));
	}
	const items = outputOf(run, { plans: [], results });
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
