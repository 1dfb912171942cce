import { startValue } from '../../../nodes/shared/form/fieldProperty.ts';
import { ADDITIONAL_FIELDS, isUpFront, pairsName } from '../../../nodes/shared/parameters/names.ts';
import { allows, holds, withDefaults, type Values } from '../../../nodes/shared/spec/conditions.ts';
import type { Field, Operation } from '../../../nodes/shared/spec/types.ts';
import { isCreation } from './nodeTable.mts';

export type Parameters = Record<string, unknown>;

/** A small, valid example of an operation: the fields that it needs and those that it always sends. */
export function exampleOf(operation: Operation): Parameters {
	const fields = fieldsOf(operation);
	const needed = operation.fields.filter((field) => isNeeded(field, operation));
	const shown = needed.length > 0 || operation.method === 'GET' ? needed : fields;
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

/** The fields that an operation can have: values that the operation sets itself rule some out. */
export const fieldsOf = ({ fields, fixed = {} }: Operation): Field[] =>
	fields.filter(({ appliesWhen, requiredWhen }) =>
		Object.entries({ ...appliesWhen, ...requiredWhen }).every(
			([name, allowed]) => !(name in fixed) || allows(allowed, fixed[name]),
		),
	);

/** Whether the operation's own values make a field required that is otherwise required only at times. */
export const isFixedRequired = ({ requiredWhen }: Field, { fixed = {} }: Operation): boolean =>
	requiredWhen !== undefined && holds(requiredWhen, fixed);

const isRequired = ({ presence }: Field) => presence === 'required';

function isNeeded(field: Field, operation: Operation): boolean {
	if (!fieldsOf(operation).includes(field)) return false;
	const begun = startOf(operation);
	if (field.appliesWhen && !holds(field.appliesWhen, begun)) return false;
	return (
		field.presence !== 'optional' ||
		isFixedRequired(field, operation) ||
		(isCreation(operation) && isAskedFor(field, operation, begun))
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
	return field.type === 'fields'
		? [pairsName(field), { fields: [{ name: 'name_of_the_field', value: 'its value' }] }]
		: [field.name, valueOf(field)];
}

function valueOf(field: Field): unknown {
	const { start, default: byDefault, placeholder, type, presence, warning } = field;
	// An example must not publish anything.
	if (warning !== undefined) return false;
	if (['text', 'textarea', 'url', 'urlList', 'source'].includes(type)) {
		return start || byDefault || placeholder || field.label;
	}
	// Nobody adds an optional switch to leave it off.
	if (type === 'toggle' && presence === 'optional') return true;
	return startValue(field) ?? Number(placeholder);
}
