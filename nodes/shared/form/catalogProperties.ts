import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { ROLE_PROPERTY } from './durableRole';
import type { Catalog, Operation } from '../spec/types';
import { describePrice } from './describe';
import { operationProperties, startsJob } from './operationProperties';

/** The whole form of a node: resource, operation, and the fields of each operation. */
export function catalogProperties(catalog: Catalog): INodeProperties[] {
	return [
		resourceProperty(catalog),
		...catalog.resources.map(({ value }) => operationProperty(catalog, value)),
		...catalog.operations.flatMap(operationProperties),
		...(catalog.operations.some(startsJob) ? [ROLE_PROPERTY] : []),
	];
}

function resourceProperty({ resources }: Catalog): INodeProperties {
	const first = resources[0]?.value ?? '';
	return {
		displayName: 'Resource',
		name: 'resource',
		type: 'options',
		noDataExpression: true,
		options: resources.map(({ value, label, description }) => ({
			name: label,
			value,
			...(description ? { description } : {}),
		})),
		default: first,
	};
}

function operationProperty({ operations }: Catalog, resource: string): INodeProperties {
	const own = operations.filter((operation) => operation.resource === resource);
	const first = own[0]?.operation ?? '';
	return {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [resource] } },
		options: own.map(operationEntry),
		default: first,
	};
}

function operationEntry(operation: Operation): INodePropertyOptions {
	const { label, operation: value, action, description } = operation;
	const price = operation.kind === 'create' ? ` (${describePrice(operation.price)})` : '';
	return { name: label, value, action, description: `${description}${price}` };
}
