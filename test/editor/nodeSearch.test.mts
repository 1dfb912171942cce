import { sampled } from '../support/sampled.mts';
import { useEditor } from '../support/useEditor.mts';

/** The nodes in n8n's own node search, by what people type. A search takes a second: by day, a sample of them. */

const { editor } = useEditor();

const TYPED = {
	'MediaGen Image': [
		'MediaGen Image',
		'image generation',
		'generate image',
		'make image',
		'create image',
		'make picture',
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
		'make video',
		'create video',
		'video from text',
		'video from image',
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
		'sound effect',
		'make music',
		'make song',
		'audio',
	],
	'MediaGen Account': ['MediaGen Account', 'credits', 'balance', 'price', 'cost'],
};

/** n8n leaves the word "Trigger" out of the names of triggers that offer actions. */
const TRIGGER = 'MediaGen';

const TRIGGER_TYPED = [
	'MediaGen Trigger',
	'generation finished',
	'generation failed',
	'generation completed',
	'image finished',
	'image ready',
	'video finished',
	'video done',
	'video failed',
	'job finished',
	'job failed',
	'new video',
	'mediagen webhook',
];

beforeEach(async () => {
	await editor.openNodes([]);
});

test('its name finds all nodes of the package, and nothing else', async () => {
	const found = await editor.searchNodes('mediagen');
	expect(found.sort()).toEqual([...Object.keys(TYPED), TRIGGER].sort());
});

/** Of a sample of the texts those that do not find the node. */
async function missedBy(node: string, texts: readonly string[]) {
	const missed = [];
	for (const text of sampled(texts, 5)) {
		if (!(await editor.searchNodes(text)).includes(node)) missed.push(text);
	}
	return missed;
}

describe.each(Object.entries(TYPED))('%s', (node, texts) => {
	test('is found', async () => {
		expect(await missedBy(node, texts)).toEqual([]);
	});

	test('offers its actions', async () => {
		expect(await editor.openActions(node)).not.toEqual([]);
	});
});

test('what the service has disabled is called so', async () => {
	const panel = await editor.addAction('MediaGen Account', 'Get the credit summary');
	await panel.choose('Resource', 'Session');
	expect(await panel.choices('Operation')).toEqual(
		expect.arrayContaining([
			'Log In (Disabled by the Service)',
			'Register (Disabled by the Service)',
		]),
	);
	await panel.close();
});

describe('MediaGen Trigger', () => {
	test('is found as the first step of a workflow', async () => {
		await editor.openEmptyWorkflow();
		expect(await missedBy(TRIGGER, ['mediagen', ...TRIGGER_TYPED])).toEqual([]);
	});

	test('is found as a further trigger', async () => {
		expect(await missedBy(TRIGGER, TRIGGER_TYPED)).toEqual([]);
	});

	test.each(['image', 'video'])('%s finds what makes one before it', async (text) => {
		const found = await editor.searchNodes(text);
		const maker = `MediaGen ${text === 'image' ? 'Image' : 'Video'}`;
		expect(found.filter((name) => [maker, TRIGGER].includes(name))[0]).toBe(maker);
	});

	test('does not come before Respond to Webhook', async () => {
		const found = await editor.searchNodes('webhook');
		expect(found.slice(0, 2)).toEqual(['Webhook', 'Respond to Webhook']);
	});

	test('offers each event, which is then chosen', async () => {
		await editor.openEmptyWorkflow();
		expect(await editor.openActions(TRIGGER)).toEqual([
			'On generation finished',
			'On generation failed',
		]);
		const panel = await editor.addAction(TRIGGER, 'On generation failed');
		expect(await panel.chosen('Events')).toEqual(['Generation Failed']);
		await panel.close();
	});
});

test.each(['text to speech', 'upscale', 'upscale image'])(
	'%s, which the service does not offer, finds none',
	async (text) => {
		const found = await editor.searchNodes(text);
		expect(found.filter((name) => name.startsWith('MediaGen'))).toEqual([]);
	},
);

test.each(['make image', 'create image', 'generate image', 'picture', 'image generation'])(
	'of the nodes of the package %s finds MediaGen Image first',
	async (text) => {
		const found = await editor.searchNodes(text);
		expect(found.filter((name) => name.startsWith('MediaGen'))[0]).toBe('MediaGen Image');
	},
);
