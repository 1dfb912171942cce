import {
	NodeHelpers,
	type IDataObject,
	type INode,
	type INodeProperties,
	type NodeParameterValue,
} from 'n8n-workflow';

import { nodeType, parametersOf, type Kind } from '../../support/product.mts';
import type { Values } from './cases.mts';

/** The form of an operation, read from the description of its node as n8n reads it. */

export interface Operation {
	kind: Kind;
	resource: string;
	operation: string;
	/** Fields of the service that the form has. */
	fields?: ReadonlyArray<{ name: string }>;
}

/** The parameter for fields that the document does not show. */
export const FREE_FIELDS = 'payload';

const COLLECTION = 'additionalFields';

const nodeOf = (kind: Kind): INode => {
	const { name } = nodeType(kind).description;
	const type = `n8n-nodes-mediagen.${name}`;
	return { id: '1', name: 'MediaGen', type, typeVersion: 1, position: [0, 0], parameters: {} };
};

export interface Place {
	property: INodeProperties;
	/** Name of the collection that it is in. */
	inside?: string;
}

/** Conditions that choose the operation; all others depend on what is filled in. */
const CHOOSING = ['resource', 'operation'];

const plain = (name: string) => name.replace(/^\//, '');

function belongs(
	{ displayOptions: { show = {}, hide = {} } = {} }: INodeProperties,
	to: Operation,
) {
	const chosen: Record<string, NodeParameterValue> = {
		resource: to.resource,
		operation: to.operation,
	};
	const holds = (conditions: typeof show) => (name: string) =>
		NodeHelpers.checkConditions(conditions[name] ?? [], [chosen[plain(name)]!]);
	const choosing = (conditions: typeof show) =>
		Object.keys(conditions).filter((name) => CHOOSING.includes(plain(name)));
	return !show['@tool'] && choosing(show).every(holds(show)) && !choosing(hide).some(holds(hide));
}

/** All properties of that name that the operation has; several where the form calls it by two labels. */
export function placesOf(operation: Operation, name: string): Place[] {
	const own = nodeType(operation.kind).description.properties.filter((one) =>
		belongs(one, operation),
	);
	const nested = own
		.filter((one) => one.name === COLLECTION)
		.flatMap(({ options = [] }) => options as INodeProperties[])
		.filter((one) => belongs(one, operation));
	return [
		...own.filter((one) => one.name === name).map((property) => ({ property })),
		...nested
			.filter((one) => one.name === name)
			.map((property) => ({ property, inside: COLLECTION })),
	];
}

/** What the property shows it under, besides resource and operation. */
export const shownWith = ({ displayOptions: { show = {} } = {} }: INodeProperties) =>
	Object.fromEntries(
		Object.entries(show)
			.filter(([name]) => !CHOOSING.includes(plain(name)) && !name.startsWith('@'))
			.map(([name, values]) => [plain(name), values as unknown[]]),
	);

/** A value as it is typed into the form: lists are lines. */
const typed = ({ name }: INodeProperties, value: unknown): IDataObject => ({
	[name]: (Array.isArray(value) ? value.join('\n') : value) as string,
});

/** The parameters of a saved node with these values of the service's fields, and what has to be chosen for them. */
export function savedWith(operation: Operation, values: Values, free?: object): IDataObject {
	const { resource, operation: id, fields = [] } = operation;
	const saved: IDataObject = { resource, operation: id };
	const all = { ...values, ...(free && { [FREE_FIELDS]: JSON.stringify(free) }) };
	for (const [name, value] of Object.entries(all)) {
		const [place] = placesOf(operation, name);
		if (!place) throw new Error(`The form has no ${name}`);
		const { property, inside } = place;
		const parameters = typed(property, value);
		if (inside) saved[inside] = { ...(saved[inside] as IDataObject), ...parameters };
		else Object.assign(saved, parameters);
		for (const [control, [first]] of Object.entries(shownWith(property))) {
			const isField = fields.some((field) => field.name === control);
			if (!isField && !(control in all)) saved[control] ??= first as string;
		}
	}
	return saved;
}

/** What n8n hands to the node. */
export const handedOver = ({ kind }: Pick<Operation, 'kind'>, saved: IDataObject): IDataObject =>
	parametersOf(kind, saved, nodeOf(kind));

/** The texts of the notices that the panel shows while it is filled in like this. */
export function noticesIn({ kind }: Operation, saved: IDataObject): INodeProperties[] {
	const { description } = nodeType(kind);
	const values = handedOver({ kind }, saved);
	return description.properties.filter(
		(property) =>
			property.type === 'notice' &&
			NodeHelpers.displayParameter(values as never, property, nodeOf(kind), description),
	);
}
