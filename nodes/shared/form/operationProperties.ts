import type { INodeProperties } from 'n8n-workflow';

import { ADDITIONAL_FIELDS, DEFAULT_LIMIT, isUpFront, RETURN_ALL } from '../parameters/names';
import { allows, fieldNamed } from '../spec/conditions';
import { startsJob } from '../spec/jobs';
import type { Field, Operation, RateCondition } from '../spec/types';
import { conditionsOf, EXPRESSION, type Form, showWhen } from './displayConditions';
import { fieldProperties } from './fieldProperty';
import { noticesBelow, pathNotices, priceNotices } from './notices';
import { formValues } from './prices';
import {
	CREATE_OPTIONS,
	FOLLOW_OPTIONS,
	RECOVER_OPTIONS,
	STATUS_OPTIONS,
	switchProperty,
	waitingProperties,
} from './waiting';

/** All form properties of one operation, without the condition that it is chosen. */
export function operationForm(operation: Operation): Form {
	const { controls = [] } = operation;
	const create = operation.kind === 'create' ? operation : undefined;
	const paging = operation.kind === 'list' ? operation.paging : undefined;
	const fields = operation.fields.filter(({ name: field }) => field !== paging?.limit);
	const below = (field: Field) => (create ? noticesBelow(field, create) : []);
	const upFront = [...controls, ...fields.filter(isUpFront)].flatMap((field) => [
		...conditional(field, operation, ''),
		...below(field),
	]);
	const added = fields.filter((field) => !isUpFront(field)).sort(byLabel);
	const optional = added.flatMap((field) => conditional(field, operation, '/'));

	const properties = [
		...upFront,
		...(paging ? pagingProperties(operation, paging.limit) : []),
		...(create ? priceNotices(create) : []),
		...pathNotices(operation),
		...waitingProperties(operation),
		...(optional.length > 0 ? [additionalFields(optional)] : []),
		// Below the collection, which cannot hold notices.
		...added.flatMap(below),
		...optionsOf(operation),
	];
	return { operation, properties };
}

/** The order of n8n's own collections. All operations have it, so that the form has what they share once. */
const byLabel = (one: Field, other: Field) => one.label.localeCompare(other.label);

/**
 * The properties of a field, shown only under the field's conditions. Conditions on a value that the
 * operation fixes are decided here: one that holds is dropped, one that does not leaves no properties.
 *
 * @param root comes before the names of the fields that it depends on: `/` from inside a collection
 */
function conditional(field: Field, operation: Operation, root: string): INodeProperties[] {
	const create = operation.kind === 'create' ? operation : undefined;
	const { fixed = {} } = operation;
	const conditions: Array<[string, Allowed]> = Object.entries({
		...field.appliesWhen,
		...field.requiredWhen,
		...field.showWhen,
	});
	const isFixed = ([name]: [string, Allowed]) => name in fixed;
	if (conditions.filter(isFixed).some(([name, values]) => !allows(values, fixed[name]))) return [];
	const open = conditions.filter((condition) => !isFixed(condition));
	const properties = fieldProperties(field, create).map((property) => {
		if (open.length === 0) return property;
		return field.as
			? hideUnless(property, open, operation)
			: showWhen(property, conditionsOf(Object.fromEntries(open), root));
	});
	if (!field.as) return properties;
	const { when, ...words } = field.as;
	const others = fieldProperties({ ...field, ...words }).map((property) =>
		showWhen(property, conditionsOf(when, root)),
	);
	return [...properties, ...others];
}

type Allowed = RateCondition[string];

/**
 * Hides this wording of a field under all other values, and for an expression: the other wording shows
 * for an expression, and n8n would show both.
 */
function hideUnless(
	property: INodeProperties,
	conditions: ReadonlyArray<[string, Allowed]>,
	operation: Operation,
): INodeProperties {
	const hide = Object.fromEntries(
		conditions.map(([name, allowed]) => {
			const field = fieldNamed(operation, name) as Field;
			return [name, [...formValues(field).filter((value) => !allows(allowed, value)), EXPRESSION]];
		}),
	);
	return { ...property, displayOptions: { hide } };
}

function additionalFields(optional: INodeProperties[]): INodeProperties {
	return {
		displayName: 'Additional Fields',
		name: ADDITIONAL_FIELDS,
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		options: optional,
		builderHint: {
			propertyHint: 'Only what is added is sent. A default is what the editor begins with then.',
		},
	};
}

function pagingProperties(operation: Operation, limitName: string): INodeProperties[] {
	const limit = fieldNamed(operation, limitName) as Field;
	return [
		switchProperty(RETURN_ALL),
		...fieldProperties({ ...limit, min: 1, default: DEFAULT_LIMIT }).map((property) =>
			showWhen(property, { [RETURN_ALL]: [false] }),
		),
	];
}

function optionsOf(operation: Operation): INodeProperties[] {
	if (startsJob(operation)) return [CREATE_OPTIONS];
	if (operation.kind === 'recover') return [RECOVER_OPTIONS];
	if (operation.kind === 'status') return [operation.follow ? FOLLOW_OPTIONS : STATUS_OPTIONS];
	return [];
}
