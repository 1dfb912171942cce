import { runInEngine } from '../support/engine.mts';
import { useSandbox } from '../support/useSandbox.mts';

/** What n8n makes of parameters without a value, and what the video node makes of that. */

const sandbox = useSandbox();

const STANDARD = {
	resource: 'standardVideo',
	operation: 'generate',
	prompt: 'a video',
	video_model: 'modelA_fast',
	aspect_ratio: '16:9',
	prompt_directory_optin: false,
	waitForCompletion: false,
};

async function run(parameters: Record<string, unknown>) {
	const { error } = await runInEngine({
		parameters,
		node: { type: 'n8n-nodes-mediagen.mediaGenVideo' },
		credential: { baseUrl: sandbox.url, apiKey: sandbox.key, headerForm: 'bearer' },
	});
	return { message: error?.message, sent: sandbox.journal.entries.map(({ body }) => body) };
}

describe.each(['={{ $json.missing }}', '={{ null }}', '={{ "" }}', '={{ undefined }}'])(
	'the expression %s',
	(nothing) => {
		test.each([
			['video_model', 'Model (video_model) is empty'],
			['aspect_ratio', 'Aspect Ratio (aspect_ratio) is empty'],
			['prompt_directory_optin', 'Publish in Prompt Directory (prompt_directory_optin) is empty'],
		])('for %s is refused by name, and nothing is sent', async (name, message) => {
			const refused = await run({ ...STANDARD, [name]: nothing });
			expect(refused.message).toContain(message);
			expect(refused.sent).toEqual([]);
		});

		test('for publication that is off by default, too', async () => {
			const refused = await run({
				resource: 'vidB26',
				operation: 'textToVideo',
				prompt: 'a video',
				prompt_directory_optin: nothing,
			});
			expect(refused.message).toContain('(prompt_directory_optin) is empty');
			expect(refused.sent).toEqual([]);
		});
	},
);

test('what a workflow lacks has the default of the form, as n8n fills it in', async () => {
	const { aspect_ratio: _, video_model: __, ...older } = STANDARD;
	const { message, sent } = await run(older);
	expect(message).toBeUndefined();
	expect(sent).toEqual([
		{
			prompt: 'a video',
			video_model: 'modelA_fast',
			aspect_ratio: '16:9',
			prompt_directory_optin: false,
		},
	]);
});

test('what the form hides is not asked for', async () => {
	const { message, sent } = await run({
		resource: 'vidB30',
		operation: 'generate',
		prompt: 'a video',
		waitForCompletion: false,
	});
	expect(message).toBeUndefined();
	expect(sent).toHaveLength(1);
});
