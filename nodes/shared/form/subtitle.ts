import type { Catalog, Operation, Value } from '../spec/types';
import { decidingFields, priceBoxes, rangeOf, unitField } from './priceBoxes';
import { startValue } from './fieldProperty';
import { isUpFront, parameterPath } from './upFront';

/**
 * What the canvas shows below the name of a node, as an expression: the action, and of a creation the
 * price with the node's fields as they stand, such as `Generate a video · 130 credits`.
 */
export function subtitleOf({ operations }: Catalog): string {
	const rows = operations.map((operation) => [
		`${operation.resource}:${operation.operation}`,
		[nameOf(operation), ...priceRow(operation)],
	]);
	const table = JSON.stringify(Object.fromEntries(rows) as object);
	// Two braces in a row would end the expression.
	const spaced = table.replace(/([{}])(?=[{}])/g, '$1 ');
	return `={{ (${READER})(${spaced}, $rawParameter) }}`;
}

/** The canvas shows some 28 characters: so many leave room for the price. */
const MAX_NAME = 18;

/** The action without what is in brackets behind it, or the operation where that is too long. */
function nameOf({ action, label }: Operation): string {
	const [name = action] = action.split(' (');
	return name.length > MAX_NAME ? label : name;
}

/** An amount in few characters. */
function inShort(low: number, high: number = low): string {
	if (high === 0) return 'free';
	if (low !== high) return `${low}–${high} credits`;
	return low === 1 ? '1 credit' : `${low} credits`;
}

/** By path of each deciding field what the form starts with, the range of prices, and the prices. */
type PriceRow = [] | [string] | [starts: Record<string, unknown>, range: string, boxes: BoxRow[]];

/** Values by path of field; the price in words, or the credits of one unit of a field. */
type BoxRow = [Record<string, ReadonlyArray<Value | null>>, string | number, ...unit: string[]];

function priceRow(operation: Operation): PriceRow {
	if (operation.kind !== 'create') return [];
	const { price } = operation;
	if (!price.shown) return ['price unknown'];
	const fields = decidingFields(operation);
	const unit = unitField(operation);
	const { low = 0, high } = rangeOf([operation]);
	const boxes = priceBoxes(operation).map(({ when, price: { credits, exact } }): BoxRow => {
		const values = fields.flatMap((field) => {
			const allowed = when[field.name]?.map((value) => value ?? null);
			return allowed ? [[parameterPath(field), allowed] as const] : [];
		});
		const byPath = Object.fromEntries(values);
		if (credits === null) return [byPath, 'price unknown'];
		const doubt = exact ? '' : 'at most ';
		return unit ? [byPath, credits, unit.name, doubt] : [byPath, `${doubt}${inShort(credits)}`];
	});
	const starts = fields.map((field) => [
		parameterPath(field),
		isUpFront(field) ? startValue(field) : null,
	]);
	return [Object.fromEntries(starts), inShort(low, high), boxes];
}

/**
 * Finds the price in the table. A node has no values for what stands in its form as it did at first.
 * Where a field that decides it is an expression, it is the range.
 */
const READER = `(table, node) => {
	const [action, starts, range, boxes] = table[node.resource + ':' + node.operation] ?? [];
	if (!action) return 'Chosen by an expression';
	if (!boxes) return starts ? action + ' · ' + starts : action;
	const read = (path) => {
		let value = node;
		for (const name of path.split('.')) value = value == null ? value : value[name];
		return value ?? starts[path];
	};
	const isOpen = ([path]) => {
		const value = read(path);
		return typeof value === 'string' && value.startsWith('=');
	};
	if (Object.entries(starts).some(isOpen)) return action + ' · ' + range;
	const fits = ([when]) => Object.entries(when).every(([path, all]) => all.includes(read(path)));
	const [, price, unit, doubt] = boxes.find(fits) ?? [null, range];
	if (!unit) return action + ' · ' + price;
	const units = read(unit);
	const isCount = typeof units !== 'object' && units > 0;
	return action + ' · ' + (isCount ? doubt + price * units + ' credits' : range);
}`.replace(/\s+/g, ' ');
