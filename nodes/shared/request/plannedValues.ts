import { ADDITIONAL_FIELDS } from '../form/operationProperties';
import { withDefaults, type Values } from '../spec/conditions';
import type { CreateOperation, Field } from '../spec/types';
import { readValues, type ReadParameter } from './readValues';
import { validate, type Problem } from './validate';

/**
 * What is given of a planned request, and what is wrong with it. Nothing has to be given: what is
 * missing makes a price inexact, not wrong.
 *
 * @param given values by field name, as the user typed them
 */
export function readPlanned(
	operation: CreateOperation,
	given: Values,
): { values: Values; problems: Problem[] } {
	const named = operation.fields.filter(({ type }) => type !== 'fields');
	const read: ReadParameter = (name, fallback) =>
		name === ADDITIONAL_FIELDS ? given : (given[name] ?? fallback);
	const values = readValues({ ...operation, fields: named }, read);

	const request = withDefaults(operation, values);
	const lenient: CreateOperation = {
		...operation,
		fields: named.map((field) => optional(field, request)),
		rules: operation.rules?.filter(({ kind }) => kind === 'after'),
	};
	const takesAny = named.length < operation.fields.length;
	const names = new Set([...named.map(({ name }) => name), ...Object.keys(operation.fixed ?? {})]);
	const checked = Object.entries(values).filter(([name]) => !takesAny || names.has(name));
	return { values, problems: validate(lenient, Object.fromEntries(checked)) };
}

/** A condition on a field that is not given is neither met nor broken. */
function optional({ appliesWhen, ...field }: Field, request: Values): Field {
	const isDecided = Object.keys(appliesWhen ?? {}).every((name) => name in request);
	return {
		...field,
		presence: 'optional',
		requiredWhen: undefined,
		...(isDecided ? { appliesWhen } : {}),
	};
}
