import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { ROLE_PARAMETER, TOOL_DESCRIPTION } from '../parameters/names';
import { startsJob } from '../spec/jobs';
import type { Catalog, CreateOperation, Operation, Resource } from '../spec/types';
import { type Form, IN_TOOLS, mergeProperties, showFirst } from './displayConditions';
import { operationForm } from './operationProperties';
import { priceInWords } from './prices';

/** The whole form of a node: resource, operation, and the fields of each operation. */
export function catalogProperties(catalog: Catalog): INodeProperties[] {
	return [
		...toolDescriptions(catalog),
		resourceProperty(catalog),
		...catalog.resources.map((resource) => operationProperty(catalog, resource)),
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

/** A dropdown at the top of the form. It takes no expression, and starts with the first option. */
function chooser(
	displayName: string,
	name: string,
	options: INodePropertyOptions[],
): INodeProperties {
	const first = options[0]?.value ?? '';
	return { displayName, name, type: 'options', noDataExpression: true, options, default: first };
}

const resourceProperty = ({ resources }: Catalog): INodeProperties =>
	chooser(
		'Resource',
		'resource',
		resources.map(({ label, value, description }) => ({ name: label, value, description })),
	);

function operationProperty({ operations }: Catalog, { value }: Resource): INodeProperties {
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
 * What an agent's model is told about the node: one text for each creation that is known to cost
 * something. It shows only in the form of a tool, where a person can change it. For other operations it
 * is empty: n8n then uses the action, which has no prices or values, but will do.
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
	operation.kind === 'create' && operation.price.shown && priceInWords(operation) !== 'free';

/** Added where the text is empty, so that n8n uses the action. */
const ACTION_WORDS = {
	description: 'What the tool does and when to use it; while empty, the name of the operation',
};

/** What a creation does and what it costs, in one sentence. */
export function describeForModel(operation: CreateOperation): string {
	return `${operation.description}; costs ${priceInWords(operation)}.`;
}
