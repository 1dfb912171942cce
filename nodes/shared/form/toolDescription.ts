import type { INodeProperties } from 'n8n-workflow';

import { listInWords } from '../spec/conditions';
import type { Catalog, CreateOperation, Field, MediaType, Operation } from '../spec/types';
import { capitalized } from './describe';
import { FREE, priceInWords } from './priceInWords';
import { isUpFront } from './upFront';

/** Under this name n8n looks for what it tells a model about a tool; it adds a field of its own otherwise. */
export const TOOL_DESCRIPTION = 'toolDescription';

/** Met in the form of a node that is an agent's tool. */
export const IN_TOOLS = { '@tool': [true] };

/**
 * What an agent's model is told about the node, in the form of a tool alone: one text for each
 * operation, which a person can change. n8n's own is the operation's action, without prices and values.
 */
export function toolDescriptions({ operations }: Catalog): INodeProperties[] {
	return operations.map((operation) => ({
		displayName: 'Description',
		name: TOOL_DESCRIPTION,
		type: 'string',
		typeOptions: { rows: 4 },
		default: describeForModel(operation),
		required: true,
		placeholder: 'e.g. Make an image. Costs 8 credits. Only when the user asks for one.',
		description: 'What the model knows about this tool: what it does and when to use it',
		displayOptions: {
			show: { ...IN_TOOLS, resource: [operation.resource], operation: [operation.operation] },
		},
	}));
}

/** What an operation does; of a creation what it costs, the values that it takes, and what it answers. */
export function describeForModel(operation: Operation): string {
	const sentences = [capitalized(operation.description)];
	if (operation.kind === 'create') {
		const { mediaType, fields, fixed = {} } = operation;
		const open = fields.filter((field) => isUpFront(field) && !(field.name in fixed));
		sentences.push(costs(operation), ...open.flatMap(valuesInWords), answer(mediaType));
	}
	return sentences.map((sentence) => `${sentence}.`).join(' ');
}

function costs(operation: CreateOperation): string {
	const words = priceInWords(operation);
	return operation.price.shown && words !== FREE ? `Costs ${words}` : capitalized(words);
}

/** The values that a model could not guess. */
function valuesInWords({ label, type, options = [], openValues, min, max }: Field): string[] {
	if (type === 'select') {
		const values = listInWords(options.map(({ value }) => value));
		return [`${label}: ${values}${openValues ? ', or another' : ''}`];
	}
	const isBounded = (type === 'number' || type === 'integer') && min !== undefined;
	return isBounded && max !== undefined ? [`${label}: ${min} to ${max}`] : [];
}

function answer(mediaType?: MediaType): string {
	if (mediaType === undefined) return 'Returns mediaUrl, a URL, or result, a text';
	if (mediaType === 'text') return 'Returns result';
	return `Returns mediaUrl, the URL of the finished ${mediaType}`;
}
