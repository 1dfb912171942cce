import { NodeHelpers, type IDataObject, type INode } from 'n8n-workflow';

import { type ReadParameter, readRequest } from '../../../nodes/shared/request/readRequest.ts';
import { JOB_TRIGGER } from '../../../nodes/shared/spec/catalogs.ts';
import { readWishes } from '../../../nodes/shared/trigger/wishes.ts';
import { exampleOf } from '../../../tools/lib/docs/example.mts';
import { NODES } from '../../../tools/lib/docs/nodeTable.mts';
import { TRIGGER_EXAMPLE } from '../../../tools/lib/docs/reference.mts';
import { nodeType } from '../../support/product.mts';

const KINDS = ['image', 'video', 'music', 'account'] as const;

const descriptions = KINDS.map((kind) => nodeType(kind).description);

test('nodes are called as they call themselves', () => {
	expect(NODES.map(({ name, label }) => [name, label])).toEqual(
		descriptions.map(({ name, displayName }) => [name, displayName]),
	);
});

const examples = NODES.flatMap(({ catalog, name }) => {
	const description = descriptions.find((one) => one.name === name)!;
	return catalog.operations.map((operation) => {
		const given = exampleOf(operation) as IDataObject;
		const node = { parameters: given, typeVersion: 1 } as unknown as INode;
		const complete = NodeHelpers.getNodeParameters(
			description.properties,
			given as never,
			true,
			false,
			node,
			description,
		) as IDataObject;
		const called = `${name} ${operation.resource}.${operation.operation}`;
		return { called, operation, given, complete, node, description };
	});
});

/** As n8n gives parameters, with the ID of a job in place of expressions. */
const readerOf =
	(parameters: IDataObject): ReadParameter =>
	(name, fallback) => {
		const value = parameters[name] ?? fallback;
		return typeof value === 'string' && value.startsWith('={{') ? '9a7ad2e0' : value;
	};

test.each(examples)('$called: the form has all that the example gives', ({ given, complete }) => {
	expect(complete).toMatchObject(given);
});

test.each(examples)('$called: n8n finds nothing missing', ({ complete, node, description }) => {
	const filled = { ...node, parameters: complete } as INode;
	expect(
		NodeHelpers.getNodeParametersIssues(description.properties, filled, description),
	).toBeNull();
});

test.each(examples)('$called: the example can be sent', ({ operation, complete }) => {
	expect(readRequest(operation, readerOf(complete)).problems).toEqual([]);
});

test('the example of the trigger can be used', () => {
	const { properties } = nodeType('trigger').description;
	const names = properties.map(({ name }) => name);
	const { pollTimes, ...own } = TRIGGER_EXAMPLE;
	expect(names).toEqual(expect.arrayContaining(Object.keys(own)));
	expect(pollTimes.item).not.toEqual([]);
	const getNodeParameter = (name: string, fallback: unknown) => Object(own)[name] ?? fallback;
	expect(readWishes({ getNodeParameter } as never, JOB_TRIGGER).states).toEqual(
		new Set(['completed', 'failed']),
	);
});

test('no example publishes anything', () => {
	expect(examples.filter(({ given }) => given.prompt_directory_optin === true)).toEqual([]);
});
