import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { ROLE_PARAMETER, TOOL_DESCRIPTION } from '../parameters/names';
import { capitalized, listInWords } from '../spec/conditions';
import { startsJob } from '../spec/jobs';
import { inCredits } from '../spec/price';
import type { Catalog, CreateOperation, Operation, Resource } from '../spec/types';
import { type Form, IN_TOOLS, mergeProperties, showFirst } from './displayConditions';
import { NEEDS_ADDRESS, neededPaths } from './notices';
import { operationForm } from './operationProperties';
import { FREE, priceInWords, rangeOf } from './prices';

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

function resourceProperty(catalog: Catalog): INodeProperties {
	const options = catalog.resources.map((resource) => ({
		name: resource.label,
		value: resource.value,
		description: describeResource(catalog, resource),
	}));
	return chooser('Resource', 'resource', options);
}

/** What a resource is, what its jobs are made from, which choices there are, what they cost and need. */
function describeResource(catalog: Catalog, { value, description = '' }: Resource): string {
	const operations = catalog.operations.filter(({ resource }) => resource === value);
	const creations = operations.filter(
		(operation): operation is CreateOperation => operation.kind === 'create',
	);
	const { low, high } = rangeOf(creations);
	const price = low === undefined ? '' : high === 0 ? FREE : inCredits(low, high);
	const facts = [
		description,
		fromInWords(creations),
		lengthInWords(creations),
		resolutionInWords(creations),
		toldField(creations, 'sound') ? 'with or without sound' : '',
		price,
	];
	const sentence = facts.filter(Boolean).join(', ');
	return needsAddress(operations) ? `${sentence}. ${NEEDS_ADDRESS}` : sentence;
}

/** Whether none of the operations works without a path that the document does not show. */
const needsAddress = (operations: readonly Operation[]) =>
	operations.every((operation) => neededPaths(operation).length > 0);

/** `from text or images`; empty where the document does not say what a request holds. */
function fromInWords(creations: readonly CreateOperation[]): string {
	const told = creations.filter(({ price }) => price.shown).flatMap(({ from }) => from ?? []);
	return told.length === 0 ? '' : `from ${listInWords([...new Set(told)])}`;
}

type Told = 'length' | 'resolution' | 'sound';

const toldField = (creations: readonly CreateOperation[], what: Told) =>
	creations.flatMap(({ fields }) => fields).find((field) => field[what]);

/** `480p or 720p`; empty where it cannot be chosen. */
const resolutionInWords = (creations: readonly CreateOperation[]) =>
	listInWords((toldField(creations, 'resolution')?.options ?? []).map(({ value }) => value));

/** `3 to 15 s`, `5 or 10 s`; empty where it cannot be chosen. */
function lengthInWords(creations: readonly CreateOperation[]): string {
	const field = toldField(creations, 'length');
	if (!field) return '';
	const { options, min, max } = field;
	return `${options ? listInWords(options.map(({ value }) => value)) : `${min} to ${max}`} s`;
}

function operationProperty({ operations }: Catalog, { value }: Resource): INodeProperties {
	const own = operations.filter(({ resource }) => resource === value);
	// If all operations need an address, the resource says so instead.
	const isTold = needsAddress(own);
	const entries = own.map((operation) => {
		const needs = !isTold && neededPaths(operation).length > 0 ? `. ${NEEDS_ADDRESS}` : '';
		return {
			name: operation.label,
			value: operation.operation,
			action: operation.action,
			description: `${operationInWords(operation)}${needs}`,
		};
	});
	return showFirst(chooser('Operation', 'operation', entries), { resource: [value] });
}

/** What an operation does, and what its jobs cost. */
export function operationInWords(operation: Operation): string {
	const price = operation.kind === 'create' ? ` (${priceInWords(operation)})` : '';
	return `${operation.description}${price}`;
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
	operation.kind === 'create' && operation.price.shown && priceInWords(operation) !== FREE;

/** Added where the text is empty, so that n8n uses the action. */
const ACTION_WORDS = {
	description: 'What the tool does and when to use it; while empty, the name of the operation',
};

/** What a creation does and what it costs, in one sentence. */
export function describeForModel(operation: CreateOperation): string {
	const { description, inShort = description } = operation;
	return `${capitalized(inShort)}; costs ${priceInWords(operation)}.`;
}
