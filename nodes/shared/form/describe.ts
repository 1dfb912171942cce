import { allows, capitalized } from '../spec/conditions';
import { inCredits, ratesInWords } from '../spec/price';
import type { Adjustment, CreateOperation, Field, Option, Price } from '../spec/types';

/** Text of a form field: its description, then a sentence with its bounds and what it costs. */
export function describeField(field: Field, operation?: CreateOperation): string {
	const bounds = [
		KINDS[field.type],
		...describeBounds(field),
		...adjustmentsOf(field, operation).map(describeAdjustment),
	];
	const sentences = [field.description, capitalized(bounds.filter(Boolean).join(', '))];
	return sentences.filter(Boolean).join('. ');
}

/** What to enter in a field, for types that need an explanation. */
const KINDS: Partial<Record<Field['type'], string>> = {
	url: 'A URL, or the name of a file (such as data)',
	urlList: 'URLs or names of files (such as data), one a line',
	upload: 'The name of a binary field, or a URL',
};

/** Text of a dropdown entry: the service's remark, and the price and the time where the value decides them. */
export function describeOption(field: Field, option: Option, operation?: CreateOperation): string {
	const more = operation && [
		priceWith(field, option, operation.price),
		typicalTimeWith(field, option, operation),
	];
	return [option.help, ...(more ?? [])].filter(Boolean).join('. ');
}

const describeBounds = ({ min, max, step, maxLength, minItems, maxItems }: Field) => [
	range(min, max, ''),
	step !== undefined && `in steps of ${step}`,
	range(minItems, maxItems, ' of them'),
	range(undefined, maxLength, ' characters'),
];

function range(min: number | undefined, max: number | undefined, unit: string): string {
	if (min !== undefined && max !== undefined) return `${min} to ${max}${unit}`;
	if (min !== undefined) return `at least ${min}${unit}`;
	return max === undefined ? '' : `at most ${max}${unit}`;
}

/** What turning a field on adds to the price of an operation, or takes off it. */
function adjustmentsOf(field: Field, operation?: CreateOperation) {
	if (!operation?.price.shown) return [];
	const { surcharges = [], discounts = [] } = operation.price;
	const about = ({ when }: Adjustment) => field.name in when;
	return [
		...surcharges.filter(about).map((adjustment) => ({ ...adjustment, direction: 'more' })),
		...discounts.filter(about).map((adjustment) => ({ ...adjustment, direction: 'cheaper' })),
	];
}

/** `10 credits cheaper from 28 credits on`. */
function describeAdjustment({
	credits,
	from,
	direction,
}: Adjustment & { direction: string }): string {
	if (credits === null) return `${direction} by an amount that is not documented`;
	const limit = from === undefined ? '' : ` from ${inCredits(from)} on`;
	return `${inCredits(credits)} ${direction}${limit}`;
}

function priceWith(field: Field, option: Option, price: Price): string {
	if (!price.shown) return '';
	const [first] = Object.keys(price.rates[0]?.when ?? {});
	if (field.name !== first) return '';
	const rates = price.rates.filter(({ when }) => {
		const allowed = when?.[field.name];
		return allowed !== undefined && allows(allowed, option.value);
	});
	return ratesInWords(rates, price);
}

/** How long a job with the value typically takes, where the document says so. */
function typicalTimeWith(
	{ name }: Field,
	{ value }: Option,
	{ typicalSeconds = [] }: CreateOperation,
) {
	const typical = typicalSeconds.find(({ when }) => when?.[name]?.includes(value));
	return typical ? `Typically done in ${typical.from} to ${typical.to} s` : '';
}
