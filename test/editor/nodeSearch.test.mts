import { useEditor } from '../support/useEditor.mts';

/** The nodes in n8n's own node search, by what people type. */

const { editor } = useEditor();

const TYPED = {
	'MediaGen Image': [
		'MediaGen Image',
		'image generation',
		'generate image',
		'text to image',
		'ai image',
		'picture',
		'photo',
		'cover art',
	],
	'MediaGen Video': [
		'MediaGen Video',
		'video generation',
		'generate video',
		'text to video',
		'image to video',
		'ai video',
		'film',
		'clip',
	],
	'MediaGen Music': [
		'MediaGen Music',
		'music generation',
		'generate music',
		'song',
		'ai music',
		'lyrics',
		'stems',
		'voice',
		'audio',
	],
	'MediaGen Account': ['MediaGen Account', 'credits', 'balance', 'price', 'cost'],
};

beforeEach(async () => {
	await editor.openBlankWorkflow();
});

test('its name finds all nodes of the package, and nothing else', async () => {
	const found = await editor.searchNodes('mediagen');
	expect(found.sort()).toEqual(Object.keys(TYPED).sort());
});

describe.each(Object.entries(TYPED))('%s', (node, texts) => {
	test('is found', async () => {
		const missed = [];
		for (const text of texts) {
			if (!(await editor.searchNodes(text)).includes(node)) missed.push(text);
		}
		expect(missed).toEqual([]);
	});

	test('offers its actions', async () => {
		expect(await editor.openActions(node)).not.toEqual([]);
	});
});

test('text to speech, which the service does not offer, finds none', async () => {
	const found = await editor.searchNodes('text to speech');
	expect(found.filter((name) => name.startsWith('MediaGen'))).toEqual([]);
});
