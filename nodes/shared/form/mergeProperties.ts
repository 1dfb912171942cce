import type { INodeProperties } from 'n8n-workflow';

import type { Operation } from '../spec/types';
import { inForm, rectangles, type Chosen, type Rectangle } from './rectangles';

/** What shows under one choice, in its order; without conditions on what is chosen. */
export interface Form {
	chosen: Chosen;
	properties: readonly INodeProperties[];
}

/** Where a person finds an operation. */
export const chosenOf = ({ resource, operation }: Operation): Chosen => ({ resource, operation });

/** Puts the conditions on what is chosen to a property. */
type Condition = (
	property: INodeProperties,
	conditions: Rectangle,
	all: readonly Form[],
) => INodeProperties;

/**
 * The forms of all choices as one list: what is the same in several of them is there once, shown in
 * each. n8n keeps the list in memory and sends it to every editor.
 */
export function mergeProperties(
	forms: readonly Form[],
	condition: Condition = shownWhere(''),
): INodeProperties[] {
	return commonOrder(forms).flatMap(({ uses }) =>
		rectangles(uses, forms).map(({ conditions, members }) =>
			condition(merged(members), conditions, forms),
		),
	);
}

/** A property as one form has it. */
interface Use {
	chosen: Chosen;
	property: INodeProperties;
}

/** A property, as all forms that have it. */
interface Shared {
	key: string;
	uses: readonly Use[];
}

/** The properties of all forms, in an order that keeps that of each form: the shortest of some. */
function commonOrder(forms: readonly Form[]): Shared[] {
	const lists = forms
		.map(({ properties, chosen }) =>
			properties.map((property) => ({ key: keyOf(property), uses: [{ chosen, property }] })),
		)
		.sort((one, other) => other.length - one.length);
	const [shortest = []] = lists
		.map((first) => [first, ...lists.filter((list) => list !== first)])
		.map((ordered) => ordered.reduce<Shared[]>(interleaved, []))
		.sort((one, other) => sizeOf(one) - sizeOf(other));
	return shortest;
}

const sizeOf = (all: readonly Shared[]) => all.reduce((sum, { key }) => sum + key.length, 0);

/** Collections are the same whatever is in them: their entries have conditions of their own. */
function keyOf(property: INodeProperties): string {
	return JSON.stringify(isCollection(property) ? { ...property, options: undefined } : property);
}

/** Of several entries: n8n has a button instead of a list where there is one. */
const isCollection = ({ type, options = [] }: INodeProperties) =>
	type === 'collection' && options.length > 1;

/** The shortest list that has both in their order, with what they share once. */
function interleaved(first: readonly Shared[], second: readonly Shared[]): Shared[] {
	const shared = sizeShared(first, second);
	const all: Shared[] = [];
	let [left, right] = [0, 0];
	while (left < first.length || right < second.length) {
		const [one, other] = [first[left], second[right]];
		if (one && other && one.key === other.key) {
			all.push({ ...one, uses: [...one.uses, ...other.uses] });
			left += 1;
			right += 1;
		} else if (one && (!other || shared(left + 1, right) >= shared(left, right + 1))) {
			all.push(one);
			left += 1;
		} else if (other) {
			all.push(other);
			right += 1;
		}
	}
	return all;
}

/** How many characters the ends of two lists can share in their order, by where the ends begin. */
function sizeShared(first: readonly Shared[], second: readonly Shared[]) {
	const width = second.length + 1;
	const sizes = new Uint32Array((first.length + 1) * width);
	const from = (left: number, right: number) => sizes[left * width + right] ?? 0;
	for (let left = first.length - 1; left >= 0; left -= 1) {
		for (let right = second.length - 1; right >= 0; right -= 1) {
			const key = first[left]?.key ?? '';
			sizes[left * width + right] =
				key === second[right]?.key
					? from(left + 1, right + 1) + key.length
					: Math.max(from(left + 1, right), from(left, right + 1));
		}
	}
	return from;
}

/** One property for all its uses: a collection has the entries of each. */
function merged(uses: readonly Use[]): INodeProperties {
	const [{ property }] = uses as [Use];
	if (!isCollection(property)) return property;
	const inside = uses.map(({ property: { options = [] }, chosen }) => ({
		chosen,
		properties: options as INodeProperties[],
	}));
	return { ...property, options: mergeProperties(inside, shownWhere('/')) };
}

/**
 * Shows a property for what is chosen, or hides it for the rest where that is less to say. It stands
 * before its other conditions: n8n looks no further where one of them is an expression.
 *
 * @param root where a property finds what is chosen: `/` from inside a collection
 */
export function shownWhere(root: '' | '/'): Condition {
	const atRoot = (conditions: Rectangle) =>
		Object.fromEntries(
			Object.entries(conditions).map(([name, values]) => [`${root}${name}`, [...values]]),
		);
	return ({ displayOptions: { show: own, hide } = {}, ...rest }, conditions, all) => {
		const chosen = inForm(conditions, all, own === undefined);
		const displayOptions = {
			...given('show', { ...atRoot(chosen.show), ...own }),
			...given('hide', { ...atRoot(chosen.hide), ...hide }),
		};
		return { ...rest, ...given('displayOptions', displayOptions) };
	};
}

const given = (name: string, value: object = {}) =>
	Object.keys(value).length > 0 ? { [name]: value } : {};
