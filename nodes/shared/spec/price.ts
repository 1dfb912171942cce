import {
	capitalized,
	holds,
	listInWords,
	mayHold,
	type Value,
	type Values,
	type When,
} from './values';
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
function decidingFields(operation: CreateOperation): readonly Field[] {
	const { times = '', extras = [] } = operation.price ?? {};
	const others = [...extras.flatMap(({ when }) => Object.keys(when)), times];
	const inRows = rowFields(operation);
	return operation.fields.filter((field) => inRows.includes(field) || others.includes(field.name));
}

/** The fields that decide which row holds. */
export function rowFields({ price, fields }: CreateOperation): readonly Field[] {
	const names = (price?.rows ?? []).flatMap(([when]) => Object.keys(when));
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
 * The price in words, a line for each row: `Fast (modelA_fast): 100 credits; 200 more with Enable Fallback.` A row's
 * condition is that of its line in the form.
 */
export function priceLines(operation: CreateOperation): Array<{ when: When; text: string }> {
	const { price, fields } = operation;
	if (!price) return [{ when: {}, text: 'The service does not document the price of this job.' }];
	const { rows, times, extras = [], doubt = [] } = price;
	return rows.map(([when, credits]) => {
		const what = capitalized(inWords(when, fields));
		const amount = credits === 0 ? 'free' : inCredits(credits) + (times ? ' a second' : '');
		const start = what ? `${what}: ` : `This job ${credits === 0 ? 'is' : 'costs'} `;
		const changes = extras
			.filter(({ from = 0 }) => credits >= from)
			.map((extra) => `${changeInWords(extra.credits)} with ${inWords(extra.when, fields)}`);
		return { when, text: `${start}${[amount, ...changes].concat(doubt).join('; ')}.` };
	});
}

const changeInWords = (credits: number) => (credits < 0 ? `${-credits} less` : `${credits} more`);

/** A condition in the words of the form: `Fast (modelA_fast), 16:9 (Landscape), without Sound`. */
export function inWords(when: When, fields: readonly Field[]): string {
	return Object.entries(when)
		.map(([name, allowed]) => {
			const field = fields.find((one) => one.name === name);
			return valueInWords(field, allowed[0] ?? '');
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
