import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { startsJob } from '../spec/jobs';
import type { Catalog, Operation, Resource } from '../spec/operation';
import { priceInWords } from '../spec/price';
import { type Form, mergeProperties, showFirst } from './merge';
import { ROLE_PARAMETER, TOOL_DESCRIPTION } from './names';
import { IN_TOOLS, operationProperties } from './operation';

/** The whole form of a node: resource, operation, and the fields of each operation. */
export function nodeProperties(catalog: Catalog): INodeProperties[] {
	const { resources, operations } = catalog;
	const forms = operations.map((operation) => ({
		operation,
		properties: operationProperties(operation),
	}));
	return [
		...toolDescriptions(catalog),
		chooser(
			'Resource',
			'resource',
			resources.map(({ label, value, description }) => ({ name: label, value, description })),
		),
		...resources.map((resource) => operationProperty(operations, resource)),
		...mergeProperties(forms),
		// A copy, since n8n adds to what it is given.
		...(operations.some(startsJob) ? [{ ...ROLE_PROPERTY }] : []),
	];
}

const ROLE_PROPERTY: INodeProperties = {
	displayName: 'Durable Role',
	name: ROLE_PARAMETER,
	type: 'hidden',
	default: '',
};

/** A dropdown at the top of the form. It takes no expression, and starts with the first option. */
function chooser(
	displayName: string,
	name: string,
	options: INodePropertyOptions[],
): INodeProperties {
	const first = options[0]?.value ?? '';
	return { displayName, name, type: 'options', noDataExpression: true, options, default: first };
}

function operationProperty(operations: readonly Operation[], { value }: Resource): INodeProperties {
	const entries = operations
		.filter(({ resource }) => resource === value)
		.map(({ label, operation, action, description }) => ({
			name: label,
			value: operation,
			action,
			description,
		}));
	return showFirst(chooser('Operation', 'operation', entries), { resource: [value] });
}

/**
 * What an agent's model is told about the node: one text for each creation that is known to cost something. It shows only
 * in the form of a tool, where a person can change it. For other operations it is empty: n8n then uses the action, which
 * has no prices or values, but will do.
 */
function toolDescriptions({ operations }: Catalog): INodeProperties[] {
	const forms = operations.map((operation): Form => {
		const text = describeForModel(operation);
		const property: INodeProperties = {
			displayName: 'Description',
			name: TOOL_DESCRIPTION,
			type: 'string',
			typeOptions: { rows: 4 },
			default: text,
			...(text === '' ? ACTION_WORDS : {}),
			displayOptions: { show: IN_TOOLS },
		};
		return { operation, properties: [property] };
	});
	return mergeProperties(forms);
}

/** Added where the text is empty, so that n8n uses the action. */
const ACTION_WORDS = {
	description: 'What the tool does and when to use it; while empty, the name of the operation',
};

/** What a creation does and what it costs, in one sentence; empty where nothing is known to be paid. */
function describeForModel(operation: Operation): string {
	const price = operation.kind === 'create' ? priceInWords(operation) : undefined;
	return price === undefined || price === 'free' ? '' : `${operation.description}; costs ${price}.`;
}
