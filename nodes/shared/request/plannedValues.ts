import { ADDITIONAL_FIELDS } from '../form/operationProperties';
import { isOwn, own, type Values } from '../spec/conditions';
import type { CreateOperation, Field } from '../spec/types';
import { jsonIn, readValues, type ReadParameter } from './readValues';
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
		name === ADDITIONAL_FIELDS ? given : (own(given, name) ?? fallback);
	const free = operation.fields
		.filter(({ name, type }) => type === 'fields' && isOwn(given, name))
		.map(({ name }) => [name, jsonIn(given[name])]);
	const values = {
		...readValues({ ...operation, fields: named }, read),
		...Object.fromEntries(free),
	} as Values;

	const lenient: CreateOperation = {
		...operation,
		fields: operation.fields.map(optional),
		rules: operation.rules?.filter(({ kind }) => kind === 'after'),
	};
	const takesAny = named.length < operation.fields.length;
	const names = new Set([
		...operation.fields.map(({ name }) => name),
		...Object.keys(operation.fixed ?? {}),
	]);
	const checked = Object.entries(values).filter(([name]) => !takesAny || names.has(name));
	return { values, problems: validate(lenient, Object.fromEntries(checked)) };
}

const optional = (field: Field): Field => ({
	...field,
	presence: 'optional',
	requiredWhen: undefined,
});
