import type { Price } from './types';

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
