import type { Catalog, CreateOperation, EstimateOperation, Resource } from './types';

export const PRICE: Resource = {
	value: 'price',
	label: 'Price',
	description: 'What a job would cost; nothing is sent',
};

/** Field that names the planned operation. */
export const PLANNED_OPERATION = 'plannedOperation';

/** Name of a planned operation, such as `vidA31.generate`. */
export const plannedName = ({ resource, operation }: CreateOperation) => `${resource}.${operation}`;

/** The price of any creation of the catalogs, from their tables. */
export function estimatePrice(catalogs: readonly Catalog[]): EstimateOperation {
	const planned = catalogs.flatMap(({ operations }) => operations.filter(isCreation));
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
				description: 'The operation whose price you want to know',
				options: planned.map((operation) => ({
					value: plannedName(operation),
					label: operation.action,
				})),
			},
		],
	};
}

function isCreation(operation: Catalog['operations'][number]): operation is CreateOperation {
	return operation.kind === 'create';
}
