import { nodeType } from '../../support/product.mts';
import { VirtualN8n } from '../../support/virtualRun.mts';

/** Nobody's first video is public without having chosen that. */

const FAMILIES = [
	{ resource: 'standardVideo', operation: 'generate' },
	{ resource: 'vidB30', operation: 'generate' },
	{ resource: 'vidB26', operation: 'textToVideo' },
	{ resource: 'vidC', operation: 'textToVideo' },
	{ resource: 'vidD', operation: 'generate' },
];

test.each(FAMILIES)('$resource as the form begins is not published', async (chosen) => {
	const n8n = new VirtualN8n({ settings: { credits: { purchased: 1000, welcome: 0 } } });
	const parameters = { ...chosen, prompt: 'a kite', waitForCompletion: false };
	await n8n.clock.run(n8n.execute({ items: [{}], kind: 'video', parameters }));
	const [sent] = n8n.state.journal.ofKind('create');
	// Always sent: left out, the service's own default would count, which is to publish.
	expect(sent?.body).toMatchObject({ prompt_directory_optin: false });
});

test('the line of the price says what the switch saves', () => {
	const { properties } = nodeType('video').description;
	const prices = properties.filter(({ name }) => name === 'price');
	const of = (show: object) =>
		prices.find(({ displayOptions }) =>
			Object.entries(show).every(
				([name, value]) => JSON.stringify(displayOptions?.show?.[name]) === JSON.stringify(value),
			),
		)?.displayName;
	const standard = {
		resource: ['standardVideo'],
		video_model: ['modelA_fast'],
		aspect_ratio: ['16:9'],
	};
	expect(of(standard)).toBe(
		'Fast (modelA_fast), 16:9 (Landscape): 130 credits; 10 less with Publish in Prompt Directory.',
	);
});
