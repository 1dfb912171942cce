import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { CreateOperation, Field } from '../spec/types';
import { describeField, describeOption } from './describe';
import { freeFieldsProperties } from './freeFields';

/** Value of the dropdown entry that opens a text field for a value that is not listed. */
export const OTHER = '__other__';

/** Name of that text field. */
export const otherName = (field: Field) => `${field.name}Other`;

/**
 * The form properties of one field of the service: one, or two where the set of values is open
 * (a dropdown of the known values, and a text that shows when "Other" is chosen), three where the
 * document shows no fields at all.
 *
 * @param operation the creation whose price the descriptions state
 */
export function fieldProperties(field: Field, operation?: CreateOperation): INodeProperties[] {
	if (field.type === 'fields') return freeFieldsProperties(field);
	const property: INodeProperties = {
		displayName: field.label,
		name: field.name,
		...control(field, operation),
		...(field.presence === 'required' || field.requiredWhen ? { required: true } : {}),
		description: describeField(field, operation),
	};
	return field.openValues ? [property, otherProperty(field)] : [property];
}

type Control = Pick<INodeProperties, 'type' | 'default' | 'typeOptions' | 'options'>;

function control(field: Field, operation?: CreateOperation): Control {
	switch (field.type) {
		case 'toggle':
			return { type: 'boolean', default: field.default ?? false };
		case 'select':
			return { type: 'options', default: firstValue(field), options: entries(field, operation) };
		case 'number':
		case 'integer':
			return {
				type: 'number',
				default: field.default ?? field.min ?? 0,
				typeOptions: numberOptions(field),
			};
		case 'textarea':
			return { type: 'string', default: field.default ?? '', typeOptions: { rows: 4 } };
		case 'urlList':
			// One text rather than n8n's list of texts: that cannot show an expression for the whole list.
			return { type: 'string', default: '', typeOptions: { rows: 2 } };
		case 'upload':
			return {
				type: 'string',
				default: field.presence === 'required' ? binaryProperty(field) : '',
			};
		default:
			return {
				type: 'string',
				default: field.default ?? '',
				...(field.secret ? { typeOptions: { password: true } } : {}),
			};
	}
}

/** `upload` is looked for in `data`, where n8n puts a file, `upload2` in `data2`. */
const binaryProperty = ({ name }: Field) => `data${name.replace(/^.*\D/, '')}`;

function firstValue(field: Field) {
	return field.default ?? field.options?.[0]?.value ?? '';
}

function entries(field: Field, operation?: CreateOperation): INodePropertyOptions[] {
	const known = (field.options ?? []).map((option) => {
		const description = describeOption(field, option, operation);
		return {
			name: option.label ?? String(option.value),
			value: option.value,
			...(description ? { description } : {}),
		};
	});
	const other = { name: 'Other', value: OTHER, description: 'A value that is not listed here' };
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
		description: `${field.label} as the service names it; sent as it stands`,
		displayOptions: { show: { [field.name]: [OTHER] } },
	};
}
