import {
	allows,
	holds,
	isOwn,
	labelIn,
	listInWords,
	own,
	type Values,
	withDefaults,
} from './conditions';
import type { CreateOperation, Field, Price, Rate, RateCondition } from './types';

export interface PriceEstimate {
	/** Credits; the highest possible where `exact` is false; `null` where nothing is known. */
	credits: number | null;
	exact: boolean;
	/** Why the estimate is not exact. */
	reason?: string;
}

/** The least and the most that a job can cost, in credits. */
export interface PriceRange {
	low: number;
	high: number;
}

/**
 * The price of one request in credits, from the spec table alone (no request is made). Where a field that
 * decides it has neither a value nor a documented default, it is the highest possible price.
 *
 * @param values the request by field name; documented defaults stand in for what is absent
 */
export function priceOf(operation: CreateOperation, values: Values): PriceEstimate {
	const { price } = operation;
	if (!price.shown) return { credits: null, exact: false, reason: 'No price is documented' };

	const request = withDefaults(operation, values);
	const possible = possibleIn(operation, price, request);
	if (possible.rates.length === 0) {
		return { credits: null, exact: false, reason: 'No price is documented for these values' };
	}
	const open = openFields(operation, possible, request);
	const untold = possible.adjustments.filter(({ credits }) => credits === null);
	const doubts = [
		...possible.rates.flatMap(({ doubt }) => doubt ?? []),
		...(open.length > 0 ? [`The price depends on ${listInWords(open, 'and')}`] : []),
		...fieldsIn(untold).map(
			(name) => `By how much ${labelIn(operation, name)} changes the price is not documented`,
		),
	];
	const credits = spanOf(possible.amounts)?.high ?? null;
	return doubts.length === 0
		? { credits, exact: true }
		: { credits, exact: false, reason: [...new Set(doubts)].join('. ') };
}

/** Whether it is documented that a request costs nothing. */
export function isFree(operation: CreateOperation, values: Values): boolean {
	const { credits, exact } = priceOf(operation, values);
	return exact && credits === 0;
}

/**
 * What one request can cost, in credits; `undefined` where that is not known.
 *
 * @param values the request by field name; documented defaults stand in for what is absent
 */
export function possiblePrices(operation: CreateOperation, values: Values): PriceRange | undefined {
	const { price } = operation;
	if (!price.shown) return undefined;
	return spanOf(possibleIn(operation, price, withDefaults(operation, values)).amounts);
}

/** The operation without documented defaults, for when absent fields are only not known yet. */
export function undecided(operation: CreateOperation): CreateOperation {
	const fields = operation.fields.map((field) => ({ ...field, default: undefined }));
	return { ...operation, fields };
}

export function spanOf(amounts: readonly number[]): PriceRange | undefined {
	if (amounts.length === 0) return undefined;
	return { low: Math.min(...amounts), high: Math.max(...amounts) };
}

type ShownPrice = Extract<Price, { shown: true }>;

/** The rates and adjustments that may apply to a request, and all amounts that it can cost. */
function possibleIn({ fields }: CreateOperation, price: ShownPrice, request: Values) {
	const { surcharges = [], discounts = [], perUnitOf } = price;
	const mayCount = ({ when }: Pick<Rate, 'when'>) => !contradicts(when, request);
	const rates = price.rates.filter(mayCount);
	// In the order in which they apply; discounts are negative.
	const adjustments = [
		...surcharges,
		...discounts.map((one) => ({ ...one, credits: one.credits && -one.credits })),
	].filter(mayCount);
	const units = perUnitOf === undefined ? [1] : unitsIn(fields, perUnitOf, request);
	const rated = rates.flatMap(({ credits }) => units.map((count) => credits * count));
	const amounts = adjustments.reduce((all, { when, credits, from = -Infinity }) => {
		const changed = all.map((one) => (one >= from ? one + (credits ?? 0) : one));
		return holds(when, request) ? changed : [...all, ...changed];
	}, rated);
	return { rates, adjustments, amounts, openUnit: units.length === 1 ? [] : [perUnitOf ?? ''] };
}

/** How many units the request is for; if it does not say, the field's bounds, as far as it has any. */
function unitsIn(fields: readonly Field[], perUnitOf: string, request: Values): number[] {
	const { min, max } = fields.find(({ name }) => name === perUnitOf) ?? {};
	const units = isOwn(request, perUnitOf) ? [Number(own(request, perUnitOf))] : [min, max];
	return units.filter((count): count is number => Number.isFinite(count));
}

/** Whether a value of the request rules the condition out; an absent value rules out nothing. */
function contradicts(condition: RateCondition | undefined, request: Values): boolean {
	return Object.entries(condition ?? {}).some(
		([field, allowed]) => isOwn(request, field) && !allows(allowed, request[field]),
	);
}

/** Labels of the fields that would have to be known to tell the amounts apart. */
function openFields(
	operation: CreateOperation,
	{ rates, adjustments, amounts, openUnit }: ReturnType<typeof possibleIn>,
	request: Values,
): string[] {
	const deciding = fieldsIn([
		...(new Set(rates.map(({ credits }) => credits)).size > 1 ? rates : []),
		...adjustments.filter(
			({ credits, from = -Infinity }) => credits && amounts.some((one) => one >= from),
		),
	]);
	return [...deciding.filter((name) => !isOwn(request, name)), ...openUnit].map((name) =>
		labelIn(operation, name),
	);
}

/** The fields that some rates or adjustments are about, each once. */
const fieldsIn = (parts: ReadonlyArray<Pick<Rate, 'when'>>) => [
	...new Set(parts.flatMap(({ when }) => Object.keys(when ?? {}))),
];

/** The fields on which the price of an operation depends, in their order. */
export function decidingFields({ price, fields }: CreateOperation): Field[] {
	if (!price.shown) return [];
	const { rates, surcharges = [], discounts = [], perUnitOf = '' } = price;
	const names = [...fieldsIn([...rates, ...surcharges, ...discounts]), perUnitOf];
	return fields.filter(({ name }) => names.includes(name));
}

/** An amount in words: `1 credit`, `8 credits`, `100 to 250 credits`. */
export function inCredits(low: number, high: number = low): string {
	if (low !== high) return `${low} to ${high} credits`;
	return low === 1 ? '1 credit' : `${low} credits`;
}

/** The price of an operation for the form: `8 credits`, `20 to 40 credits a second`. */
export function describePrice(price: Price): string {
	const range = price.shown ? spanOf(price.rates.map(({ credits }) => credits)) : undefined;
	if (!price.shown || !range) return 'the price is not documented';
	return `${inCredits(range.low, range.high)}${price.perUnitOf === undefined ? '' : ' a second'}`;
}

/** Name of an operation, such as `vidA31.generate`. */
export const operationName = ({ resource, operation }: CreateOperation) =>
	`${resource}.${operation}`;
