import { useEditor } from '../support/useEditor.mts';

/** MediaGen Trigger in its panel, and below its name on the canvas what it waits for. */

const { editor, n8n } = useEditor();

const NAME = 'MediaGen Trigger';

async function open(parameters: object = {}) {
	const { id, name } = n8n.credential;
	await editor.openNodes([
		{
			name: NAME,
			type: 'n8n-nodes-mediagen.mediaGenTrigger',
			typeVersion: 1,
			parameters,
			credentials: { mediaGenApi: { id, name } },
		},
	]);
	return await editor.openPanel(NAME);
}

test('the form: when it looks, for what, and what comes of it', async () => {
	const panel = await open();
	expect(await panel.labels()).toEqual([
		'Credential',
		'Poll Times',
		'Mode',
		'Events',
		'Media Type',
		'Download File',
		'Options',
	]);
	expect(await panel.chosen('Events')).toEqual(['Generation Finished']);
	expect(await panel.choices('Media Type')).toEqual(['All', 'Image', 'Video']);
	expect(await panel.additions('Options')).toEqual([
		'Only These Job IDs',
		'Result Field',
		'Simplify',
	]);
	await panel.close();
});

test.each([
	['as it starts', {}, 'all: completed'],
	[
		'videos, either way',
		{ events: ['failed', 'completed'], mediaType: 'video' },
		'video: failed,completed',
	],
])('on the canvas: %s', async (_, parameters, subtitle) => {
	const panel = await open(parameters);
	await panel.close();
	expect(await editor.subtitle(NAME)).toBe(subtitle);
});
