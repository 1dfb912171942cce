import { NodeHelpers, type INodeProperties, type INodeTypeDescription } from 'n8n-workflow';

import { nodeType } from '../../support/product.mts';

/** What every panel has, read from the descriptions as n8n has them: words, lengths, and no more than one can read. */

const ACTING = ['image', 'video', 'music', 'account'] as const;

const propertiesOf = (kind: (typeof ACTING)[number]) => nodeType(kind).description.properties;

interface Operation {
	kind: (typeof ACTING)[number];
	resource: string;
	operation: string;
	action: string;
	description: string;
}

const optionsOf = ({ options = [] }: INodeProperties) =>
	options.flatMap((option) => ('value' in option ? [option] : []));

const OPERATIONS: Operation[] = ACTING.flatMap((kind) =>
	propertiesOf(kind)
		.filter(({ name }) => name === 'operation')
		.flatMap((property) =>
			optionsOf(property).map(({ value, action = '', description = '' }) => ({
				kind,
				resource: String(property.displayOptions?.show?.resource?.[0]),
				operation: String(value),
				action,
				description,
			})),
		),
);

const nested = ({ options = [] }: INodeProperties) =>
	options.flatMap((option) => ('displayName' in option ? [option as INodeProperties] : []));

const all = (properties: readonly INodeProperties[]): INodeProperties[] =>
	properties.flatMap((property) => [property, ...nested(property)]);

const sentences = (text: string) =>
	text
		.replace(/\be\.g\.\s/g, '')
		.split(/[.!?](?:\s+|$)/)
		.filter((sentence) => sentence.trim() !== '');

test('every operation has an action and a description for the list of nodes', () => {
	expect(OPERATIONS.length).toBeGreaterThan(50);
	expect(OPERATIONS.filter(({ action, description }) => !action || !description)).toEqual([]);
});

test.each(ACTING)(
	'%s: actions are short enough for a name on the canvas, and no two alike',
	(kind) => {
		const actions = OPERATIONS.filter((one) => one.kind === kind).map(({ action }) => action);
		expect(actions.filter((action) => action.length > 46)).toEqual([]);
		expect(twice(actions)).toEqual([]);
	},
);

describe.each([...ACTING, 'trigger'] as const)('the texts of %s', (kind) => {
	const properties = all(nodeType(kind).description.properties);
	const texts = properties.flatMap((property) => [
		[property.name, property.description ?? ''],
		...optionsOf(property).map(({ name, description = '' }) => [name, description]),
	]);

	test('are at most 160 characters, in at most two sentences', () => {
		const long = texts.filter(([, text = '']) => text.length > 160 || sentences(text).length > 2);
		expect(long).toEqual([]);
	});
});

/** What is visible of a panel while it holds these values. */
function visible({ kind, resource, operation }: Operation, values: object) {
	const { name } = nodeType(kind).description;
	const chosen = { resource, operation, ...values };
	return propertiesOf(kind).filter((property) =>
		NodeHelpers.displayParameter(chosen, property, null, { name } as INodeTypeDescription, chosen),
	);
}

const starting = (operation: Operation) =>
	Object.fromEntries(visible(operation, {}).map(({ name, default: start }) => [name, start]));

/** Names that appear twice. */
const twice = (names: readonly string[]) =>
	names.filter((name, index) => names.indexOf(name) !== index);

describe.each(OPERATIONS)('$kind: $resource $operation', (operation) => {
	test('the panel has no field twice, and at most eight of the service', () => {
		const names = visible(operation, starting(operation))
			.filter(({ type }) => type !== 'notice')
			.map(({ name }) => name);
		expect(twice(names)).toEqual([]);
		const others = ['resource', 'operation', 'options', 'additionalFields', 'downloadMedia'];
		const rest = ['waitForCompletion', 'durableRole'];
		expect(names.filter((name) => ![...others, ...rest].includes(name)).length).toBeLessThan(10);
	});

	test('a collection has no field twice, in the order of the labels', () => {
		for (const collection of visible(operation, starting(operation))) {
			const labels = nested(collection).map(({ displayName }) => displayName);
			expect(twice(nested(collection).map(({ name }) => name))).toEqual([]);
			expect(labels).toEqual([...labels].sort((one, other) => one.localeCompare(other)));
		}
	});
});

/** n8n before 2.0 refuses a workflow with a node one of whose conditions it cannot resolve. */
test.each(ACTING)(
	'%s: a condition names a parameter of the form, or begins with a slash',
	(kind) => {
		const names = propertiesOf(kind).map(({ name }) => name);
		const conditions = propertiesOf(kind).flatMap(({ displayOptions = {} }) =>
			Object.values(displayOptions).flatMap((rule) => Object.keys(rule as object)),
		);
		expect(conditions.filter((one) => !/^[@/]/.test(one) && !names.includes(one))).toEqual([]);
	},
);
