import { startValue } from '../../../nodes/shared/form/fieldProperty.ts';
import { ADDITIONAL_FIELDS, isUpFront } from '../../../nodes/shared/parameters/names.ts';
import { holds, withDefaults, type Values } from '../../../nodes/shared/spec/conditions.ts';
import type { Field, Operation } from '../../../nodes/shared/spec/operation.ts';
import { isCreation } from './nodeTable.mts';

export type Parameters = Record<string, unknown>;

/** A small, valid example of an operation: the fields that it needs and those that it always sends. */
export function exampleOf(operation: Operation): Parameters {
	const needed = operation.fields.filter((field) => isNeeded(field, operation));
	const shown = needed.length > 0 || operation.method === 'GET' ? needed : operation.fields;
	const additional = shown.filter((field) => !isUpFront(field));
	return {
		resource: operation.resource,
		operation: operation.operation,
		...Object.fromEntries(shown.filter(isUpFront).map(entryOf)),
		...Object.fromEntries((operation.controls ?? []).filter(isRequired).map(entryOf)),
		...(additional.length > 0
			? { [ADDITIONAL_FIELDS]: Object.fromEntries(additional.map(entryOf)) }
			: {}),
	};
}

const isRequired = ({ presence }: Field) => presence === 'required';

function isNeeded(field: Field, operation: Operation): boolean {
	const begun = startOf(operation);
	if (field.appliesWhen && !holds(field.appliesWhen, begun)) return false;
	return (
		field.presence !== 'optional' || (isCreation(operation) && isAskedFor(field, operation, begun))
	);
}

/** The request with the form's initial values. */
const startOf = (operation: Operation): Values =>
	withDefaults(
		operation,
		Object.fromEntries(
			operation.fields
				.filter(({ presence }) => presence !== 'optional')
				.map((field) => [field.name, startValue(field)]),
		),
	);

/** Whether a rule of the operation asks for the field. If a rule needs only one of several fields, the first counts. */
function isAskedFor({ name }: Field, { rules = [] }: Operation, begun: Values): boolean {
	const first = rules.flatMap((rule) =>
		'fields' in rule && holds(rule.when, begun) ? rule.fields.slice(0, 1) : [],
	);
	return (
		first.includes(name) ||
		rules.some((rule) => rule.kind === 'with' && rule.field === name && first.includes(rule.given))
	);
}

function entryOf(field: Field): [name: string, value: unknown] {
	return [
		field.name,
		field.type === 'fields' ? '{ "name_of_the_field": "its value" }' : valueOf(field),
	];
}

function valueOf(field: Field): unknown {
	const { start, default: byDefault, placeholder, type, presence } = field;
	if (['text', 'textarea', 'url', 'urlList', 'source'].includes(type)) {
		return start || byDefault || placeholder?.replace(/^data or /, '') || field.label;
	}
	// Nobody adds an optional switch to leave it off.
	if (type === 'toggle' && presence === 'optional') return true;
	return startValue(field) ?? Number(placeholder);
}
