import type { Values } from '../nodes/shared/spec/values.ts';
import type { CreateOperation, Price as TablePrice } from '../nodes/shared/spec/operation.ts';
import type { Condition, Field, Price, Surcharge, Value } from '../test/document.mts';
import { rowOf, type Served } from './documented.mts';
import { withDefaults } from './values.mts';

/** What a request costs, by the document's prices. */

interface Prices {
	prices: readonly Price[];
	surcharges?: readonly Surcharge[];
}

type Answer = 'yes' | 'maybe' | 'no';

/** The least and the most that a request can cost, in credits; nothing where no price is shown. */
export function possibleCredits(operation: Served<CreateOperation>, sent: Values) {
	const values = withDefaults(operation, sent);
	const { prices, surcharges = [] } = pricesOf(operation);
	const ask = (condition?: Condition) => meets(operation.fields, condition, values);
	const rows = prices.filter(
		({ when, unless }) => ask(when) !== 'no' && (!unless || ask(unless) !== 'yes'),
	);
	const rated = rows.flatMap(({ credits, perSecondOf }) =>
		unitsOf(operation.fields, perSecondOf, values).map((units) => credits * units),
	);
	const amounts = surcharges.reduce((all, { when, credits = 0, from = -Infinity }) => {
		const answer = ask(when);
		const changed = all.map((one) => (one >= from ? one + credits : one));
		if (answer === 'no') return all;
		return answer === 'yes' ? changed : [...all, ...changed];
	}, rated);
	if (amounts.length === 0) return undefined;
	return { low: Math.min(...amounts), high: Math.max(...amounts) };
}

/** The document's prices; those of its table for an operation that is made up. */
export const pricesOf = (operation: Served<CreateOperation>): Prices =>
	rowOf(operation) ?? fromTable(operation.price);

/** What is not given may be anything, and so may what stands for a value that the document does not show. */
function meets(fields: readonly Field[], condition: Condition = {}, values: Values): Answer {
	const answers = Object.entries(condition).map(([name, allowed]): Answer => {
		const value = values[name];
		if ([allowed].flat().includes(value as Value)) return 'yes';
		const field = fields.find((one) => one.name === name);
		return value === undefined || field?.shown ? 'maybe' : 'no';
	});
	if (answers.includes('no')) return 'no';
	return answers.includes('maybe') ? 'maybe' : 'yes';
}

function unitsOf(fields: readonly Field[], name: string | undefined, values: Values): number[] {
	if (name === undefined) return [1];
	const { min = 1, max = min } = fields.find((field) => field.name === name) ?? {};
	return name in values ? [Number(values[name])] : [min, max];
}

function fromTable(price: TablePrice | undefined): Prices {
	if (!price) return { prices: [] };
	const { rows, times, extras = [] } = price;
	return {
		prices: rows.map(([when, credits]) => {
			return { when: when as Condition, credits, ...(times && { perSecondOf: times }) };
		}),
		surcharges: extras.map(({ when, ...extra }) => ({ ...extra, when: when as Condition })),
	};
}
