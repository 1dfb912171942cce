import { isUpFront, OTHER } from '../parameters/names';
import {
	decidingFields,
	describePrice,
	inCredits,
	possiblePrices,
	type PriceEstimate,
	priceOf,
	type PriceRange,
	undecided,
} from '../spec/price';
import type { CreateOperation, Field, Value } from '../spec/types';

export const FREE = 'free';

/** What the jobs of an operation cost at the least and at the most: `120 to 300 credits`. */
export function priceInWords(operation: CreateOperation): string {
	const { low = 0, high } = rangeOf([operation]);
	if (high === undefined || unitField(operation)) return describePrice(operation.price);
	if (high === 0) return FREE;
	const isMost = low === high && !priceOf(operation, {}).exact;
	return `${isMost ? 'at most ' : ''}${inCredits(low, high)}`;
}

/** Values of the deciding fields that make one price; a field that is not named makes no difference. */
export interface PriceBox {
	/** `undefined` stands for a field that is not added to the form. */
	when: Readonly<Record<string, ReadonlyArray<Value | undefined>>>;
	/** Of one unit, where the price is by units; with all switches off. */
	price: PriceEstimate;
	/** The same with some switches on, in their order. */
	switched: ReadonlyArray<{ on: readonly Field[]; price: PriceEstimate }>;
}

/** What the form can hold for a field, and for each combination with those of the others the price. */
interface PriceGrid {
	domains: ReadonlyArray<{ field: Field; values: ReadonlyArray<Value | undefined> }>;
	/** In order; the last domain runs fastest. Of one unit, where the price is by units. */
	cells: ReadonlyArray<{ values: Values; price: PriceEstimate }>;
}

/** The prices of an operation, by the values of the fields on which they depend. */
export function priceGrid(operation: CreateOperation): PriceGrid {
	const domains = ratedFields(operation).map((field) => ({ field, values: domain(field) }));
	const cells = combinations(domains).map((values) => ({
		values,
		price: priceOfUnit(operation, values),
	}));
	return { domains, cells };
}

function combinations(domains: PriceGrid['domains']): Values[] {
	return domains.reduce<Values[]>(
		(all, { field: { name }, values }) =>
			all.flatMap((cell) => values.map((value) => ({ ...cell, [name]: value }))),
		[{}],
	);
}

function priceOfUnit(operation: CreateOperation, values: Values): PriceEstimate {
	const unit = unitField(operation);
	const units = unit ? { [unit.name]: 1 } : {};
	return priceOf(operation, { ...operation.fixed, ...units, ...defined(values) });
}

/**
 * The prices that an operation can have, by what the form can hold: each combination of the deciding
 * fields' values is in one box. Expressions are in none.
 *
 * @param switches fields whose prices are in each box, instead of a box for each
 */
export function priceBoxes(
	operation: CreateOperation,
	switches: readonly Field[] = [],
): PriceBox[] {
	const states = [...switches.map((one) => [one]), ...(switches.length > 1 ? [switches] : [])];
	const priceWith = (values: Values, on: readonly Field[]) => {
		const settings = switches.map((field) => [field.name, on.includes(field)] as const);
		return priceOfUnit(operation, { ...values, ...Object.fromEntries(settings) });
	};
	const fields = ratedFields(operation).filter((field) => !switches.includes(field));
	const domains = fields.map((field) => ({ field, values: domain(field) }));
	const single = combinations(domains).map((values) => ({
		when: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, [value]])),
		price: priceWith(values, []),
		switched: states.map((on) => ({ on, price: priceWith(values, on) })),
	}));
	return fields.reduce<PriceBox[]>((boxes, field) => mergedAlong(field, boxes), single);
}

type Values = Record<string, Value | undefined>;

const defined = (values: Values) =>
	Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));

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

/** Boxes that differ in one field alone and have one price, as one box. */
function mergedAlong(field: Field, boxes: readonly PriceBox[]): PriceBox[] {
	const { name } = field;
	const groups = new Map<string, PriceBox[]>();
	for (const box of boxes) {
		const others = Object.entries(box.when).filter(([other]) => other !== name);
		const key = JSON.stringify([others, box.price, box.switched]);
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

/** The lowest and the highest price of all that the operations can have; none where it is not shown. */
export function rangeOf(operations: readonly CreateOperation[]): Partial<PriceRange> {
	const ranges = operations.flatMap((operation) => possiblePrices(undecided(operation), {}) ?? []);
	return ranges.length === 0
		? {}
		: {
				low: Math.min(...ranges.map(({ low }) => low)),
				high: Math.max(...ranges.map(({ high }) => high)),
			};
}

/**
 * The field that the price is multiplied by; none where an amount is added or taken off besides: then
 * each number has a price of its own.
 */
export function unitField({ price, fields }: CreateOperation): Field | undefined {
	if (!price.shown) return undefined;
	const { surcharges = [], discounts = [], perUnitOf } = price;
	const isLinear = [...surcharges, ...discounts].every(({ credits }) => credits === null);
	return isLinear ? fields.find(({ name }) => name === perUnitOf) : undefined;
}

/** The switch that alone adds to the price or takes off it, if there is one and each price has one amount. */
function adjustingSwitch(operation: CreateOperation): Field | undefined {
	const { price, fields } = operation;
	if (!price.shown || (price.perUnitOf && !unitField(operation))) return undefined;
	const { rates, surcharges = [], discounts = [] } = price;
	const conditions = [...surcharges, ...discounts].map(({ when }) => when);
	const [name = '', ...more] = new Set(conditions.flatMap((when) => Object.keys(when)));
	const isAlone =
		more.length === 0 &&
		!conditions.some((when) => when[name]?.includes(false)) &&
		!rates.some(({ when = {} }) => name in when);
	return isAlone
		? fields.find((field) => field.name === name && field.type === 'toggle')
		: undefined;
}

/**
 * Whether turning the field on makes the job cheaper, as the notice of the price says. What makes it
 * dearer says so in its own description, too.
 */
export const isDiscountSwitch = ({ name }: Field, operation?: CreateOperation) =>
	operation?.price.shown === true &&
	!operation.price.surcharges?.length &&
	adjustingSwitch(operation)?.name === name;

/** More make too many prices for one text. */
const MOST_SWITCHES = 2;

/** The switches of the form whose prices one text can tell, on and off. */
export function priceSwitches(operation: CreateOperation): Field[] {
	const adjusting = adjustingSwitch(operation);
	const switches = ratedFields(operation).filter(
		(field) => field === adjusting || (field.type === 'toggle' && isUpFront(field)),
	);
	return switches.length <= MOST_SWITCHES ? switches : switches.filter((one) => one === adjusting);
}

/** Fields that decide the price by their value, not as a number of units. */
export function ratedFields(operation: CreateOperation): Field[] {
	const unit = unitField(operation);
	return decidingFields(operation).filter(({ name }) => name !== unit?.name);
}
