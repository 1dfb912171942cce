import { isUpFront, OTHER } from '../parameters/names';
import {
	decidingFields,
	describePrice,
	inCredits,
	possiblePrices,
	type PriceEstimate,
	priceOf,
	type PriceRange,
	spanOf,
	undecided,
} from '../spec/price';
import type { CreateOperation, Field, Value } from '../spec/types';

export const FREE = 'free';

/** What a job of an operation costs, from the least to the most: `120 to 300 credits`. */
export function priceInWords(operation: CreateOperation): string {
	const { low = 0, high } = rangeOf([operation]);
	if (high === undefined || unitField(operation)) return describePrice(operation.price);
	if (high === 0) return FREE;
	const isMost = low === high && !priceOf(operation, {}).exact;
	return `${isMost ? 'at most ' : ''}${inCredits(low, high)}`;
}

/**
 * Values of the deciding fields for which the form says the same text; a field that is not named makes
 * no difference. `undefined` stands for a field that the user has not added.
 */
export interface PriceBox {
	when: Readonly<Record<string, ReadonlyArray<Value | undefined>>>;
	text: string;
}

/** What the form can hold for each field, and the price of each combination. */
interface PriceGrid {
	domains: ReadonlyArray<{ field: Field; values: ReadonlyArray<Value | undefined> }>;
	/** In order, the last domain varying fastest. Where units decide the price, it is that of one unit. */
	cells: ReadonlyArray<{ values: Values; price: PriceEstimate }>;
}

/** The prices of an operation, by the values of these fields. */
export function priceGrid(operation: CreateOperation, fields: readonly Field[]): PriceGrid {
	const domains = fields.map((field) => ({ field, values: domain(field) }));
	const combinations = domains.reduce<Values[]>(
		(all, { field: { name }, values }) =>
			all.flatMap((cell) => values.map((value) => ({ ...cell, [name]: value }))),
		[{}],
	);
	const unit = unitField(operation);
	const one = unit && { [unit.name]: 1 };
	const cells = combinations.map((values) => ({
		values,
		price: priceOf(operation, { ...one, ...values }),
	}));
	return { domains, cells };
}

/**
 * What the form says of the price, by the values that it can hold: each combination of the fields'
 * values is in one box, unless nothing is said of it. Expressions are in no box.
 *
 * @param fields those that decide the price; if the one that counts units is absent, for one unit
 */
export function priceBoxes(
	operation: CreateOperation,
	fields: readonly Field[],
	say: (price: PriceEstimate) => string,
): PriceBox[] {
	const single = priceGrid(operation, fields).cells.map(({ values, price }) => ({
		when: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, [value]])),
		text: say(price),
	}));
	return fields
		.reduce<PriceBox[]>((boxes, field) => mergedAlong(field, boxes), single)
		.filter(({ text }) => text !== '');
}

type Values = Record<string, Value | undefined>;

/** The values that the form offers for a field. */
export function formValues({ type, options = [], openValues, min, max }: Field): Value[] {
	if (type === 'toggle') return [false, true];
	if (type === 'integer' && min !== undefined && max !== undefined) {
		return Array.from({ length: max - min + 1 }, (_, index) => min + index);
	}
	return [...options.map(({ value }) => value), ...(openValues ? [OTHER] : [])];
}

/** What the form can hold for a field. */
function domain(field: Field): Array<Value | undefined> {
	return isUpFront(field) ? formValues(field) : [...formValues(field), undefined];
}

/** Merges boxes that have the same text and differ only in this field. */
function mergedAlong(field: Field, boxes: readonly PriceBox[]): PriceBox[] {
	const { name } = field;
	const groups = new Map<string, PriceBox[]>();
	for (const box of boxes) {
		const others = Object.entries(box.when).filter(([other]) => other !== name);
		const key = JSON.stringify([others, box.text]);
		groups.set(key, [...(groups.get(key) ?? []), box]);
	}
	const size = domain(field).length;
	return [...groups.values()].map(([first, ...more]) => {
		const { [name]: values = [], ...when } = first?.when ?? {};
		const all = [...values, ...more.flatMap((box) => box.when[name] ?? [])];
		const box = first as PriceBox;
		return { ...box, when: all.length === size ? when : { ...when, [name]: all } };
	});
}

/** The lowest and the highest price that the operations can have, in credits; empty where none is shown. */
export function rangeOf(operations: readonly CreateOperation[]): Partial<PriceRange> {
	const ranges = operations.flatMap((operation) => possiblePrices(undecided(operation), {}) ?? []);
	return spanOf(ranges.flatMap(({ low, high }) => [low, high])) ?? {};
}

/**
 * The field that counts units, by which the price is multiplied. None where a known amount is added or
 * taken off as well, since then the price is not proportional to the units.
 */
export function unitField({ price, fields }: CreateOperation): Field | undefined {
	if (!price.shown) return undefined;
	const { surcharges = [], discounts = [], perUnitOf } = price;
	const isLinear = [...surcharges, ...discounts].every(({ credits }) => credits === null);
	return isLinear ? fields.find(({ name }) => name === perUnitOf) : undefined;
}

/** Fields that decide the price by their value, not as a number of units. */
export function ratedFields(operation: CreateOperation): Field[] {
	const unit = unitField(operation);
	return decidingFields(operation).filter(({ name }) => name !== unit?.name);
}

/** The most units that the conditions of a form list one by one. */
const MOST_UNITS = 20;

/** All fields that decide the price; the one that counts units only where the form can list its values. */
export function pricedFields(operation: CreateOperation): Field[] {
	const unit = unitField(operation);
	return decidingFields(operation).filter((field) => field !== unit || isListed(field));
}

const isListed = (field: Field) => {
	const { length } = formValues(field);
	return length > 0 && length <= MOST_UNITS;
};
