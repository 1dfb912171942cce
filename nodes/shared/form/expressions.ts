import { type ExpressionString, NodeConnectionTypes, type NodeHint } from 'n8n-workflow';

import {
	ESTIMATE_ONLY,
	isUpFront,
	OPTIONS_COLLECTION,
	OUTPUT_BY_STATUS,
	parameterPath,
	ROLE_PARAMETER,
	STATUS_OUTPUTS,
} from '../parameters/names';
import { JOB_RESOURCE, RECOVER_JOBS, startsJob } from '../spec/jobs';
import { priceOf } from '../spec/price';
import type { Catalog, Operation } from '../spec/types';
import { startValue } from './fieldProperty';
import { FREE, priceGrid, priceInWords, rangeOf, ratedFields, unitField } from './prices';

/**
 * A value as code for an expression. It is shorter than JSON, whose quotation marks would be escaped once
 * more in the description of a node.
 */
export function inCode(value: unknown): string {
	if (typeof value === 'string') return inQuotes(value);
	if (Array.isArray(value)) return `[${value.map(inCode).join()}]`;
	if (typeof value !== 'object' || value === null) return String(value);
	const entries = Object.entries(value).map(([name, one]) => `${keyInCode(name)}:${inCode(one)}`);
	return `{${entries.join()}}`;
}

const keyInCode = (name: string) => (/^[a-z]\w*$/i.test(name) ? name : inCode(name));

const inQuotes = (text: string) =>
	`'${JSON.stringify(text).slice(1, -1).replace(/\\"/g, '"').replace(/'/g, "\\'")}'`;

/**
 * What the canvas shows below the name of a node, as an expression. The name is that of the action, so this
 * adds what the action leaves out: for a creation, the resource and the price with the node's current fields,
 * such as `Standard Video · 130 credits`; for other operations, text such as `Job: Get History`.
 */
export function subtitleOf({ resources, operations }: Catalog): string {
	const own = new Map(operations.map((operation) => [operation, pricesOf(operation)]));
	const prices = [...new Set([...own.values()].flat())];
	const rowIn = (operation: Operation) =>
		rowOf(operation, prices.indexOf(own.get(operation)?.[0] ?? ''));
	const rows = resources.map(({ value, label }) => {
		const named = operations.filter(({ resource }) => resource === value);
		const told = named.map((operation) => [operation.operation, rowIn(operation)]);
		return [value, [label, Object.fromEntries(told)]];
	});
	const given = `${inCode(Object.fromEntries(rows))}, [${prices.join()}]`;
	// Two braces in a row would end the expression.
	const spaced = given.replace(/([{}])(?=[{}])/g, '$1 ');
	const reader = `${READER} ${prices.length > 0 ? PRICE_READER : ''} }`;
	return `={{ (${reader})($rawParameter, ${spaced}) }}`;
}

/** What follows the resource: a label, a price in words, or an index into the list of prices. */
function rowOf(operation: Operation, place: number): string | number {
	if (operation.kind !== 'create') return `${LABEL}${operation.label}`;
	if (!operation.price.shown) return UNKNOWN;
	if (place >= 0) return place;
	const { credits, exact } = priceOf(operation, {});
	return `${exact ? '' : MOST}${inShort(Number(credits))}`;
}

/** Marks a label: no price begins with it. */
const LABEL = ': ';

const MOST = 'at most ';

const UNKNOWN = 'price unknown';

/** An amount in credits, in few characters. */
function inShort(low: number, high: number = low): string {
	if (high === 0) return 'free';
	if (low !== high) return `${low}–${high} credits`;
	return low === 1 ? '1 credit' : `${low} credits`;
}

/**
 * The range of prices in words; the fields that decide the price, each with its path, start value and
 * possible values; the price of each combination, in credits; the field that counts units, with its start
 * value. A negative price is the most that the job may cost; `null` is a price that is not known.
 */
type Prices = [
	range: string,
	domains: ReadonlyArray<[path: string, start: unknown, values: readonly unknown[]]>,
	credits: ReadonlyArray<number | null>,
	unit?: string,
	units?: unknown,
];

