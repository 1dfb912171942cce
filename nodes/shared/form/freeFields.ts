import type { INodeProperties } from 'n8n-workflow';

import { JSON_MODE, modeName, PAIRS, pairsName } from '../parameters/fields';
import type { Field } from '../spec/types';

/** Name and value pairs, or a JSON object; the latter has the field's own name. */
export function freeFieldsProperties(field: Field): INodeProperties[] {
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
						{
							displayName: 'Name',
							name: 'name',
							type: 'string',
							default: '',
						},
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
