import { ADDITIONAL_FIELDS } from '../form/names';
import type { Service, ServiceRequest } from '../service/service';
import { type Advising, ServiceError } from '../service/serviceError';
import { shownAddress } from '../service/shownText';
import { holds, isFilled, own, type Values } from '../spec/values';
import { type Field, fullNameOf, isPayload, nameOf, withDefaults } from '../spec/field';
import { JOB_ID_FIELD } from '../spec/jobs';
import type { ListOperation, Operation } from '../spec/operation';

/** Reads a parameter of the node for one item, expressions resolved; `fallback` when unset. */
export type ReadParameter = (name: string, fallback: unknown) => unknown;

export const NOTHING_SENT_FOR_ITEM = 'Nothing was sent for this item, nothing was charged.';

/** Values that cannot be sent, found before anything was sent. */
export class InvalidValues extends Error implements Advising {
	readonly retry = 'correctFirst';

	/**
	 * @param problems sentences: label and name of the field, its rule, and the value that breaks it
	 * @param description what to do, and what the mistake means for the money
	 */
	constructor(
		problems: string | readonly string[],
		readonly description = `Correct the value. ${NOTHING_SENT_FOR_ITEM}`,
	) {
		super([problems].flat().join('; '));
		this.name = 'InvalidValues';
	}
}

/**
 * What the user filled in for an operation, checked: the values by field name, and what is wrong with them, in one pass
 * over the fields in the order of their table. A field whose condition does not hold is not read, as the form hides it; an
 * empty one is left out, unless the operation cannot do without it.
 */
export function readRequest(operation: Operation, read: ReadParameter) {
	const { controls = [], fields, fixed } = operation;
	const added = Object(read(ADDITIONAL_FIELDS, {})) as Values;
	const values: Record<string, unknown> = { ...fixed };
	const problems = Object.keys(added)
		.filter((name) => !fields.some((field) => field.name === name))
		.map((name) => `${name} is not a field of this operation`);
	for (const field of [...controls, ...fields]) {
		const { name, place, when } = field;
		if (!holds(when, withDefaults(operation, values))) continue;
		const given = own(added, name) ?? (place === 'more' ? undefined : read(name, ''));
		const { value, broken } = valueOf(operation, field, given);
		if (broken !== undefined) problems.push(broken);
		else if (value !== undefined) values[name] = value;
	}
	return { values: values as Values, problems };
}

/** What is sent of a value, or the rule that it breaks, as a sentence. */
function valueOf(
	operation: Operation,
	field: Field,
	given: unknown,
): { value?: unknown; broken?: string } {
	// An empty text removes what the service has.
	const isUpdate = operation.method === 'PUT' && field.property.type === 'string';
	if (isUpdate && typeof given === 'string') return { value: given };
	const { value, broken } = isFilled(given) ? field.read(given) : { value: undefined };
	if (broken) return { broken: `${fullNameOf(field)} ${broken}${whatItIs(field, value, broken)}` };
	const parts = isPayload(field) ? Object.values(Object(value)) : [value];
	return parts.some(isFilled) ? { value } : { broken: missing(operation, field, given) };
}

/** Why there has to be a value; an empty text or list leaves out what may be left out. */
function missing({ kind }: Operation, field: Field, given: unknown): string | undefined {
	const { place } = field;
	if (place === 'required') return `${nameOf(field)} is empty`;
	// If it were left out, the service's own default would apply.
	if (place === 'always')
		return `${fullNameOf(field)} is empty, so the service would choose: enter a value, or correct the expression`;
	const entries = [given].flat(2);
	const isLost = entries.length > 0 && entries.every((one) => one === null || one === undefined);
	return place === 'optional' && kind === 'create' && isLost
		? `${fullNameOf(field)} is an expression that returns nothing, so the job would be made without it: correct the expression, or let it return an empty text`
		: undefined;
}

const SHOWN_CHARACTERS = 60;

/** The value that breaks a rule, after the rule: how many it has, or its start. */
function whatItIs({ file, property }: Field, value: unknown, rule: string): string {
	if (property.typeOptions?.password || !rule.startsWith('must ')) return '';
	const isCounted = typeof value === 'string' || Array.isArray(value);
	if (isCounted && rule.startsWith('must have')) return `, but has ${[...value].length}`;
	const characters = [...jsonOf(value, file !== undefined)];
	const start = characters.slice(0, SHOWN_CHARACTERS).join('');
	return start && `, but is ${start}${characters.length > SHOWN_CHARACTERS ? '…' : ''}`;
}

