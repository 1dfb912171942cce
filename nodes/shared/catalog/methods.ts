import type {
	FieldType,
	ILoadOptionsFunctions,
	INodePropertyOptions,
	ResourceMapperField,
	ResourceMapperFields,
} from 'n8n-workflow';

import { openService } from '../service/service';
import { DEFAULT_LANGUAGE, OPERATION_ID } from '../spec/music/catalog';
import { describePrice } from '../spec/price';
import type { Field } from '../spec/types';
import { loadCatalog } from './liveCatalog';

/** The operations of the catalog, for the dropdown of "Run Any Operation". */
export async function getCatalogOperations(
	this: ILoadOptionsFunctions,
): Promise<INodePropertyOptions[]> {
	const { operations } = await catalogOf(this);
	return operations.map(({ operation, label, description, price }) => ({
		name: label,
		value: operation,
		description: `${description} (${describePrice(price)})`,
	}));
}

/** The fields of the chosen operation, for its form. */
export async function getCatalogFields(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	const { operations } = await catalogOf(this);
	const id = this.getCurrentNodeParameter(OPERATION_ID);
	const operation = operations.find((candidate) => candidate.operation === id);
	return { fields: (operation?.fields ?? []).map(toMapperField) };
}

async function catalogOf(context: ILoadOptionsFunctions) {
	const language = context.getCurrentNodeParameter('language') || DEFAULT_LANGUAGE;
	return await loadCatalog(await openService(context), String(language));
}

/** Controls by type; the others are texts. */
const CONTROLS: Partial<Record<Field['type'], FieldType>> = {
	toggle: 'boolean',
	select: 'options',
	number: 'number',
	integer: 'number',
};

function toMapperField(field: Field): ResourceMapperField {
	const { name, label, type, presence, options = [] } = field;
	return {
		id: name,
		// Only the label: the editor cuts longer texts off, and has no place for help.
		displayName: label,
		required: presence === 'required',
		display: true,
		defaultMatch: false,
		canBeUsedToMatch: false,
		removed: presence !== 'required',
		type: CONTROLS[type] ?? 'string',
		...(type === 'select'
			? {
					options: options.map((option) => ({
						name: option.label ?? String(option.value),
						value: option.value,
					})),
				}
			: {}),
		...(field.default === undefined ? {} : { defaultValue: field.default }),
	};
}
