import { inCredits, type PriceEstimate } from '../spec/price';

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