/**
 * A value as JSON; empty for what has none, such as a function or an object that is in itself.
 *
 * @param hasAddresses which may have a password or a signature in them
 */
function jsonOf(value: unknown, hasAddresses: boolean): string {
	const shown = (_: string, part: unknown) =>
		hasAddresses && typeof part === 'string' ? shownAddress(part) : part;
	try {
		return JSON.stringify(value, shown) ?? '';
	} catch {
		return '';
	}
}

/** A place in a path that says which operation it is. */
const OPERATION = 'operation';

/**
 * The request of an operation from checked values: path fields into the path, the others into the query of a GET or the
 * body of a POST or PUT. Fields that the user names are sent as fields of their own, and do not replace the others.
 *
 * The document does not say how a request names its operation and the earlier job (section "Music catalog"): the
 * operation goes into the path, if that has a place for it, or else into the body; a name in the credential takes
 * precedence over our own.
 *
 * @param path as documented or set in the credential, placeholders included
 * @throws ServiceError when a value in the path is not an identifier; nothing is sent
 */
export function buildRequest(
	operation: Operation,
	path: string,
	values: Values,
	service: Pick<Service, 'field'>,
): ServiceRequest {
	const { method, fields, operation: id } = operation;
	const named: Record<string, unknown> = { ...operation.fixed };
	const free: Record<string, unknown> = {};
	const secrets: string[] = [];
	for (const field of fields.filter(({ name }) => values[name] !== undefined)) {
		const { name, sentAs, property } = field;
		const value = values[name];
		if (property.typeOptions?.password) secrets.push(String(value));
		if (isPayload(field)) Object.assign(free, value);
		else if (sentAs !== 'path') named[(sentAs && service.field(sentAs.openPoint)) ?? name] = value;
	}
	if (operation.kind === 'create' && operation.operationIn && !path.includes(`{${OPERATION}}`)) {
		named[service.field(operation.operationIn) ?? OPERATION] = id;
	}
	const sent = { ...free, ...named };
	return {
		method,
		path: fillPath(path, { ...withDefaults(operation, values), [OPERATION]: id }),
		...(secrets.length > 0 && { secrets }),
		...(method !== 'GET' && { body: sent }),
		...(method === 'GET' && Object.keys(sent).length > 0 && { query: sent }),
	};
}

/** How many entries of a list are asked for at once. */
export const PAGE_SIZE = 100;

/** The request for one page of a list, or for the whole list where the document shows no paging. */
export function pageRequest(
	{ method, path, isPaged }: ListOperation,
	limit: number,
	offset = 0,
): ServiceRequest {
	const query = isPaged && { limit, ...(offset > 0 && { offset }) };
	return { method, path: String(path), query };
}

/**
 * Puts values into the places of a path, encoded so that none can leave its segment. A place of another name is that of
 * the job's identifier: the name differs from route to route.
 *
 * @throws ServiceError when a value is not an identifier; nothing is sent
 */
const fillPath = (path: string, values: Values): string =>
	path.replace(/\{(\w+)\}/g, (_, name: string) =>
		encodeId(String(own(values, name) ?? values[JOB_ID_FIELD] ?? '')),
	);

/** The path of a job's state; `undefined` where it has no place for an identifier, or the value is none. */
export function pathWithId(path: string, id: string): string | undefined {
	try {
		const filled = fillPath(path, { [JOB_ID_FIELD]: id });
		return filled === path ? undefined : filled;
	} catch {
		return undefined;
	}
}

/** Whether a value would change the path although encoding leaves it as it is. */
export const isDotSegment = (value: string) => ['', '.', '..'].includes(value);

function encodeId(value: string): string {
	if (!isDotSegment(value)) return encodeURIComponent(value);
	throw new ServiceError({
		message: `"${value}" is not an identifier`,
		description: 'It cannot be used in an address of the service. Nothing was sent.',
		outcome: 'notSent',
	});
}
