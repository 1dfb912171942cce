import type { INodeProperties } from 'n8n-workflow';

import { TOOL_DESCRIPTION } from '../parameters/names';
import { isUpFront } from '../parameters/fields';
import type { Catalog, CreateOperation, Field, Operation } from '../spec/types';
import { capitalized, describeValues } from './describe';
import { mergeProperties, type Form } from './mergeProperties';
import { FREE, priceInWords } from './priceInWords';

/** Met in the form of a node that is an agent's tool. */
export const IN_TOOLS = { '@tool': [true] };

/**
 * What an agent's model is told about the node, in the form of a tool alone, where a person can change
 * it: one text for each creation that is known to cost something. Of the others n8n has a good one of
 * its own where there is none, the action; it lacks prices and values.
 */
export function toolDescriptions({ operations }: Catalog): INodeProperties[] {
	const forms = operations.map((operation): Form => {
		const text = hasPrice(operation) ? describeForModel(operation) : '';
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

const hasPrice = (operation: Operation): operation is CreateOperation =>
	operation.kind === 'create' && operation.price.shown && priceInWords(operation) !== FREE;

/** Where the action stands for the text. */
const ACTION_WORDS = {
	description: 'What the tool does and when to use it; while empty, the name of the operation',
};

/** What a creation does, what it costs, and the values that it takes. */
export function describeForModel(operation: CreateOperation): string {
	const { description, inShort = description, fields, fixed = {} } = operation;
	const open = fields.filter((field) => isUpFront(field) && !(field.name in fixed));
	const sentences = [
		capitalized(inShort),
		`Costs ${priceInWords(operation)}`,
		...open.flatMap(valuesInWords),
	];
	return sentences.map((sentence) => `${sentence}.`).join(' ');
}

/** The values that a model could not guess. */
function valuesInWords(field: Field): string[] {
	const { label, type, min, max } = field;
	if (type === 'select') return [`${label}: ${describeValues(field)}`];
	const isBounded = (type === 'number' || type === 'integer') && min !== undefined;
	return isBounded && max !== undefined ? [`${label}: ${min} to ${max}`] : [];
}