/** The prices of an operation that has several, as code. */
function pricesOf(operation: Operation): [] | [string] {
	if (operation.kind !== 'create') return [];
	const { domains, cells } = priceGrid(operation, ratedFields(operation));
	const unit = unitField(operation);
	if (!operation.price.shown || (domains.length === 0 && !unit)) return [];
	const { low = 0, high } = rangeOf([operation]);
	const prices: Prices = [
		inShort(low, high),
		domains.map(({ field, values }) => [
			parameterPath(field),
			isUpFront(field) ? startValue(field) : null,
			values.map((value) => value ?? null),
		]),
		cells.map(({ price: { credits, exact } }) => (credits === null || exact ? credits : -credits)),
		...(unit ? ([unit.name, startValue(unit)] as const) : ([] as const)),
	];
	return [inCode(prices)];
}

const READER = `(node, table, prices) => {
	const row = table[node.resource] ?? [];
	const told = row[1]?.[node.operation];
	if (told === undefined) return 'Chosen by an expression';
	if (String(told).startsWith('${LABEL}')) return row[0] + told;
	const resource = row[0] + ' · ';
	if (node.${OPTIONS_COLLECTION}?.${ESTIMATE_ONLY} === true) return resource + 'estimate only';
	if (typeof told === 'string') return resource + told;`.replace(/\s+/g, ' ');

/**
 * Finds the price in the lists. A node stores no value for a field that still has its start value. Where a
 * field that decides the price is an expression, the range is shown.
 */
const PRICE_READER = `
	const [range, domains, credits, unit, first] = prices[told];
	const read = (path, start) =>
		path.split('.').reduce((at, name) => at == null ? at : at[name], node) ?? start;
	const place = domains.reduce((sum, [path, start, all]) => {
		const at = all.indexOf(read(path, start));
		return at < 0 ? NaN : sum * all.length + at;
	}, 0);
	const units = unit ? read(unit, first) : 1;
	const price = credits[place];
	if (price === undefined || typeof units === 'object' || !(units > 0)) return resource + range;
	if (price === null) return resource + '${UNKNOWN}';
	const amount = Math.abs(price * units);
	const words = amount === 0 ? 'free' : amount === 1 ? '1 credit' : amount + ' credits';
	return resource + (price < 0 ? '${MOST}' : '') + words;`.replace(/\s+/g, ' ');

const byStatus = STATUS_OUTPUTS.map((displayName) => ({
	type: NodeConnectionTypes.Main,
	displayName,
}));

/** The outputs of a node: one, unless *Output by Status* is on. */
export const OUTPUTS: ExpressionString = `={{ $parameter.options?.${OUTPUT_BY_STATUS} === true ? ${inCode(byStatus)} : ${inCode([NodeConnectionTypes.Main])} }}`;

const OWN = [
	'The node waits for its media.',
	'You can close this page: n8n goes on by itself.',
	`If you stop the execution, its paid jobs go on: ${JOB_RESOURCE.label} > ${RECOVER_JOBS.label} gets their results.`,
].join(' ');

const HELPER = 'This execution works for another one, and ends by itself.';

/**
 * What the editor shows for a parked node, below "Waiting for input": an expression over its parameters.
 * A node of this package parks only if it waits durably, or works for one that does.
 */
export const WAITING_TOOLTIP = `={{ $parameter.${ROLE_PARAMETER} ? ${inCode(HELPER)} : ${inCode(OWN)} }}`;

/** Hints that n8n shows in the panel of a node before it runs. n8n shows the message unchanged. */
export function paneHintsOf({ operations }: Catalog): NodeHint[] {
	const paid = operations
		.filter(isPaid)
		.map(({ resource, operation }) => `${resource}.${operation}`);
	return [
		{
			message:
				'Each input item is a paid job, and nothing limits what this run may cost. To set a limit, add Options > Max Credits per Run.',
			displayCondition: `={{ (${UNLIMITED})($rawParameter, ${inCode(paid)}, $input.all().length) }}`,
			whenToDisplay: 'beforeExecution',
			location: 'outputPane',
		},
	];
}

/** Whether an operation starts jobs that cost something, or may. */
const isPaid = (operation: Operation) =>
	startsJob(operation) && !(operation.kind === 'create' && priceInWords(operation) === FREE);

/** Expressions for the limit or the estimate count as set: the raw parameters have them as typed. */
const UNLIMITED = `({ resource, operation, options }, paid, items) => {
	const { maxCredits, estimateOnly } = options ?? { };
	const isLimited = maxCredits !== undefined || Boolean(estimateOnly);
	return items > 1 && !isLimited && paid.includes(resource + '.' + operation);
}`.replace(/\s+/g, ' ');
