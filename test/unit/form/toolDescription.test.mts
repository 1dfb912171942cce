import { NodeHelpers, type INode, type INodeTypeDescription } from 'n8n-workflow';

import { nodeType } from '../../support/product.mts';

type Kind = 'image' | 'video' | 'music';

/** What n8n gives an agent's model about a tool with these parameters. */
function told(kind: Kind, parameters: INode['parameters']): string {
	const type = nodeType(kind);
	const name = `${type.description.name}Tool`;
	const description: INodeTypeDescription = { ...type.description, name };
	const node: INode = {
		id: '1',
		name: 'A Tool',
		type: name,
		typeVersion: 1,
		position: [0, 0],
		parameters,
	};
	const full = NodeHelpers.getNodeParameters(
		description.properties,
		parameters,
		true,
		false,
		node,
		description,
	);
	return NodeHelpers.getToolDescriptionForNode({ ...node, parameters: full! }, type);
}

test.each<[Kind, string, string, string]>([
	['image', 'image', 'generate', 'Generate an image from a text prompt; costs 8 credits.'],
	[
		'video',
		'vidB30',
		'generate',
		'Generate a video from text or images; costs 27 to 40 credits a second.',
	],
	['music', 'lyrics', 'lyrics', 'Generate lyrics from a theme; costs 1 credit.'],
	// Of those that are free, or whose price is not shown, n8n has words of its own.
	['image', 'image', 'generateUnified', 'Generate an image (unified) in MediaGen Image'],
])('%s %s %s: what it makes and what it costs', (kind, resource, operation, text) => {
	expect(told(kind, { resource, operation })).toBe(text);
});
