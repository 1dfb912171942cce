import { NodeHelpers, type INode, type INodeTypeDescription } from 'n8n-workflow';

import {
	describeForModel,
	toolDescriptions,
} from '../../../nodes/shared/form/catalogProperties.ts';
import {
	ACCOUNT_CATALOG,
	IMAGE_CATALOG,
	MUSIC_CATALOG,
	VIDEO_CATALOG,
} from '../../../nodes/shared/spec/catalogs.ts';
import type { Catalog, CreateOperation, Operation } from '../../../nodes/shared/spec/operation.ts';
import { panelOf, visible } from '../../support/formPanel.mts';
import { nodeType } from '../../support/product.mts';

const CATALOGS: Array<[node: string, catalog: Catalog]> = [
	['Image', IMAGE_CATALOG],
	['Video', VIDEO_CATALOG],
	['Music', MUSIC_CATALOG],
	['Account', ACCOUNT_CATALOG],
];

const creationNamed = ({ operations }: Catalog, resource: string, name: string) =>
	operations.find(
		(one): one is CreateOperation =>
			one.kind === 'create' && one.resource === resource && one.operation === name,
	)!;

test.each([
	[IMAGE_CATALOG, 'image', 'generate', 'Generate an image from a text prompt; costs 8 credits.'],
	[
		VIDEO_CATALOG,
		'vidB30',
		'generate',
		'Generate a video from text or images; costs 20 to 40 credits a second.',
	],
	[MUSIC_CATALOG, 'lyrics', 'lyrics', 'Generate lyrics from a theme; costs 1 credit.'],
])('%#: what it makes and what it costs, in one sentence', (catalog, resource, operation, text) => {
	expect(describeForModel(creationNamed(catalog, resource, operation))).toBe(text);
});

/** They start jobs, but have no text of ours: they are free, or their price is not shown. */
const UNPRICED = [
	'image.generateUnified',
	'vidE.generate',
	'videoStudio.generate',
	'track.midi',
	'track.recovery',
	'artwork.cover_art',
	'voice.voice_validate',
	'voice.voice_regenerate',
	'voice.voice_generate',
	'catalog.other',
];

const hasText = (operation: Operation): operation is CreateOperation =>
	operation.kind === 'create' && !UNPRICED.includes(`${operation.resource}.${operation.operation}`);

describe.each(CATALOGS)('MediaGen %s', (_, catalog) => {
	test.each(catalog.operations.map((operation) => [operation.action, operation] as const))(
		'%s: one description, in the form of a tool alone',
		(_action, operation) => {
			const panel = panelOf(catalog, operation);
			const chosen = { resource: operation.resource, operation: operation.operation };
			const named = (asTool: boolean) =>
				visible(panel, chosen, { asTool }).filter(({ name }) => name === 'toolDescription');
			expect(named(false)).toEqual([]);
			const text = hasText(operation) ? describeForModel(operation) : '';
			expect(named(true).map(({ default: start }) => start)).toEqual([text]);
		},
	);

	test('descriptions are short', () => {
		const lengths = toolDescriptions(catalog).map(({ default: text }) => String(text).length);
		expect(Math.max(...lengths)).toBeLessThan(300);
	});
});

test('it is what n8n gives the model, unless a person writes another', () => {
	const type = nodeType('image');
	const description: INodeTypeDescription = { ...type.description, name: 'mediaGenImageTool' };
	const node: INode = {
		id: '1',
		name: 'Image',
		type: 'mediaGenImageTool',
		typeVersion: 1,
		position: [0, 0],
		parameters: { resource: 'image', operation: 'generate' },
	};
	const given = (parameters: object) => {
		const own = { ...node, parameters: { ...node.parameters, ...parameters } };
		const full = NodeHelpers.getNodeParameters(
			description.properties,
			own.parameters,
			true,
			false,
			own,
			description,
		);
		return NodeHelpers.getToolDescriptionForNode({ ...own, parameters: full! }, type);
	};
	expect(given({})).toBe('Generate an image from a text prompt; costs 8 credits.');
	expect(given({ operation: 'generateUnified' })).toBe(
		'Generate an image (unified) in MediaGen Image',
	);
	expect(given({ toolDescription: '' })).toBe('Generate an image in MediaGen Image');
	expect(given({ toolDescription: 'Draws cats.' })).toBe('Draws cats.');
});
