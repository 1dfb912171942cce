import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';

import { allows } from '../spec/conditions';
import type { Field, ListOperation, Operation, RateCondition } from '../spec/types';
import { ANY_OPERATION_PROPERTIES } from './anyOperation';
import { fieldProperties } from './fieldProperty';
import { createOptions, FOLLOW_OPTIONS, STATUS_OPTIONS, WAIT_FOR_COMPLETION } from './waiting';

/** Name of the collection that holds the optional fields. */
export const ADDITIONAL_FIELDS = 'additionalFields';

/** Switch of a list that pages through everything. */
export const RETURN_ALL = 'returnAll';

/** The default of n8n's own nodes. */
export const DEFAULT_LIMIT = 50;

/** All form properties of one operation, shown only while it is chosen. */
export function operationProperties(operation: Operation): INodeProperties[] {
	const { resource, operation: name } = operation;
	const shown = (property: INodeProperties) =>
		showWhen(property, { resource: [resource], operation: [name] });

	const create = operation.kind === 'create' ? operation : undefined;
	const paging = operation.kind === 'list' ? operation.paging : undefined;
	const fields = operation.fields.filter(({ name: field }) => field !== paging?.limit);
	const properties = (field: Field, root: string) =>
		conditional(field, fieldProperties(field, create), operation, root);
	const upFront = fields.filter(isUpFront).flatMap((field) => properties(field, ''));
	const optional = fields
		.filter((field) => !isUpFront(field))
		.flatMap((field) => properties(field, '/'));

	return [
		...upFront,
		...(paging ? pagingProperties(operation as ListOperation, paging.limit) : []),
		...(operation.kind === 'any' ? ANY_OPERATION_PROPERTIES : []),
		...(startsJob(operation) ? [WAIT_FOR_COMPLETION] : []),
		...(optional.length > 0 ? [additionalFields(optional)] : []),
		...optionsOf(operation),
	].map(shown);
}

/** Whether it may start a job. */
export const startsJob = ({ kind }: Operation) => kind === 'create' || kind === 'any';

/** Whether the form shows the field at top level; the others are in `additionalFields`. */
export function isUpFront(field: Field): boolean {
	return field.presence !== 'optional' || field.requiredWhen !== undefined;
}

function showWhen(property: INodeProperties, show: IDisplayOptions['show']): INodeProperties {
	const { displayOptions } = property;
	return {
		...property,
		displayOptions: { ...displayOptions, show: { ...displayOptions?.show, ...show } },
	};
}

/**
 * A field that means something only under a condition shows only then. What the operation fixes
 * is decided here: its other conditions never hold, and it needs no field to hang on.
 *
 * @param root where the field finds those that it depends on: `/` from inside a collection
 */
function conditional(
	field: Field,
	properties: INodeProperties[],
	{ fixed = {} }: Operation,
	root: string,
): INodeProperties[] {
	const conditions: Array<[string, Allowed]> = Object.entries({
		...field.appliesWhen,
		...field.requiredWhen,
	});
	const isFixed = ([name]: [string, Allowed]) => name in fixed;
	if (conditions.filter(isFixed).some(([name, values]) => !allows(values, fixed[name]))) return [];
	const open = conditions.filter((condition) => !isFixed(condition));
	if (open.length === 0) return properties;
	const show = Object.fromEntries(
		open.map(([name, allowed]) => [`${root}${name}`, shows(allowed)]),
	);
	return properties.map((property) => showWhen(property, show));
}

type Allowed = RateCondition[string];

/** A condition of the tables as n8n's form has it. */
function shows(allowed: Allowed): NonNullable<IDisplayOptions['show']>[string] {
	return 'not' in allowed ? allowed.not.map((value) => ({ _cnd: { not: value } })) : [...allowed];
}

function additionalFields(optional: INodeProperties[]): INodeProperties {
	return {
		displayName: 'Additional Fields',
		name: ADDITIONAL_FIELDS,
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		options: optional,
	};
}

function pagingProperties(operation: ListOperation, limitName: string): INodeProperties[] {
	const limit = operation.fields.find(({ name }) => name === limitName) as Field;
	return [
		{
			displayName: 'Return All',
			name: RETURN_ALL,
			type: 'boolean',
			default: false,
			description: 'Whether to return all results or only up to a given limit',
		},
		...fieldProperties({ ...limit, min: 1, default: DEFAULT_LIMIT }).map((property) =>
			showWhen(property, { [RETURN_ALL]: [false] }),
		),
	];
}

function optionsOf(operation: Operation): INodeProperties[] {
	if (operation.kind === 'create') return [createOptions(operation.mediaType === 'audio')];
	if (operation.kind === 'any') return [createOptions(true)];
	if (operation.kind === 'status') return [operation.follow ? FOLLOW_OPTIONS : STATUS_OPTIONS];
	return [];
}
