import type { INodeProperties } from 'n8n-workflow';

import type { Operation } from '../spec/types';
import { showFirst } from './displayConditions';

/** What shows while an operation is chosen, in its order; without conditions on what is chosen. */
export interface Form<T extends Chosen = Chosen> {
	operation: T;
	properties: readonly INodeProperties[];
}

type Chosen = Pick<Operation, 'resource' | 'operation'>;

/** A property for some of all operations, under the condition that one of them is chosen. */
type Shown<T> = (
	property: INodeProperties,
	own: readonly T[],
	all: readonly T[],
) => INodeProperties[];

/**
 * The forms of all operations as one list that keeps the order of each. What is the same in several
 * is there once where the order lets it: n8n keeps the list in memory and sends it to every editor.
 */
export function mergeProperties<T extends Chosen>(
	forms: ReadonlyArray<Form<T>>,
	shown: Shown<T> = shownFor,
): INodeProperties[] {
	const all: Array<{ property: INodeProperties; key: string; operations: T[] }> = [];
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
	return all.flatMap(({ property, operations }) => shown(property, operations, everyOne));
}

/**
 * Once for as many resources as one condition can name without any operation that lacks the property.
 * It may name pairs that there are not, such as an operation of another resource.
 */
function shownFor(
	property: INodeProperties,
	own: readonly Chosen[],
	all: readonly Chosen[],
): INodeProperties[] {
	if (own.length === all.length) return [property];
	const meet = ({ resource, operation }: Conditions) =>
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
	return groups.map((group) => showFirst(property, conditionsOn(group)));
}

type Conditions = Record<'resource' | 'operation', string[]>;

const conditionsOn = (chosen: readonly Chosen[]): Conditions => ({
	resource: [...new Set(chosen.map(({ resource }) => resource))],
	operation: [...new Set(chosen.map(({ operation }) => operation))],
});
