import type { IDisplayOptions, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { Catalog, Operation, Resource } from '../spec/operation';
import { ROLE_PARAMETER } from './names';
import { operationProperties } from './operation';

/** The whole form of a node: resource, operation, and the fields of each operation. */
export function nodeProperties(catalog: Catalog): INodeProperties[] {
	const { resources, operations } = catalog;
	const forms = operations.map((operation) => ({
		operation,
		properties: operationProperties(operation),
	}));
	return [
		chooser(
			'Resource',
			'resource',
			resources.map(({ label, value, description }) => ({ name: label, value, description })),
		),
		...resources.map((resource) => operationProperty(operations, resource)),
		...mergeProperties(forms),
		// A copy, since n8n adds to what it is given.
		...(operations.some(({ kind }) => kind === 'create') ? [{ ...ROLE_PROPERTY }] : []),
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

/** What the form shows for an operation, in order, without the condition that the operation is chosen. */
interface Form {
	operation: Chosen;
	properties: readonly INodeProperties[];
}

type Chosen = Pick<Operation, 'resource' | 'operation'>;

/** Puts conditions before the property's own, since n8n checks no more once a parameter is an expression. */
const showFirst = (
	property: INodeProperties,
	show: NonNullable<IDisplayOptions['show']>,
): INodeProperties => ({
	...property,
	displayOptions: {
		...property.displayOptions,
		show: { ...show, ...property.displayOptions?.show },
	},
});

/**
 * The forms of all operations as one list that keeps the order of each. Properties that several forms
 * share are listed once if the order allows: n8n keeps the list in memory and sends it to every editor.
 */
function mergeProperties(forms: readonly Form[]): INodeProperties[] {
	const all: Array<{ property: INodeProperties; key: string; operations: Chosen[] }> = [];
	for (const { operation, properties } of forms) {
		let next = 0;
		for (const property of properties) {
			const key = JSON.stringify(property);
			const found = all.findIndex((one, index) => index >= next && one.key === key);
			if (found < 0) all.splice(next, 0, { property, key, operations: [operation] });
			else all[found]?.operations.push(operation);
			next = Math.max(found, next) + 1;
		}
	}
	const everyOne = forms.map(({ operation }) => operation);
	return all.flatMap(({ property, operations }) => shownFor(property, operations, everyOne));
}

/**
 * The property once for each group of resources that one condition can name without including an
 * operation that lacks it. The condition may name pairs that do not exist, of one resource with the
 * operation of another.
 */
function shownFor(
	property: INodeProperties,
	own: readonly Chosen[],
	all: readonly Chosen[],
): INodeProperties[] {
	if (own.length === all.length) return [property];
	const meet = ({ resource, operation }: Choices) =>
		all.filter((one) => resource.includes(one.resource) && operation.includes(one.operation));
	const groups: Chosen[][] = [];
	for (const resource of new Set(own.map((one) => one.resource))) {
		const more = own.filter((one) => one.resource === resource);
		const fits = (group: Chosen[]) =>
			meet(conditionsOn([...group, ...more])).every((one) => own.includes(one));
		const group = groups.find(fits);
		if (group) group.push(...more);
		else groups.push(more);
	}
	return groups.map((group) => {
		const { resource, operation } = conditionsOn(group);
		const isWhole = all
			.filter((one) => resource.includes(one.resource))
			.every((one) => group.includes(one));
		return showFirst(property, isWhole ? { resource } : { resource, operation });
	});
}

type Choices = Record<'resource' | 'operation', string[]>;

const conditionsOn = (chosen: readonly Chosen[]): Choices => ({
	resource: [...new Set(chosen.map(({ resource }) => resource))],
	operation: [...new Set(chosen.map(({ operation }) => operation))],
});
