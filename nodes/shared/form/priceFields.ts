import { decidingFields } from '../spec/price';
import { isUpFront } from '../parameters/fields';
import type { CreateOperation, Field } from '../spec/types';

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
export function adjustingSwitch(operation: CreateOperation): Field | undefined {
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
