import { holds, listInWords, mayHold, type Value, type Values, type When } from './conditions';
import { type Field, labelOf, nameOf, withDefaults } from './field';
import type { CreateOperation, Price } from './operation';

export interface PriceEstimate {
	/** Credits; the highest possible where `exact` is false; `null` where nothing is known. */
	credits: number | null;
	exact: boolean;
	/** Why the estimate is not exact. */
	reason?: string;
}

/**
 * The price of one request in credits, from the table alone (no request is made). Where a field that decides it has
 * neither a value nor a documented default, it is the highest possible price.
 *
 * @param values the request by field name; documented defaults stand in for what is absent
 */
export function priceOf(operation: CreateOperation, values: Values): PriceEstimate {
	const { price, fields } = operation;
	if (!price) return { credits: null, exact: false, reason: 'No price is documented' };
	const request = withDefaults(operation, values);
	const amounts = amountsOf(price, fields, request);
	if (amounts.length === 0) {
		return { credits: null, exact: false, reason: 'No price is documented for these values' };
	}
	const credits = Math.max(...amounts);
	const isOne = credits === Math.min(...amounts);
	if (isOne && holds(price.exactWhen, request)) return { credits, exact: true };
	const open = decidingFields(operation).filter(({ name }) => request[name] === undefined);
	const depends = `The price depends on ${listInWords(open.map(nameOf), 'and')}`;
	return { credits, exact: false, reason: isOne ? price.doubt : depends };
}

/** All amounts that the values leave possible: an absent value rules nothing out. */
function amountsOf({ rows, times, extras = [] }: Price, fields: readonly Field[], values: Values) {
	const units = times === undefined ? [1] : unitsIn(fields, times, values);
	const based = rows
		.filter(([when]) => mayHold(when, values))
		.flatMap(([, credits]) => units.map((count) => credits * count));
	return extras.reduce((all, { when, credits, from = -Infinity }) => {
		if (!mayHold(when, values)) return all;
		const changed = all.map((one) => (one >= from ? one + credits : one));
		return holds(when, values) ? changed : [...all, ...changed];
	}, based);
}

/** How many units the request is for; if it does not say, the field's bounds. */
function unitsIn(fields: readonly Field[], times: string, values: Values): number[] {
	if (values[times] !== undefined) return [Number(values[times])];
	const { minValue = 1, maxValue = 1 } =
		fields.find(({ name }) => name === times)?.property.typeOptions ?? {};
	return [minValue, maxValue];
}

/** The fields on which the price of an operation depends, in their order. */
function decidingFields({ price, fields }: CreateOperation): readonly Field[] {
	const { rows = [], times = '', extras = [] } = price ?? {};
	const conditions = [...rows.map(([when]) => when), ...extras.map(({ when }) => when)];
	const names = [...conditions.flatMap((when) => Object.keys(when)), times];
	return fields.filter(({ name }) => names.includes(name));
}

/** Whether it is documented that a request costs nothing. */
export function isFree(operation: CreateOperation, values: Values): boolean {
	const { credits, exact } = priceOf(operation, values);
	return exact && credits === 0;
}

/** What a job of an operation costs, from the least to the most: `120 to 300 credits`, `27 to 40 credits a second`. */
export function priceInWords({ price, fields }: CreateOperation): string | undefined {
	if (!price) return undefined;
	const amounts = price.times
		? price.rows.map(([, credits]) => credits)
		: amountsOf(price, fields, {});
	const [low, high] = [Math.min(...amounts), Math.max(...amounts)];
	if (high === 0) return 'free';
	return `${inCredits(low, high)}${price.times ? ' a second' : ''}`;
}

/** An amount in words: `1 credit`, `8 credits`, `100 to 250 credits`. */
export function inCredits(low: number, high: number = low): string {
	if (low !== high) return `${low} to ${high} credits`;
	return low === 1 ? '1 credit' : `${low} credits`;
}

/**
 * The price in words, a line for each row. The form shows a line while the row's condition holds, and all of them where
 * the condition is about an expression: so each says what it is for.
 */
export function priceLines({
	price,
	fields,
}: CreateOperation): Array<{ when: When; text: string }> {
	if (!price) return [{ when: {}, text: 'The service does not document the price of this job.' }];
	const extras = (price.extras ?? []).map(({ when, credits, from }) => {
		const least = from === undefined ? '' : `, if it costs ${from} or more`;
		const change = credits < 0 ? `${-credits} less` : `${credits} more`;
		return `${change} with ${inWords(when, fields)}${least}`;
	});
	const rest = [...extras, ...(price.doubt ? [price.doubt] : [])];
	return price.rows.map(([when, credits]) => {
		const what = inWords(when, fields);
		const amount = credits === 0 ? 'free' : inCredits(credits) + (price.times ? ' a second' : '');
		const first =
			what === '' ? `This job ${credits === 0 ? 'is' : 'costs'} ${amount}` : `${what}: ${amount}`;
		return { when, text: `${[first, ...rest].join('; ')}.` };
	});
}

/** A condition in the words of the form: `Fast (modelA_fast), 16:9 (Landscape), without Sound`. */
export function inWords(when: When, fields: readonly Field[]): string {
	return Object.entries(when)
		.map(([name, allowed]) => {
			const field = fields.find((one) => one.name === name);
			return valueInWords(field, (allowed as readonly Value[])[0] ?? '');
		})
		.join(', ');
}

function valueInWords(field: Field | undefined, value: Value): string {
	if (typeof value !== 'boolean') return labelOf(field, value);
	return `${value ? '' : 'without '}${field?.label}`;
}

/** Name of an operation, such as `vidA31.generate`. */
export const operationName = ({ resource, operation }: CreateOperation) =>
	`${resource}.${operation}`;
