import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { isUpFront } from '../parameters/names';
import { isNumeric } from '../spec/conditions';
import type { Field, Value } from '../spec/types';
import { describeField } from './describe';

/** What the form has for a field of the service. */
export function fieldProperty(field: Field): INodeProperties {
	const { label, name, type, placeholder, pickedFrom } = field;
	return {
		displayName: type === 'fields' ? `${label} (JSON)` : label,
		name,
		...control(field),
		...(placeholder === undefined || pickedFrom ? {} : { placeholder: `e.g. ${placeholder}` }),
		...(isRequired(field) ? { required: true } : {}),
		description: describeField(field),
	};
}

/**
 * Whether the form marks the field as required. It never does in a collection, where n8n would demand
 * the field for every other operation, too.
 */
function isRequired(field: Field): boolean {
	if (!isUpFront(field)) return false;
	const { presence, requiredWhen } = field;
	return presence === 'required' || requiredWhen !== undefined;
}

/** What the form starts with for a field; null for a required number that only the user knows. */
export function startValue(field: Field): Value | null {
	const { type, options = [], min, presence, start, default: byDefault } = field;
	const first: Partial<Record<Field['type'], Value>> = {
		toggle: false,
		select: options[0]?.value ?? '',
		number: min ?? 0,
		integer: min ?? 0,
		upload: presence === 'required' ? binaryProperty(field) : '',
	};
	const given = start ?? byDefault;
	if (given === undefined && isNumeric(field) && presence === 'required') return null;
	return given ?? first[type] ?? '';
}

type Control = Pick<INodeProperties, 'type' | 'default' | 'typeOptions' | 'options' | 'modes'>;

function control(field: Field): Control {
	const start = startValue(field);
	if (field.pickedFrom) return locator(field, start);
	switch (field.type) {
		case 'toggle':
			return { type: 'boolean', default: start };
		case 'select':
			return { type: 'options', default: start, options: entries(field) };
		case 'number':
		case 'integer':
			return { type: 'number', default: start, typeOptions: numberOptions(field) };
		case 'textarea':
			return { type: 'string', default: start, typeOptions: { rows: 4 } };
		case 'urlList':
			// One text rather than n8n's list of texts, which cannot show an expression for the whole list.
			return { type: 'string', default: '', typeOptions: { rows: 2 } };
		case 'fields':
			return { type: 'json', default: '{}' };
		default:
			return {
				type: 'string',
				default: start,
				...(field.secret ? { typeOptions: { password: true } } : {}),
			};
	}
}

/** A choice from the history, or an ID that a person, an expression or an agent's model enters. */
function locator({ placeholder }: Field, start: Value | null): Control {
	return {
		type: 'resourceLocator',
		default: { mode: 'id', value: start },
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: 'Choose a job…',
				typeOptions: { searchListMethod: 'searchJobs', searchable: true },
			},
			{ displayName: 'By ID', name: 'id', type: 'string', placeholder: `e.g. ${placeholder}` },
		],
	};
}

/** `upload` starts with `data`, where n8n puts a file, and `upload2` with `data2`. */
const binaryProperty = ({ name }: Field) => `data${name.replace(/^.*\D/, '')}`;

const entries = ({ options = [] }: Field): INodePropertyOptions[] =>
	options.map(({ value, label = String(value), help }) => ({
		name: label,
		value,
		...(help === undefined ? {} : { description: help }),
	}));

function numberOptions({ type, min, max, step }: Field): INodeProperties['typeOptions'] {
	return {
		...(min === undefined ? {} : { minValue: min }),
		...(max === undefined ? {} : { maxValue: max }),
		...(step === undefined ? {} : { numberStepSize: step }),
		...(type === 'integer' ? { numberPrecision: 0 } : {}),
	};
}
