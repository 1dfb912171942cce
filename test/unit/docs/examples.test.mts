import { NodeHelpers, type IDataObject, type INode } from 'n8n-workflow';

import { exampleOf } from '../../../tools/lib/docs/example.mts';
import { NODES } from '../../../tools/lib/docs/nodeTable.mts';
import { nodeType } from '../../support/product.mts';

/** The examples of docs/reference.md. */

const KINDS = ['image', 'video', 'music', 'account'] as const;

const descriptions = KINDS.map((kind) => nodeType(kind).description);

test('nodes are called as they call themselves', () => {
	expect(NODES.map(({ name, label }) => [name, label])).toEqual(
		descriptions.map(({ name, displayName }) => [name, displayName]),
	);
});

const examples = NODES.flatMap(({ catalog, name }) =>
	catalog.operations.map((operation) => ({
		called: `${name} ${operation.resource}.${operation.operation}`,
		given: exampleOf(operation) as IDataObject,
		description: descriptions.find((one) => one.name === name)!,
	})),
);

test.each(examples)('$called: n8n has all of it, and finds nothing missing', (example) => {
	const { given, description } = example;
	const { properties } = description;
	const node = { parameters: given, typeVersion: 1 } as unknown as INode;
	const all = [properties, given as never, true, false, node, description] as const;
	const complete = NodeHelpers.getNodeParameters(...all) as IDataObject;
	expect(complete).toMatchObject(given);
	const filled = { ...node, parameters: complete } as INode;
	expect(NodeHelpers.getNodeParametersIssues(properties, filled, description)).toBeNull();
});
