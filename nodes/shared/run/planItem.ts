import type { IExecuteFunctions } from 'n8n-workflow';

import { attempt, type Attempt } from '../clock/clock';
import { withFiles } from '../files/upload';
import { SETTINGS_PLACE } from '../form/names';
import { DOWNLOAD, GUARDS, OPTIONS, type RunOptions, WAIT } from '../form/options';
import { jobOf } from '../orders/order';
import {
	buildRequest,
	InvalidValues,
	pathWithId,
	type ReadParameter,
	readRequest,
} from '../request/request';
import type { Service } from '../service/service';
import { ServiceError } from '../service/serviceError';
import { saidBy } from '../spec/answers';
import { capitalized, isFilled, listInWords, type Values } from '../spec/values';
import { type Field, nameOf } from '../spec/field';
import { AS_ITEM_SAYS, jobRoute, RECOVERY_READS, STARTED_WITH } from '../spec/jobs';
import { OPERATION_ID, OTHER_OPERATION } from '../spec/music';
import { detailNamed } from '../spec/openPoints';
import type { Catalog, Operation, Path } from '../spec/operation';
import { isTool, type ItemPlan, type Run } from './run';

/**
 * The operation that the user chose; the same for all items. n8n does not evaluate expressions in resource and operation
 * (`noDataExpression`), but hands over their text. Nor could it: these two decide which other fields there are, and which of
 * them are required.
 *
 * @throws InvalidValues for a resource or an operation that the node does not have
 */
export function chosenOperation(context: IExecuteFunctions, { operations }: Catalog): Operation {
	const read = parameterReader(context, 0);
	const given = { resource: read('resource', ''), operation: read('operation', '') };
	const ofResource = operations.filter((one) => one.resource === given.resource);
	const chosen = ofResource.find((one) => one.operation === given.operation);
	if (chosen) return chosen;
	const field = ofResource.length > 0 ? 'operation' : 'resource';
	const value = given[field];
	const isExpression = typeof value === 'string' && value.includes('{{');
	const message = isExpression
		? `${capitalized(field)} is the expression ${value}, and n8n does not evaluate expressions in this field`
		: `${JSON.stringify(value)} is no ${field} of this node`;
	throw new InvalidValues(message, CHOOSE);
}

const CHOOSE =
	'Choose one in the list. Where items need different ones, divide them with a Switch node and give each branch a MediaGen node of its own. Nothing was sent, nothing was charged.';

/** Reads the parameters of one item; a parameter that the form does not show gives the fallback. */
export function parameterReader(context: IExecuteFunctions, itemIndex: number): ReadParameter {
	// n8n throws for a missing parameter if the fallback is undefined, but not if it is null.
	return (name, fallback) => located(context.getNodeParameter(name, itemIndex, fallback ?? null));
}

/**
 * What n8n's resource locator holds, picked or typed; any other value as it is. Workflows that a person or a
 * program has written may have plain text there.
 */
function located(value: unknown): unknown {
	const { __rl: isLocator, value: own } = Object(value) as { __rl?: unknown; value?: unknown };
	// A pasted identifier may have white space around it.
	return isLocator === true ? (typeof own === 'string' ? own.trim() : own) : value;
}

/** The options of one item, or why they cannot be read. */
export type ReadOptions = Attempt<RunOptions>;

/** The options of each item, which are read before anything else. */
export async function optionsOf(context: IExecuteFunctions): Promise<ReadOptions[]> {
	// An agent's tool has one output, whatever its options say.
	const read = async (itemIndex: number) => ({
		...readOptions(parameterReader(context, itemIndex)),
		...(isTool(context) && { outputByStatus: false }),
	});
	const items = [...context.getInputData().keys()];
	return await Promise.all(items.map(async (itemIndex) => await attempt(read(itemIndex))));
}

/**
 * What a person has set beside the fields of the service. An option whose expression returns nothing counts as not
 * added, unless it keeps the run from paying.
 *
 * @throws InvalidValues
 */
export function readOptions(read: ReadParameter): RunOptions {
	const given = givenOptions(read);
	const problems: string[] = [];
	const entryOf = (field: Field, value: unknown) => {
		const { name, byDefault } = field;
		const isGuard = GUARDS.includes(name) && name in given;
		if (!isFilled(value) && !isGuard) return [name, byDefault];
		const reading = field.read(value);
		if (reading.broken) problems.push(problemOf(field, value, reading.broken));
		return [name, reading.value];
	};
	const switches = [WAIT, DOWNLOAD].map((field) => entryOf(field, read(field.name, null)));
	const added = OPTIONS.map((field) => entryOf(field, given[field.name]));
	if (problems.length > 0) throw new InvalidValues(problems);
	return Object.fromEntries([...switches, ...added]) as RunOptions;
}

function problemOf({ name, label }: Field, value: unknown, rule: string): string {
	// JSON has no Infinity and no NaN.
	const shown = typeof value === 'number' ? String(value) : JSON.stringify(value ?? null);
	const isAdded = OPTIONS.some((one) => one.name === name);
	return `${isAdded ? optionLabel(name) : label} ${rule}, but is ${shown}`;
}

