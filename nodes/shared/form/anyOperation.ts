import type { INodeProperties } from 'n8n-workflow';

import { MAPPED_FIELDS } from '../parameters/names';
import { OPERATION_ID } from '../spec/music/catalog';

/** Names of the methods of the node that fill the form from the catalog. */
const OPERATIONS_METHOD = 'getCatalogOperations';
const FIELDS_METHOD = 'getCatalogFields';

/** An operation of the catalog, and a form that is built from its field descriptors. */
export const ANY_OPERATION_PROPERTIES: INodeProperties[] = [
	{
		displayName: 'Operation Name or ID',
		name: OPERATION_ID,
		type: 'options',
		typeOptions: { loadOptionsMethod: OPERATIONS_METHOD, loadOptionsDependsOn: ['language'] },
		default: '',
		required: true,
		description:
			'Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
	},
	{
		displayName: 'Fields',
		name: MAPPED_FIELDS,
		type: 'resourceMapper',
		default: { mappingMode: 'defineBelow', value: null },
		noDataExpression: true,
		typeOptions: {
			loadOptionsDependsOn: [OPERATION_ID, 'language'],
			resourceMapper: {
				resourceMapperMethod: FIELDS_METHOD,
				mode: 'add',
				fieldWords: { singular: 'field', plural: 'fields' },
				addAllFields: false,
				supportAutoMap: false,
				noFieldsError: 'This operation has no fields',
			},
		},
	},
];
