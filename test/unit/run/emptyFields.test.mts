import type { IDataObject } from 'n8n-workflow';

import { VirtualN8n } from '../../support/virtualRun.mts';
import type { ItemKind } from '../../support/product.mts';

/** Complete requests, with every field that is always sent. */
const STANDARD = {
	resource: 'standardVideo',
	operation: 'generate',
	prompt: 'a video',
	video_model: 'modelA_fast',
	aspect_ratio: '16:9',
	prompt_directory_optin: false,
};
const VID_B30 = {
	resource: 'vidB30',
	operation: 'generate',
	prompt: 'a video',
	generationMode: 'text_to_video',
	durationSeconds: 5,
	qualityMode: 'pro',
	aspectRatio: '16:9',
	sound: false,
	prompt_directory_optin: false,
};
const IMAGE = { resource: 'image', operation: 'generateUnified', prompt: 'x', aspectRatio: '1:1' };
const VID_B26 = {
	resource: 'vidB26',
	operation: 'textToVideo',
	prompt: 'a video',
	duration: '5',
	aspectRatio: '16:9',
	sound: false,
	prompt_directory_optin: false,
};
const VID_A31 = {
	resource: 'vidA31',
	operation: 'generate',
	prompt: 'a video',
	model: 'modelA_fast',
	aspectRatio: 'Auto',
};

/** @param evaluated what an expression gives in place of a value */
async function run(parameters: object, kind: ItemKind = 'video', evaluated?: IDataObject) {
	const n8n = new VirtualN8n();
	const { error } = await n8n.clock.run(
		n8n.execute({
			items: [{}],
			parameters: { waitForCompletion: false, ...parameters },
			evaluated,
			kind,
		}),
	);
	const sent = n8n.state.journal.entries.map(({ body }) => body as IDataObject);
	return { message: error?.message, sent };
}

test.each<[string, IDataObject, ItemKind]>([
	['standardVideo', STANDARD, 'video'],
	['vidB30', VID_B30, 'video'],
	['image', IMAGE, 'image'],
	['vidB26', VID_B26, 'video'],
	['vidA31', VID_A31, 'video'],
])('%s: the complete request is sent', async (_, parameters, kind) => {
	const { message, sent } = await run(parameters, kind);
	expect(message).toBeUndefined();
	expect(sent).toHaveLength(1);
});

describe.each([undefined, null, '', '  '])(
	'a field that is always sent, whose expression gives %p, is refused by name before any charge',
	(nothing) => {
		test.each([
			[STANDARD, 'video_model', 'Model (video_model)'],
			[STANDARD, 'aspect_ratio', 'Aspect Ratio (aspect_ratio)'],
			[STANDARD, 'prompt_directory_optin', 'Publish in Prompt Directory (prompt_directory_optin)'],
			[VID_B30, 'generationMode', 'Generation Mode (generationMode)'],
			[VID_B30, 'durationSeconds', 'Duration (durationSeconds)'],
			[VID_B30, 'sound', 'Sound (sound)'],
			[VID_B30, 'prompt_directory_optin', 'Publish in Prompt Directory (prompt_directory_optin)'],
			[VID_B26, 'sound', 'Sound (sound)'],
			[VID_B26, 'prompt_directory_optin', 'Publish in Prompt Directory (prompt_directory_optin)'],
		])('%j without %s', async (parameters, name, label) => {
			const { message, sent } = await run(parameters, 'video', { [name]: nothing } as IDataObject);
			expect(message).toContain(`${label} is empty`);
			expect(sent).toEqual([]);
		});

		test('a text of which the service documents one value', async () => {
			const other = { aspectRatio: nothing } as IDataObject;
			const { message, sent } = await run(IMAGE, 'image', other);
			expect(message).toContain('Aspect Ratio (aspectRatio) is empty');
			expect(sent).toEqual([]);
		});

		test('other optional fields are left out', async () => {
			const additionalFields = { enableFallback: nothing === '  ' ? '' : nothing } as IDataObject;
			const { message, sent } = await run(VID_A31, 'video', { additionalFields });
			expect(message).toBeUndefined();
			expect(sent[0]).not.toHaveProperty('enableFallback');
		});
	},
);

describe('what an agent or an expression gives for publication', () => {
	test.each([
		[true, true],
		[false, false],
		['true', true],
		['false', false],
	])('%p is %p', async (given, expected) => {
		const { sent } = await run(STANDARD, 'video', {
			prompt_directory_optin: given,
		} as IDataObject);
		expect(sent).toEqual([expect.objectContaining({ prompt_directory_optin: expected })]);
	});

	test.each(['yes', 'no', 1, 0, '1', {}])('%p is refused', async (given) => {
		const { message, sent } = await run(STANDARD, 'video', {
			prompt_directory_optin: given,
		} as IDataObject);
		expect(message).toContain(
			'Publish in Prompt Directory (prompt_directory_optin) must be true or false, but is',
		);
		expect(sent).toEqual([]);
	});
});

test('what the form does not show is not asked for', async () => {
	// n8n gives the fallback for a parameter that its workflow and its form do not have.
	const { aspect_ratio: __, ...without } = STANDARD;
	expect((await run(without)).message).toBeUndefined();
});
