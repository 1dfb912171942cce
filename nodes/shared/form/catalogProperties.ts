import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { ROLE_PARAMETER } from '../parameters/names';
import { listInWords } from '../spec/conditions';
import { inCredits } from '../spec/credits';
import { startsJob } from '../spec/kinds';
import type { Catalog, CreateOperation, Operation, Resource } from '../spec/types';
import { mergeProperties } from './mergeProperties';
import { pathNotices } from './notices';
import { operationForm } from './operationProperties';
import { rangeOf } from './priceBoxes';
import { priceInWords } from './priceInWords';
import { toolDescriptions } from './toolDescription';

/** The whole form of a node: resource, operation, and the fields of each operation. */
export function catalogProperties(catalog: Catalog): INodeProperties[] {
	return [
		...toolDescriptions(catalog),
		resourceProperty(catalog),
		...catalog.resources.map(({ value }) => operationProperty(catalog, value)),
		...pathNotices(catalog),
		...mergeProperties(catalog.operations.map(operationForm)),
		...(catalog.operations.some(startsJob) ? [ROLE_PROPERTY] : []),
	];
}

const ROLE_PROPERTY: INodeProperties = {
	displayName: 'Durable Role',
	name: ROLE_PARAMETER,
	type: 'hidden',
	default: '',
};

function resourceProperty(catalog: Catalog): INodeProperties {
	const { resources } = catalog;
	const first = resources[0]?.value ?? '';
	return {
		displayName: 'Resource',
		name: 'resource',
		type: 'options',
		noDataExpression: true,
		options: resources.map((resource) => ({
			name: resource.label,
			value: resource.value,
			description: describeResource(catalog, resource),
		})),
		default: first,
	};
}

/** What a resource is, how long its results are, and what its jobs cost. */
function describeResource({ operations }: Catalog, { value, description = '' }: Resource): string {
	const creations = operations.filter(
		(operation): operation is CreateOperation =>
			operation.kind === 'create' && operation.resource === value,
	);
	const { low, high } = rangeOf(creations);
	const price = low === undefined ? '' : inCredits(low, high);
	return [description, lengthInWords(creations), price].filter(Boolean).join(', ');
}

/** `3 to 15 s`, `5 or 10 s`; empty where one does not choose it. */
function lengthInWords(creations: readonly CreateOperation[]): string {
	const field = creations.flatMap(({ fields }) => fields).find(({ length }) => length);
	if (!field) return '';
	const { options, min, max } = field;
	return `${options ? listInWords(options.map(({ value }) => value)) : `${min} to ${max}`} s`;
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
	const price = operation.kind === 'create' ? ` (${priceInWords(operation)})` : '';
	return { name: label, value, action, description: `${description}${price}` };
}
