import { allows, inWords } from '../spec/conditions';
import type { Adjustment, CreateOperation, Field, Option, Price } from '../spec/types';

/** Text of a form field: its description, then its bounds, conditions, price and warning. */
export function describeField(field: Field, operation?: CreateOperation): string {
	const sentences = [
		field.description ?? '',
		field.type === 'urlList' ? 'One URL a line, or an expression that gives an array' : '',
		field.type === 'upload' ? 'Name of a binary field of the incoming item, or a URL' : '',
		...describeBounds(field),
		field.requiredWhen ? `Required when ${inWords(field.requiredWhen)}` : '',
		field.appliesWhen ? `Only when ${inWords(field.appliesWhen)}` : '',
		field.usedWhen ? `Used only when ${inWords(field.usedWhen)}` : '',
		...describeAdjustments(field, operation),
		field.warning ?? '',
	];
	return sentences.filter((sentence) => sentence !== '').join('. ');
}

/** Text of a dropdown entry: the service's remark and, where it decides the price, the price. */
export function describeOption(field: Field, option: Option, operation?: CreateOperation): string {
	const parts = [option.help ?? '', operation ? priceWith(field, option, operation.price) : ''];
	return parts.filter((part) => part !== '').join('. ');
}

/** The price of an operation for the form: `8 credits`, `20 to 40 credits per durationSeconds`. */
export function describePrice(price: Price): string {
	if (!price.shown) return 'the price is not documented';
	return inCredits(
		price.rates.map(({ credits }) => credits),
		price.perUnitOf,
	);
}

function describeBounds({ min, max, maxLength, minItems, maxItems }: Field): string[] {
	return [
		range(min, max, ''),
		range(minItems, maxItems, ' entries'),
		range(undefined, maxLength, ' characters'),
	];
}

function range(min: number | undefined, max: number | undefined, unit: string): string {
	if (min !== undefined && max !== undefined) return `${min} to ${max}${unit}`;
	if (min !== undefined) return `At least ${min}${unit}`;
	return max === undefined ? '' : `At most ${max}${unit}`;
}

function describeAdjustments(field: Field, operation?: CreateOperation): string[] {
	if (!operation?.price.shown) return [];
	const { surcharges = [], discounts = [] } = operation.price;
	const about = ({ when }: Adjustment) => field.name in when;
	return [
		...surcharges.filter(about).map((adjustment) => describeAdjustment(adjustment, 'more')),
		...discounts.filter(about).map((adjustment) => describeAdjustment(adjustment, 'less')),
	];
}

function describeAdjustment({ when, credits, from }: Adjustment, direction: string): string {
	const amount = credits === null ? 'an amount that is not documented' : `${credits} credits`;
	const limit = from === undefined ? '' : `, for prices of ${from} credits and more`;
	return `When ${inWords(when)}: ${amount} ${direction}${limit}`;
}

function priceWith(field: Field, option: Option, price: Price): string {
	if (!price.shown) return '';
	const rates = price.rates.filter(({ when }) => {
		const allowed = when?.[field.name];
		return allowed !== undefined && allows(allowed, option.value);
	});
	return rates.length === 0
		? ''
		: inCredits(
				rates.map(({ credits }) => credits),
				price.perUnitOf,
			);
}

function inCredits(credits: readonly number[], perUnitOf?: string): string {
	// Not as arguments of a call: a catalog may have more prices than there can be of those.
	const low = credits.reduce((least, price) => Math.min(least, price), Infinity);
	const high = credits.reduce((most, price) => Math.max(most, price), -Infinity);
	const amount = low === high ? `${low} credits` : `${low} to ${high} credits`;
	return perUnitOf === undefined ? amount : `${amount} per unit of ${perUnitOf}`;
}
