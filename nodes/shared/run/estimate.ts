import { inCredits } from '../spec/credits';
import { priceOf, type PriceEstimate } from '../spec/price';
import type { Values } from '../spec/conditions';
import type { CreateOperation } from '../spec/types';

/** What an item would cost. */
export interface ItemEstimate extends PriceEstimate {
	itemIndex: number;
}

/** What items would cost together. */
export interface Total {
	/** Credits, of those whose price is documented. */
	credits: number;
	/** Whether it cannot be less. */
	exact: boolean;
	/** Items of unknown price. */
	unknown: ItemEstimate[];
}

/** What items would cost together, each at its highest. */
export function totalOf(estimates: readonly ItemEstimate[]): Total {
	const known = estimates.filter(({ credits }) => credits !== null);
	return {
		credits: known.reduce((sum, { credits }) => sum + Number(credits), 0),
		exact: known.every(({ exact }) => exact),
		unknown: estimates.filter(({ credits }) => credits === null),
	};
}

/** `64 credits`, `at most 64 credits`. */
export const totalInWords = ({ credits, exact }: Pick<Total, 'credits' | 'exact'>): string =>
	`${exact ? '' : 'at most '}${inCredits(credits)}`;

/**
 * The price of a request at its highest. Where it is in doubt which of two rates applies, because the
 * service does not document the value that decides it, that is the higher one.
 */
export function highestPrice(operation: CreateOperation, values: Values): PriceEstimate {
	const estimate = priceOf(operation, values);
	const { price } = operation;
	if (estimate.exact || !price.shown) return estimate;
	const doubtful = price.rates.filter(({ doubt }) => doubt !== undefined);
	const open = doubtful.flatMap(({ when = {} }) =>
		Object.keys(when).filter((field) => 'not' in Object(when[field])),
	);
	const decided = Object.entries(values).filter(([field]) => !open.includes(field));
	const { credits } = priceOf(operation, Object.fromEntries(decided));
	const isHigher = credits !== null && credits > (estimate.credits ?? Infinity);
	return isHigher ? { ...estimate, credits } : estimate;
}
