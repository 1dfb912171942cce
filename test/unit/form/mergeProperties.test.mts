import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { NodeHelpers, type INodeParameters, type INodeProperties } from 'n8n-workflow';

import { catalogProperties } from '../../../nodes/shared/form/catalogProperties.ts';
import { mergeProperties, type Form } from '../../../nodes/shared/form/displayConditions.ts';
import { operationProperties } from '../../support/operationProperties.mts';
import {
	ACCOUNT_CATALOG,
	IMAGE_CATALOG,
	MUSIC_CATALOG,
	VIDEO_CATALOG,
} from '../../../nodes/shared/spec/catalogs.ts';
import type { Catalog, Operation } from '../../../nodes/shared/spec/operation.ts';
import {
	AN_EXPRESSION,
	combinations,
	nested,
	valuesOf,
	visible,
} from '../../support/formPanel.mts';
import { ALL, sampled } from '../../support/sampled.mts';

/**
 * What several operations share is in a node's form once. Each operation shows what its own properties
 * say, in their order, and n8n stores and reads the same values.
 */

const NODES: Array<[node: string, catalog: Catalog]> = [
	['Image', IMAGE_CATALOG],
	['Video', VIDEO_CATALOG],
	['Music', MUSIC_CATALOG],
	['Account', ACCOUNT_CATALOG],
];

const forms = new Map(NODES.map(([, catalog]) => [catalog, catalogProperties(catalog)]));

/** Before anything is merged. */
const unmerged = new Map(
	NODES.map(([, catalog]) => [
		catalog,
		[
			...forms.get(catalog)!.filter(({ name }) => name === 'resource' || name === 'operation'),
			...catalog.operations.flatMap(operationProperties),
		],
	]),
);

const OPERATIONS = NODES.flatMap(([node, catalog]) =>
	catalog.operations.map(
		(operation) =>
			[`${node}: ${operation.resource}.${operation.operation}`, catalog, operation] as const,
	),
);

/** Not of an operation's own properties. */
const OF_THE_NODE = /^(resource|operation|toolDescription|pathNotice\d*|durableRole)$/;

type Values = Record<string, unknown>;

/** What a person sees of a property and n8n uses of it; of a collection all that it offers. */
function seen(property: INodeProperties, values: Values, asTool: boolean): unknown {
	const { displayOptions: _, ...rest } = property;
	if (property.type !== 'collection') return rest;
	const entries = visible(nested(property), values as INodeParameters, {
		asTool,
		inside: property.name,
	});
	return {
		...rest,
		options: entries.map((entry) => seen(entry, values, asTool)),
		isOneButton: property.options?.length === 1,
	};
}

const panel = (form: readonly INodeProperties[], values: Values, asTool: boolean) =>
	visible(form, values as INodeParameters, { asTool })
		.filter(({ name }) => !OF_THE_NODE.test(name))
		.map((property) => seen(property, values, asTool));