/** The collection `options`, its values unchecked. Throws InvalidValues where it is not a collection. */
export function givenOptions(read: ReadParameter): Record<string, unknown> {
	const given = read('options', {}) ?? {};
	if (typeof given === 'object' && !Array.isArray(given)) return given as Record<string, unknown>;
	const message = `Options must be a collection, but is ${JSON.stringify(given)?.slice(0, 60)}`;
	throw new InvalidValues(message);
}

/** The same as typed, expressions unevaluated: it can be read even where one of them would fail. */
export function typedOptions(context: Pick<IExecuteFunctions, 'getNode'>): Record<string, unknown> {
	const { options } = context.getNode().parameters ?? {};
	return Object(options) as Record<string, unknown>;
}

/** An option's name in the form, without its unit, such as `Options > Timeout`. */
export function optionLabel(name: string): string {
	const field = OPTIONS.find((one) => one.name === name);
	return `Options > ${field ? nameOf(field) : name}`;
}

/**
 * Reads and checks one item; sends nothing.
 *
 * @throws InvalidValues, ServiceError if the item cannot be sent
 */
export async function planItem(
	run: Run,
	chosen: Operation,
	itemIndex: number,
	options: ReadOptions,
): Promise<ItemPlan> {
	const { service } = run;
	const { helpers } = run.context;
	if ('error' in options) throw options.error;
	const { problems, operation, values } = readItem(run, chosen, itemIndex);
	const template = pathOf(operation, service);
	if (problems.length > 0) {
		const reads = operation.kind === 'recover' || operation.kind === 'status';
		throw new InvalidValues(problems, reads ? RECOVERY_READS : undefined);
	}
	const request = buildRequest(operation, template, values, service);
	const planned = { operation, values, itemIndex, options: options.value, request };
	// The files of a row that has its job are not needed: they may be gone.
	if (jobOf(run.orders.find(itemIndex))) return planned;
	const names = Object.keys(run.context.getInputData()[itemIndex]?.binary ?? {});
	const item = { helpers, itemIndex, service, names };
	return { ...planned, request: await withFiles(item, planned) };
}

/** What the user filled in for one item, and what is wrong with it. Needs no path and no file. */
export function readItem({ context }: Run, chosen: Operation, itemIndex: number) {
	const read = parameterReader(context, itemIndex);
	const incoming = context.getInputData()[itemIndex]?.json ?? {};
	const operation = meant(chosen, read, incoming);
	const { values, problems } = readRequest(operation, read);
	return { operation, values, problems };
}

/** What the user's choice of operation means for one item: with its route, or with the ID that was entered. */
function meant(chosen: Operation, read: ReadParameter, incoming: Values): Operation {
	if (chosen === OTHER_OPERATION)
		return { ...OTHER_OPERATION, operation: String(read(OPERATION_ID, '')).trim() };
	if (chosen.kind !== 'status') return chosen;
	const route = jobRoute(read(STARTED_WITH, AS_ITEM_SAYS), saidBy(incoming, STARTED_WITH));
	return { ...chosen, path: route.list ? '' : route.path, routes: [route] };
}

/**
 * The operation's path: documented, or set in the credential; empty for a job that has to be looked for.
 *
 * @throws ServiceError if it is not set, or if the path that is set for the operation's jobs has no placeholder for the
 *   identifier: that is found before anything is paid for
 */
function pathOf(operation: Operation, service: Service): string {
	const path = pathIn(operation, service);
	const status = operation.kind === 'create' ? operation.status : undefined;
	const ofStatus = operation.kind === 'status' ? path : status && pathIn(status, service);
	if (ofStatus && pathWithId(ofStatus, 'x') === undefined) {
		throw new ServiceError({
			message: `The path ${ofStatus} has no place for the job's identifier`,
			description: `Write {job_id} into the path in ${SETTINGS_PLACE}. Nothing was sent.`,
			outcome: 'notSent',
		});
	}
	if (operation.kind === 'status') return path ?? '';
	const needed = [operation, ...(status?.isPathNeeded ? [status] : [])];
	const missing = needed.flatMap((one) =>
		typeof one.path === 'string' || pathIn(one, service) !== undefined
			? []
			: (detailNamed(one.path.openPoint) ?? []),
	);
	if (path !== undefined && missing.length === 0) return path;
	const labels = missing.map(({ label }) => label);
	const named = missing.map(({ label, example }) => `"${label}", such as ${example}`);
	throw new ServiceError({
		message: `What "${operation.action}" needs is not documented by the service: ${listInWords(labels, 'and')}`,
		description: `Ask the service for it, and enter it in ${SETTINGS_PLACE}: ${listInWords(named, 'and')}. Nothing was sent.`,
		outcome: 'notSent',
	});
}

/** A path as documented, or as it is set in the credential. */
const pathIn = ({ path }: { path: Path }, service: Service): string | undefined =>
	typeof path === 'string' ? path : service.path(path.openPoint);
