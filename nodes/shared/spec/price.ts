import { holds, isOwn, labelIn, listInWords, own, type Values, withDefaults } from './conditions';
import type {
	Adjustment,
	CreateOperation,
	EstimateOperation,
	Field,
	Price,
	Rate,
	RateCondition,
	Resource,
} from './types';

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
 * The price of one request in credits, from the spec table alone (no request is made). Where something
 * that decides it has neither a value nor a documented default, it is the highest that it can be.
 *
 * @param values the request by field name; documented defaults stand in for what is absent
 */
export function priceOf(operation: CreateOperation, values: Values): PriceEstimate {
	const { price } = operation;
	if (!price.shown) return { credits: null, exact: false, reason: 'No price is documented' };

	const request = withDefaults(operation, values);
	const rates = possibleRates(price, request);
	if (rates.length === 0) {
		return { credits: null, exact: false, reason: 'No price is documented for these values' };
	}
	const amounts = amountsOf(operation, price, request);
	const open = openFields(operation, price, request);
	const doubts = [
		...rates.flatMap(({ doubt }) => doubt ?? []),
		...(open.length > 0 ? [`The price depends on ${listInWords(open, 'and')}`] : []),
		...unknownAmounts(price, request).map(
			(name) => `By how much ${labelIn(operation, name)} changes the price is not documented`,
		),
	];
	const credits = rangeOf(amounts)?.high ?? null;
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
 * What one request can cost; `undefined` where that is not known.
 *
 * @param values the request by field name; documented defaults stand in for what is absent
 */
export function possiblePrices(operation: CreateOperation, values: Values): PriceRange | undefined {
	const { price } = operation;
	if (!price.shown) return undefined;
	return rangeOf(amountsOf(operation, price, withDefaults(operation, values)));
}

/** The operation with nothing that stands in for absent fields: those are not known yet. */
export function undecided(operation: CreateOperation): CreateOperation {
	const fields = operation.fields.map((field) => ({ ...field, default: undefined }));
	return { ...operation, fields };
}

/** Not as arguments of a call: a catalog may have more prices than there can be of those. */
function rangeOf(amounts: readonly number[]): PriceRange | undefined {
	if (amounts.length === 0) return undefined;
	return {
		low: amounts.reduce((least, one) => Math.min(least, one), Infinity),
		high: amounts.reduce((most, one) => Math.max(most, one), -Infinity),
	};
}

type ShownPrice = Extract<Price, { shown: true }>;

/** All that a request can come to. */
function amountsOf(operation: CreateOperation, price: ShownPrice, request: Values): number[] {
	const units = unitsIn(operation, price, request);
	const rated = possibleRates(price, request).flatMap(({ credits }) =>
		units.map((count) => credits * count),
	);
	const surcharged = adjusted(rated, price.surcharges, request, (one, credits) => one + credits);
	return adjusted(surcharged, price.discounts, request, (one, credits) => one - credits);
}

const possibleRates = ({ rates }: ShownPrice, request: Values): Rate[] =>
	rates.filter(({ when }) => !contradicts(when, request));

/** How many units the request is for; both ends where it does not say, nothing where there are none. */
function unitsIn({ fields }: CreateOperation, { perUnitOf }: ShownPrice, request: Values) {
	if (perUnitOf === undefined) return [1];
	const { min, max } = fields.find(({ name }) => name === perUnitOf) ?? {};
	const units = isOwn(request, perUnitOf) ? [Number(own(request, perUnitOf))] : [min, max];
	return units.filter((count): count is number => Number.isFinite(count));
}

/** The amounts as adjustments change them; with and without those that may or may not apply. */
function adjusted(
	amounts: number[],
	adjustments: readonly Adjustment[] = [],
	request: Values,
	change: (amount: number, credits: number) => number,
): number[] {
	return possibleAdjustments(adjustments, request).reduce((all, { when, credits, from }) => {
		const changed = all.map((one) => (one >= (from ?? one) ? change(one, credits ?? 0) : one));
		return holds(when, request) ? changed : [...all, ...changed];
	}, amounts);
}

const possibleAdjustments = (adjustments: readonly Adjustment[], request: Values) =>
	adjustments.filter(({ when }) => !contradicts(when, request));

/** Whether a value of the request rules the condition out; an absent value rules out nothing. */
function contradicts(condition: RateCondition | undefined, request: Values): boolean {
	return Object.entries(condition ?? {}).some(
		([field, allowed]) => isOwn(request, field) && !holds({ [field]: allowed }, request),
	);
}

/** Labels of the fields that would have to be known to tell the amounts apart. */
function openFields(operation: CreateOperation, price: ShownPrice, request: Values): string[] {
	const rates = possibleRates(price, request);
	const amounts = amountsOf(operation, price, request);
	const conditions = [
		...(new Set(rates.map(({ credits }) => credits)).size > 1 ? rates : []),
		...adjustmentsOf(price, request).filter(
			({ credits, from }) => credits && amounts.some((one) => one >= (from ?? one)),
		),
	].flatMap(({ when }) => Object.keys(when ?? {}));
	const isOpen = (name: string) => !isOwn(request, name);
	const { perUnitOf = '' } = price;
	const names = [
		...new Set(conditions.filter(isOpen)),
		...(unitsIn(operation, price, request).length === 1 ? [] : [perUnitOf]),
	];
	return names.map((name) => labelIn(operation, name));
}

function unknownAmounts(price: ShownPrice, request: Values): string[] {
	return adjustmentsOf(price, request)
		.filter(({ credits }) => credits === null)
		.flatMap(({ when }) => Object.keys(when));
}

const adjustmentsOf = ({ surcharges = [], discounts = [] }: ShownPrice, request: Values) =>
	possibleAdjustments([...surcharges, ...discounts], request);

/** The fields on which the price of an operation depends, in their order. */
export function decidingFields({ price, fields }: CreateOperation): Field[] {
	if (!price.shown) return [];
	const { rates, surcharges = [], discounts = [], perUnitOf = '' } = price;
	const conditions = [...rates, ...surcharges, ...discounts].map(({ when }) => when ?? {});
	const names = new Set([...conditions.flatMap((when) => Object.keys(when)), perUnitOf]);
	return fields.filter(({ name }) => names.has(name));
}

/** An amount in words: `1 credit`, `8 credits`, `100 to 250 credits`. */
export function inCredits(low: number, high: number = low): string {
	if (low !== high) return `${low} to ${high} credits`;
	return low === 1 ? '1 credit' : `${low} credits`;
}

/** The price of an operation for the form: `8 credits`, `20 to 40 credits per second`. */
export function describePrice(price: Price): string {
	if (!price.shown) return 'the price is not documented';
	return creditsPerUnit(
		price.rates.map(({ credits }) => credits),
		price,
	);
}

/** The same of several amounts, where they are for a unit of something. */
export function creditsPerUnit(
	credits: readonly number[],
	{ perUnitOf }: { perUnitOf?: string },
): string {
	// Not as arguments of a call: a catalog may have more prices than there can be of those.
	const low = credits.reduce((least, price) => Math.min(least, price), Infinity);
	const high = credits.reduce((most, price) => Math.max(most, price), -Infinity);
	return `${inCredits(low, high)}${perUnitOf === undefined ? '' : PER_UNIT}`;
}

/** The service has one such unit. */
export const PER_UNIT = ' a second';

export const PRICE: Resource = {
	value: 'price',
	label: 'Price',
	description: 'What a job would cost; nothing is sent',
};

/** Field that names the planned operation. */
export const PLANNED_OPERATION = 'plannedOperation';

/** Name of a planned operation, such as `vidA31.generate`. */
export const plannedName = ({ resource, operation }: CreateOperation) => `${resource}.${operation}`;

/** The price of any of these creations, from their tables. */
export function estimatePrice(planned: readonly CreateOperation[]): EstimateOperation {
	return {
		kind: 'estimate',
		resource: PRICE.value,
		operation: 'estimate',
		label: 'Estimate',
		action: 'Estimate the price of a job',
		description: 'Work out what a job would cost, without a request to the service',
		method: 'GET',
		path: '',
		planned,
		fields: [
			{
				name: PLANNED_OPERATION,
				label: 'Planned Operation',
				type: 'select',
				presence: 'required',
				description: 'The operation whose price you want to know',
				options: planned.map((operation) => ({
					value: plannedName(operation),
					label: operation.action,
				})),
			},
		],
	};
}
