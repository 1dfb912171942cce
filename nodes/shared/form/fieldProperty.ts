import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import {
	isUpFront,
	JSON_MODE,
	modeName,
	OTHER,
	otherName,
	PAIRS,
	pairsName,
} from '../parameters/names';
import { isNumeric } from '../spec/conditions';
import type { CreateOperation, Field, Value } from '../spec/types';
import { describeField, describeOption } from './describe';

/**
 * The form properties of one field of the service: one; two where the set of values is open (a dropdown
 * of the known values, and a text that shows when "Other" is chosen); three where the document shows no
 * fields at all.
 *
 * @param operation the creation whose price the descriptions state
 */
export function fieldProperties(field: Field, operation?: CreateOperation): INodeProperties[] {
	if (field.type === 'fields') return freeFieldsProperties(field);
	const { label, name, placeholder, pickedFrom } = field;
	const property: INodeProperties = {
		displayName: label,
		name,
		...control(field, operation),
		...(placeholder === undefined || pickedFrom ? {} : { placeholder: `e.g. ${placeholder}` }),
		...(isRequired(field) ? { required: true } : {}),
		description: describeField(field, operation),
	};
	return field.openValues ? [property, otherProperty(field)] : [property];
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

function control(field: Field, operation?: CreateOperation): Control {
	const start = startValue(field);
	if (field.pickedFrom) return locator(field, start);
	switch (field.type) {
		case 'toggle':
			return { type: 'boolean', default: start };
		case 'select':
			return { type: 'options', default: start, options: entries(field, operation) };
		case 'number':
		case 'integer':
			return { type: 'number', default: start, typeOptions: numberOptions(field) };
		case 'textarea':
			return { type: 'string', default: start, typeOptions: { rows: 4 } };
		case 'urlList':
			// One text rather than n8n's list of texts, which cannot show an expression for the whole list.
			return { type: 'string', default: '', typeOptions: { rows: 2 } };
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

function entries(field: Field, operation?: CreateOperation): INodePropertyOptions[] {
	const known = (field.options ?? []).map((option) => {
		const description = describeOption(field, option, operation);
		return {
			name: option.label ?? String(option.value),
			value: option.value,
			...(description ? { description } : {}),
		};
	});
	const other = { name: 'Other', value: OTHER };
	return field.openValues ? [...known, other] : known;
}

function numberOptions({ type, min, max, step }: Field): INodeProperties['typeOptions'] {
	return {
		...(min === undefined ? {} : { minValue: min }),
		...(max === undefined ? {} : { maxValue: max }),
		...(step === undefined ? {} : { numberStepSize: step }),
		...(type === 'integer' ? { numberPrecision: 0 } : {}),
	};
}

function otherProperty(field: Field): INodeProperties {
	return {
		displayName: `Other ${field.label}`,
		name: otherName(field),
		type: 'string',
		default: '',
		description: 'As the service writes it',
		displayOptions: { show: { [field.name]: [OTHER] } },
	};
}

/** Name/value pairs, or a JSON object, whose parameter has the field's own name. */
function freeFieldsProperties(field: Field): INodeProperties[] {
	const { name, label, description } = field;
	return [
		{
			displayName: `Specify ${label}`,
			name: modeName(field),
			type: 'options',
			options: [
				{ name: 'Name/Value Pairs', value: PAIRS },
				{ name: 'JSON', value: JSON_MODE },
			],
			default: PAIRS,
			description,
		},
		{
			displayName: label,
			name: pairsName(field),
			type: 'fixedCollection',
			typeOptions: { multipleValues: true },
			placeholder: 'Add Field',
			default: {},
			options: [
				{
					displayName: 'Fields',
					name: 'fields',
					values: [
						{ displayName: 'Name', name: 'name', type: 'string', default: '' },
						{
							displayName: 'Value',
							name: 'value',
							type: 'string',
							default: '',
							description: 'A text; an expression may give a number, a list or true',
						},
					],
				},
			],
			displayOptions: { show: { [modeName(field)]: [PAIRS] } },
		},
		{
			displayName: `${label} (JSON)`,
			name,
			type: 'json',
			default: '{}',
			displayOptions: { show: { [modeName(field)]: [JSON_MODE] } },
		},
	];
}
