import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';

import { ESTIMATE_ONLY, isUpFront, OPTIONS_COLLECTION, parameterPath } from '../parameters/names';
import { nameOf } from '../spec/conditions';
import {
	decidingFields,
	describePrice,
	inCredits,
	possiblePrices,
	type PriceEstimate,
	priceOf,
	undecided,
} from '../spec/price';
import type { CreateOperation, Field, Price, Value } from '../spec/types';
import { type Conditions, EXPRESSION, hideWhen, OTHER_THAN } from './displayConditions';

/** What a job of an operation costs, from the least to the most: `120 to 300 credits`. */
export function priceInWords(operation: CreateOperation): string {
	const range = possiblePrices(undecided(operation), {});
	if (!range || isBySecond(operation.price)) return describePrice(operation.price);
	const { low, high } = range;
	if (high === 0) return 'free';
	const isMost = low === high && !priceOf(operation, {}).exact;
	return `${isMost ? 'at most ' : ''}${inCredits(low, high)}`;
}

/** Whether the price is so much a second, with no amount on top or off. */
function isBySecond(price: Price): boolean {
	if (!price.shown || price.perUnitOf === undefined) return false;
	const { surcharges = [], discounts = [] } = price;
	return [...surcharges, ...discounts].every(({ credits }) => credits === null);
}

/**
 * The line of the panel that says what a job costs, by the values that the form holds. n8n cannot compute it, so there
 * is a property for each text; one of them shows at a time.
 */
export function priceLine(operation: CreateOperation): INodeProperties[] {
	const boxes = priceBoxes(operation);
	const fields = decidingFields(operation).filter(({ name }) =>
		boxes.some(({ when }) => name in when),
	);
	return [
		...boxes.map(({ when, text }) => notice(text, inside(when, fields))),
		...expressionLines(operation, fields),
	];
}

/** Nothing is paid for then. An expression does not count, since it may return anything. */
const ESTIMATED = { [`/${OPTIONS_COLLECTION}.${ESTIMATE_ONLY}`]: [true] };

function notice(displayName: string, displayOptions: IDisplayOptions): INodeProperties {
	const property = { displayName, name: 'price', type: 'notice' as const, default: '' };
	return hideWhen({ ...property, displayOptions }, ESTIMATED);
}

/** Where fields are expressions, what the job may cost; of several, the line of the first one shows. */
function expressionLines(operation: CreateOperation, fields: readonly Field[]): INodeProperties[] {
	const { low = 0, high = 0 } = possiblePrices(undecided(operation), {}) ?? {};
	const range = inCredits(low, high);
	// Fields that can be added come first, so that the lines of the others give way to theirs.
	const ordered = [...fields.filter((field) => !isUpFront(field)), ...fields.filter(isUpFront)];
	return ordered
		.filter(({ type }) => type !== 'text')
		.map((field, index, all) =>
			notice(
				`This job costs ${range}, depending on ${nameOf(field)}.`,
				expressionIn(field, all.slice(0, index)),
			),
		);
}

function priceText({ credits, exact }: PriceEstimate): string {
	if (credits === null) return 'The service does not document the price of this job.';
	if (credits === 0 && exact) return 'This job is free.';
	return `This job costs ${exact ? '' : 'at most '}${inCredits(credits)}.`;
}

/** Stands for all texts but the one that a field starts with. */
const ANOTHER = '__another__';

/** What the form can hold for a field; `undefined` where it has not been added. */
function valuesOf(field: Field): Array<Value | undefined> {
	return isUpFront(field) ? formValues(field) : [...formValues(field), undefined];
}

function formValues({ type, options = [], start = '', min = 0, max = 0 }: Field): Value[] {
	if (type === 'toggle') return [false, true];
	if (type === 'text') return [start, ANOTHER];
	if (type === 'integer') return Array.from({ length: max - min + 1 }, (_, index) => min + index);
	return options.map(({ value }) => value);
}

/** Values of fields for which the form says the same text; a field that is not named makes no difference. */
interface PriceBox {
	when: Readonly<Record<string, ReadonlyArray<Value | undefined>>>;
	text: string;
}

/** What the form says of the price: each combination of the fields' values is in one box. */
function priceBoxes(operation: CreateOperation): PriceBox[] {
	const fields = decidingFields(operation);
	const combinations = fields.reduce<Array<Record<string, Value | undefined>>>(
		(all, field) =>
			all.flatMap((cell) => valuesOf(field).map((value) => ({ ...cell, [field.name]: value }))),
		[{}],
	);
	const single = combinations.map((values) => ({
		when: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, [value]])),
		text: priceText(priceOf(operation, values)),
	}));
	return fields.reduce<PriceBox[]>((boxes, field) => mergedAlong(field, boxes), single);
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
	const { length } = valuesOf(field);
	return [...groups.values()].map((group) => {
		const [{ when, text }] = group as [PriceBox];
		const others = Object.fromEntries(Object.entries(when).filter(([other]) => other !== name));
		const all = group.flatMap((box) => box.when[name] ?? []);
		return { text, when: all.length === length ? others : { ...others, [name]: all } };
	});
}

/**
 * Shows a line where the fields have these values and none is an expression. At top level, the editor
 * resolves an expression before it checks conditions, and finds no value if it cannot. In a collection it
 * does not resolve it, and under `show` an expression would meet any condition.
 */
function inside(when: PriceBox['when'], fields: readonly Field[]): IDisplayOptions {
	const upFront = fields.filter(isUpFront);
	const added = fields.filter((field) => !isUpFront(field));
	return {
		show: Object.fromEntries(
			upFront.flatMap((field): Array<[string, Conditions[string]]> => {
				const allowed = when[field.name];
				// A text that cannot be resolved may be any text.
				if (field.type === 'text' && !allowed) return [];
				return [[field.name, conditionsOf(field, (allowed ?? formValues(field)) as Value[])]];
			}),
		),
		hide: Object.fromEntries(
			added.map((field) => [placeOf(field), outside(field, when[field.name])]),
		),
	};
}

/**
 * The path by which a condition finds an added field. Without a leading slash, older versions of n8n look for a
 * parameter of exactly that name, such as `additionalFields.duration`, and refuse the workflow if there is none.
 */
const placeOf = (field: Field) => `/${parameterPath(field)}`;

const conditionsOf = ({ start = '' }: Field, values: readonly Value[]) =>
	values.map((value) => (value === ANOTHER ? OTHER_THAN(start) : value));

/** Conditions met by any value of a field but these, and by an expression. */
function outside(field: Field, allowed?: ReadonlyArray<Value | undefined>): Conditions[string] {
	const [only] = allowed ?? [];
	if (allowed === undefined) return [EXPRESSION];
	if (allowed.length === 1 && only !== undefined) return [OTHER_THAN(only)];
	// An imported workflow may have a switch as `true` or as `"true"`.
	const values = formValues(field).filter((value) => !allowed.includes(value));
	return [...new Set(values.flatMap((value) => [value, String(value)])), EXPRESSION];
}

/** Shows a line where a field is an expression and those before it are not. */
function expressionIn(field: Field, before: readonly Field[]): IDisplayOptions {
	const { show, hide } = inside({}, before);
	// A field that is not added has no value to rule out, so its line asks for an expression.
	return isUpFront(field)
		? { show, hide: { ...hide, [field.name]: formValues(field) } }
		: { show: { ...show, [placeOf(field)]: [EXPRESSION] }, hide };
}
