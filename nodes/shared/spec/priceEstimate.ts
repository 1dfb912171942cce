import type { Catalog, CreateOperation, EstimateOperation, Resource } from './types';

export const PRICE: Resource = {
	value: 'price',
	label: 'Price',
	description: 'What a job would cost; nothing is sent',
};

/** Field that names the planned operation. */
export const PLANNED_OPERATION = 'plannedOperation';

/** Field that has the values of the planned request. */
export const PLANNED_FIELDS = 'plannedFields';

/** Name of a planned operation, such as `vidA31.generate`. */
export const plannedName = ({ resource, operation }: CreateOperation) => `${resource}.${operation}`;

/** The price of any creation of the catalogs, from their tables. */
export function estimatePrice(catalogs: readonly Catalog[]): EstimateOperation {
	const planned = catalogs.flatMap(({ operations }) => operations.filter(isCreation));
	const resources = catalogs.flatMap((catalog) => catalog.resources);
	const labelOf = (name: string) => resources.find(({ value }) => value === name)?.label ?? name;
	return {
		kind: 'estimate',
		resource: PRICE.value,
		operation: 'estimate',
		label: 'Estimate',
		action: 'Estimate the price of a job',
		description: 'Work out what a job would cost, without a request to the service',
		method: 'GET',
		path: '',
		planned,
		fields: [
			{
				name: PLANNED_OPERATION,
				label: 'Planned Operation',
				type: 'select',
				presence: 'required',
				description: 'The operation whose price is wanted',
				options: planned.map((operation) => ({
					value: plannedName(operation),
					label: `${labelOf(operation.resource)}: ${operation.label}`,
				})),
			},
			{
				name: PLANNED_FIELDS,
				label: 'Planned Fields',
				type: 'fields',
				presence: 'expected',
				description:
					'Fields of the planned job that decide its price, such as its model or its length; the others may be left out',
			},
		],
	};
}

function isCreation(operation: Catalog['operations'][number]): operation is CreateOperation {
	return operation.kind === 'create';
}
