import type { INodeProperties } from 'n8n-workflow';

import { ADDITIONAL_FIELDS, DEFAULT_LIMIT, isUpFront, RETURN_ALL } from '../parameters/names';
import { fieldNamed } from '../spec/conditions';
import { startsJob } from '../spec/jobs';
import type { Field, Operation } from '../spec/types';
import { conditionsOf, type Form, showWhen } from './displayConditions';
import { fieldProperty } from './fieldProperty';
import { priceLine } from './prices';
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
	const upFront = [...controls, ...fields.filter(isUpFront)].map((field) => conditional(field, ''));
	const added = fields.filter((field) => !isUpFront(field)).sort(byLabel);

	const properties = [
		...upFront,
		...(paging ? pagingProperties(operation, paging.limit) : []),
		...(create ? priceLine(create) : []),
		...waitingProperties(operation),
		...(added.length > 0 ? [additionalFields(added)] : []),
		...optionsOf(operation),
	];
	return { operation, properties };
}

/** The order of n8n's own collections. All operations have it, so that the form has what they share once. */
const byLabel = (one: Field, other: Field) => one.label.localeCompare(other.label);

/**
 * The property of a field, shown only under the field's conditions.
 *
 * @param root comes before the names of the fields that it depends on: `/` from inside a collection
 */
function conditional(field: Field, root: string): INodeProperties {
	const { appliesWhen, requiredWhen, showWhen: shownWhen } = field;
	const conditions = conditionsOf({ ...appliesWhen, ...requiredWhen, ...shownWhen }, root);
	const property = fieldProperty(field);
	return Object.keys(conditions).length === 0 ? property : showWhen(property, conditions);
}

function additionalFields(added: readonly Field[]): INodeProperties {
	return {
		displayName: 'Additional Fields',
		name: ADDITIONAL_FIELDS,
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		options: added.map((field) => conditional(field, '/')),
	};
}

function pagingProperties(operation: Operation, limitName: string): INodeProperties[] {
	const limit = fieldNamed(operation, limitName) as Field;
	return [
		switchProperty(RETURN_ALL),
		showWhen(fieldProperty({ ...limit, min: 1, default: DEFAULT_LIMIT }), {
			[RETURN_ALL]: [false],
		}),
	];
}

function optionsOf(operation: Operation): INodeProperties[] {
	if (startsJob(operation)) return [CREATE_OPTIONS];
	if (operation.kind === 'recover') return [RECOVER_OPTIONS];
	if (operation.kind === 'status') return [operation.follow ? FOLLOW_OPTIONS : STATUS_OPTIONS];
	return [];
}
