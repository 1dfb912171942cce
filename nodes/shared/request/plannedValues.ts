import { otherName } from '../parameters/fields';
import { ADDITIONAL_FIELDS } from '../parameters/names';
import type { Values } from '../spec/conditions';
import { undecided, decidingFields } from '../spec/price';
import type { CreateOperation, Field } from '../spec/types';
import { readValues, type ReadParameter } from './readValues';
import { validate, type Problem } from './validate';

/**
 * What decides the price of a planned request, and what is wrong with it. Nothing has to be given:
 * what is missing makes a price inexact, not wrong.
 *
 * @param read the parameters of the form, in which all fields stand at top level
 * @returns `planned` is the operation for whose price the values are
 */
export function readPlanned(
	operation: CreateOperation,
	read: ReadParameter,
): { planned: CreateOperation; values: Values; problems: Problem[] } {
	const fields = decidingFields(undecided(operation)).map(optional);
	const given = Object.fromEntries(
		fields
			.flatMap((field) => [field.name, otherName(field)])
			.map((name) => [name, read(name, undefined) ?? undefined] as const),
	);
	const planned: CreateOperation = { ...operation, fields, rules: [] };
	const values = readValues(planned, (name, fallback) =>
		name === ADDITIONAL_FIELDS ? given : fallback,
	);
	return { planned, values, problems: validate(planned, values) };
}

const optional = (field: Field): Field => ({
	...field,
	presence: 'optional',
	upFront: false,
	requiredWhen: undefined,
	appliesWhen: undefined,
	warning: undefined,
});