/** Names of the parameters on which properties depend. */
function deciders(form: readonly INodeProperties[]): string[] {
	const all = [...form, ...form.flatMap(nested)];
	const names = all.flatMap(({ displayOptions: { show, hide } = {} }) =>
		Object.keys({ ...show, ...hide }),
	);
	const chosen = ['resource', 'operation', '@tool'];
	return [...new Set(names.map((name) => name.replace(/^\//, '')))].filter(
		(name) => !chosen.includes(name),
	);
}

/** What the form can hold where it makes a difference: one value changed, or two. */
function states(own: readonly INodeProperties[]): Values[] {
	const start = Object.fromEntries(
		own.map(({ name, default: first }) => [name, first] as const).reverse(),
	);
	const lists = deciders(own).map((name) => {
		const place = name.split('.');
		const [outer, inner] = place;
		const property = inner
			? own
					.filter((one) => one.name === outer)
					.flatMap(nested)
					.find((one) => one.name === inner)
			: own.find((one) => one.name === outer && valuesOf(one).length > 0);
		return [name, [...(property ? valuesOf(property) : []), undefined, AN_EXPRESSION]] as const;
	});
	const pairs = lists.flatMap((one, index) =>
		lists.slice(index + 1).flatMap((other) => combinations(Object.fromEntries([one, other]))),
	);
	const changes = [
		{},
		...lists.flatMap((one) => combinations(Object.fromEntries([one]))),
		...sampled(pairs, 6),
	];
	return changes.map((change) => {
		const values: Values = { ...start };
		for (const [name, value] of Object.entries(change)) {
			const [outer = '', inner] = name.split('.');
			values[outer] = inner ? { ...Object(values[outer]), [inner]: value } : value;
		}
		return values;
	});
}

const AS: Array<[kind: string, asTool: boolean]> = [
	['node', false],
	['tool', true],
];

/** Each as a node or as a tool; every night as both. */
const CASES = OPERATIONS.map(
	(operation, index) => [...operation, ALL ? AS : [AS[index % 2]!]] as const,
);

describe.each(CASES)('%s', (_name, catalog, operation: Operation, kinds) => {
	const own = operationProperties(operation);
	const chosen = { resource: operation.resource, operation: operation.operation };
	const form = forms.get(catalog)!;
	// The editor may still hold what was chosen for another operation.
	const others = form.filter(({ name }) => own.every((property) => property.name !== name));
	const left = states(own).map((values, index) => ({
		...(index % 2 === 0 ? {} : filled(others)),
		...values,
	}));
	const all = left.map((values) => ({ ...values, ...chosen }));

	test.each(kinds)('of a %s shows what its own properties say, in their order', (_kind, asTool) => {
		const shown = all.map((values) => panel(form, values, asTool));
		expect(shown).toEqual(all.map((values) => panel(own, values, asTool)));
	});

	test('n8n stores and reads the same values', () => {
		const some = all.filter((_, index) => index % Math.ceil(all.length / 2) === 0);
		const values = [...some, ...some.map((one) => ({ ...filled(own), ...one }))];
		for (const withDefaults of [true, false]) {
			const kept = (properties: INodeProperties[]) =>
				values.map((typed) => parametersIn(properties, typed, withDefaults));
			expect(kept(form)).toEqual(kept(unmerged.get(catalog)!));
		}
	});
});

/** A value for everything, and in collections, too. */
function filled(own: readonly INodeProperties[]): Values {
	return Object.fromEntries(
		own.map((property) => [
			property.name,
			property.type === 'collection' ? filled(nested(property)) : aValue(property),
		]),
	);
}

function aValue({ type, default: start, options = [] }: INodeProperties): unknown {
	if (type === 'boolean') return start !== true;
	if (type === 'number') return 7;
	const [last] = options.slice(-1);
	if (type === 'options' && last && 'value' in last) return last.value;
	return type === 'fixedCollection' || type === 'resourceMapper' ? start : 'a text';
}

/** Without notices and what is not of an operation: they have no values. */
function parametersIn(properties: INodeProperties[], typed: Values, withDefaults: boolean) {
	const parameters = NodeHelpers.getNodeParameters(
		properties,
		typed as INodeParameters,
		withDefaults,
		false,
		null,
		null,
	);
	return Object.fromEntries(
		Object.entries(parameters ?? {}).filter(
			([name]) => !/notice|^note\d|durableRole|toolDesc/i.test(name),
		),
	);
}

describe('a workflow that was saved before', () => {
	const nodes = readdirSync('examples').flatMap((file) => {
		const { nodes: all } = JSON.parse(readFileSync(`examples/${file}`, 'utf8')) as {
			nodes: Array<{ name: string; type: string; parameters: Values }>;
		};
		return all.flatMap(({ name, type, parameters }) => {
			const [, catalog] =
				NODES.find(([node]) => type.replace(/Tool$/, '').endsWith(`.mediaGen${node}`)) ?? [];
			return catalog ? [[`${file}: ${name}`, catalog, parameters] as const] : [];
		});
	});

	test.each(nodes)('%s has the same parameters', (_name, catalog, parameters) => {
		for (const withDefaults of [true, false]) {
			expect(parametersIn(forms.get(catalog)!, parameters, withDefaults)).toEqual(
				parametersIn(unmerged.get(catalog)!, parameters, withDefaults),
			);
		}
	});
});

describe('made-up operations', () => {
	const entry = fc.record({
		name: fc.constantFrom('p', 'q', 'r'),
		text: fc.constantFrom('1', '2'),
	});
	const property = fc.record({
		name: fc.constantFrom('a', 'b', 'c', 'd'),
		text: fc.constantFrom('1', '2'),
		type: fc.constantFrom('string', 'notice', 'collection'),
		entries: fc.uniqueArray(entry, { selector: ({ name }) => name, minLength: 1 }),
		hide: fc.boolean(),
	});
	const form = fc.record({
		resource: fc.constantFrom('one', 'two', 'three', 'four'),
		operation: fc.constantFrom('make', 'get', 'list', 'wait'),
		properties: fc.uniqueArray(property, { selector: ({ name }) => name }),
	});
	const forms = fc
		.uniqueArray(form, { selector: ({ resource, operation }) => `${resource} ${operation}` })
		.map((all) =>
			all.map(
				({ resource, operation, properties }): Form => ({
					operation: { resource, operation },
					properties: properties.map(
						({ name, text, type, entries, hide }): INodeProperties => ({
							displayName: text,
							name,
							type: type as 'string',
							default: '',
							...(hide ? { displayOptions: { hide: { off: [true] } } } : {}),
							...(type === 'collection'
								? {
										options: entries.map((one) => ({
											displayName: one.text,
											name: one.name,
											type: 'string' as const,
											default: '',
										})),
									}
								: {}),
						}),
					),
				}),
			),
		);

	test('each shows its own, in its order', () => {
		fc.assert(
			fc.property(forms, (all) => {
				const merged = mergeProperties(all);
				for (const { operation, properties } of all) {
					const chosen = { ...operation };
					expect(panel(merged, chosen, false)).toEqual(panel(properties, chosen, false));
				}
			}),
			{ numRuns: ALL ? 300 : 60 },
		);
	});

	test('what all have is there once, without a condition', () => {
		const prompt: INodeProperties = {
			displayName: 'Prompt',
			name: 'prompt',
			type: 'string',
			default: '',
		};
		const all = ['make', 'edit'].map((operation) => ({
			operation: { resource: 'one', operation },
			properties: [prompt],
		}));
		expect(mergeProperties(all)).toEqual([prompt]);
	});
});
