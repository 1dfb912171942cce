import type { Adjustment, CreateOperation, Rate, RateCondition } from './types';
import { holds, isOwn, listInWords, nameOf, own, withDefaults, type Values } from './conditions';

export interface PriceEstimate {
	/** Credits; the highest possible where `exact` is false; `null` where nothing is known. */
	credits: number | null;
	exact: boolean;
	/** Why the estimate is not exact. */
	reason?: string;
}

/**
 * The price of one request in credits, from the spec table alone (no request is made).
 *
 * @param values the request by field name; documented defaults stand in for what is absent
 */
export function priceOf(operation: CreateOperation, values: Values): PriceEstimate {
	const { price } = operation;
	if (!price.shown) return { credits: null, exact: false, reason: 'No price is documented' };

	const request = withDefaults(operation, values);
	const possible = price.rates.filter((rate) => !contradicts(rate.when, request));
	if (possible.length === 0) {
		return { credits: null, exact: false, reason: 'No price is documented for these values' };
	}

	const units = price.perUnitOf === undefined ? 1 : Number(own(request, price.perUnitOf));
	if (!Number.isFinite(units)) {
		return {
			credits: null,
			exact: false,
			reason: `The price depends on ${labelIn(operation, String(price.perUnitOf))}`,
		};
	}

	const rate = Math.max(...possible.map(({ credits }) => credits));
	const surcharged = rate * units + total(price.surcharges, request, 0);
	const credits = surcharged - total(price.discounts, request, surcharged);
	const fields = undecided(possible, request);
	const adjustments = [...(price.surcharges ?? []), ...(price.discounts ?? [])];
	const doubts = [
		...possible.flatMap(({ doubt }) => doubt ?? []),
		...(fields.length > 0
			? [
					`The price depends on ${listInWords(
						fields.map((name) => labelIn(operation, name)),
						'and',
					)}`,
				]
			: []),
		...unknownAmounts(adjustments, request).map(
			(name) => `By how much ${labelIn(operation, name)} changes the price is not documented`,
		),
	];
	return doubts.length === 0
		? { credits, exact: true }
		: { credits, exact: false, reason: [...new Set(doubts)].join('. ') };
}

function labelIn({ fields }: CreateOperation, name: string): string {
	const field = fields.find((candidate) => candidate.name === name);
	return field ? nameOf(field) : name;
}

/** Whether a value of the request rules the rate out; an absent value rules out nothing. */
function contradicts(condition: RateCondition | undefined, request: Values): boolean {
	return Object.entries(condition ?? {}).some(
		([field, allowed]) => isOwn(request, field) && !holds({ [field]: allowed }, request),
	);
}

/** Fields that would have to be known to tell the remaining rates apart. */
function undecided(possible: readonly Rate[], request: Values): string[] {
	if (new Set(possible.map(({ credits }) => credits)).size < 2) return [];
	const fields = possible.flatMap(({ when }) => Object.keys(when ?? {}));
	return [...new Set(fields)].filter((field) => !isOwn(request, field));
}

function applying(adjustments: readonly Adjustment[] | undefined, request: Values, price: number) {
	return (adjustments ?? []).filter(
		({ when, from }) => holds(when, request) && price >= (from ?? -Infinity),
	);
}

function total(adjustments: readonly Adjustment[] | undefined, request: Values, price: number) {
	return applying(adjustments, request, price).reduce(
		(sum, { credits }) => sum + (credits ?? 0),
		0,
	);
}

function unknownAmounts(adjustments: readonly Adjustment[], request: Values): string[] {
	return applying(adjustments, request, Infinity)
		.filter(({ credits }) => credits === null)
		.flatMap(({ when }) => Object.keys(when));
}
