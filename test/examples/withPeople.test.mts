import { randomUUID } from 'node:crypto';

import { outputsOf, type Item, type SavedWorkflow } from '../../tools/lib/n8nClient.mjs';
import { bytesOf, wavFile } from '../support/audioFiles.mts';
import { startChatModel, type ChatModel } from '../support/chatModel.mts';
import { submitForm } from '../support/formPages.mts';
import { useExamples } from '../support/useExamples.mts';

/** Examples that talk to a person: in forms, and in a chat. */

const { n8n, importExample } = useExamples({ sandbox: { jobMs: { min: 0, max: 0 } } });

jest.setTimeout(60_000);

const recording = () =>
	new File([new Uint8Array(bytesOf(wavFile({ seconds: 20 })))], 'voice.wav', { type: 'audio/wav' });

const operations = () => n8n.sandbox.jobs.map(({ operation }) => operation.operation);

/** What n8n keeps of the page that it shows last. */
const link = (file: string) => `<a href="${n8n.sandbox.url}/media/${file}"`;

/** Fills in the form, and reads the phrase aloud. */
async function giveVoice(workflow: SavedWorkflow) {
	const sample = [recording(), '0', '20', 'The sea'];
	const pages = await submitForm(n8n, workflow, 'Voice sample', sample);
	await pages.waitFor('Read this aloud');
	await pages.submit([recording()]);
	return pages;
}

test('customVoice: the person reads a phrase aloud, and gets a song', async () => {
	const workflow = await importExample('customVoice.json');
	const pages = await giveVoice(workflow);
	const last = await pages.waitFor('Your song');
	expect(operations()).toEqual(['voice_validate', 'voice_generate', 'generate']);
	const song = n8n.sandbox.jobs.at(-1);
	expect(song?.body).toMatchObject({ prompt: 'The sea', persona_model: 'voice_persona' });
	expect(last).toContain(link(`${song?.id}-1.wav`));
	expect(last).toContain(link(`${song?.id}-2.wav`));
});

test('customVoice: where the voice has no ID that is known, no song is paid for', async () => {
	const workflow = await importExample('customVoice.json', {
		'Create the voice': {
			parameters: { operation: 'voice_validate', vocal_start_s: 0, vocal_end_s: 20 },
		},
	});
	await giveVoice(workflow);
	const { error } = await n8n.client.waitForWorkflow(workflow, { until: ['error'] });
	expect(error?.message).toContain('The answer has no voice_id');
	expect(operations()).toEqual(['voice_validate', 'voice_validate']);
});

test('stemsToMidi: each stem of the song is linked, and has its notes', async () => {
	const workflow = await importExample('stemsToMidi.json');
	const pages = await submitForm(n8n, workflow, 'Your song', [recording()]);
	const last = await pages.waitFor('Your stems');
	expect(operations()).toEqual(['stems', 'midi', 'midi']);
	const [stems] = n8n.sandbox.jobs;
	const files = [1, 2].map((stem) => `${stems?.id}-${stem}.wav`);
	for (const file of files) expect(last).toContain(link(file));
	const { runData } = await n8n.client.waitForWorkflow(workflow, { until: ['waiting', 'success'] });
	const results = runData.Result?.[0]?.data.main[0];
	expect(results.map(({ json }: Item) => json)).toEqual(
		files.map((file) => ({
			stemUrl: `${n8n.sandbox.url}/media/${file}`,
			midi: expect.objectContaining({}),
		})),
	);
});

describe('agentWithTools', () => {
	let model: ChatModel;

	afterEach(async () => {
		await model?.close();
	});

	/**
	 * @param input what the model calls each tool with
	 * @param change of the parameters of the image tool
	 */
	async function chat(input: object, change: object = {}) {
		model = await startChatModel(input);
		const openAiApi = await n8n.client.createCredential('openAiApi', randomUUID(), {
			apiKey: 'none',
			url: model.url,
		});
		const saved = await importExample('agentWithTools.json', {
			'Chat model': { credentials: { openAiApi: { id: openAiApi.id, name: openAiApi.name } } },
			'Make an image': { parameters: change },
		});
		const message = { sessionId: randomUUID(), action: 'sendMessage', chatInput: 'A cat, please.' };
		const id = await n8n.client.runManually(saved, 'Chat', message);
		const execution = await n8n.client.waitForExecution(id);
		expect(execution.status).toBe('success');
		const { Make_an_image: image = '', Read_the_credits: credits = '' } = model.answers;
		return { image: answerIn(image), credits: answerIn(credits), execution };
	}

	/** The only item that a tool has answered with. */
	function answerIn(text: string) {
		const items = JSON.parse(text);
		expect(items).toHaveLength(1);
		return items[0].response?.[0] ?? items[0];
	}

	const cat = { Prompt: 'a cat on a wall', Size: '3:2' };

	test('the model writes prompt and size, and gets one short answer with the URL', async () => {
		const { image, credits, execution } = await chat(cat);
		const [job] = n8n.sandbox.jobs;
		expect(n8n.sandbox.jobs.map(({ body }) => body)).toEqual([
			{ prompt: 'a cat on a wall', size: '3:2' },
		]);
		expect(image).toEqual({
			mediaUrl: expect.stringContaining(`/media/${job?.id}.png`),
			status: 'completed',
			jobId: job?.id,
			startedWith: 'generation',
			creditsUsed: 8,
		});
		expect(credits).toMatchObject({ credits_balance: expect.any(Number) });
		expect(outputsOf(execution, 'Agent')[0]?.[0]?.json.output).toContain(image.mediaUrl);
	});

	test('the model knows what the tools do, what a job costs, and what it is to fill in', async () => {
		await chat(cat);
		const byName = [...model.offered].sort((one, other) => one.name.localeCompare(other.name));
		expect(
			byName.map(({ name, description, parameters: { properties } }) => ({
				name,
				description,
				fields: Object.keys(properties),
			})),
		).toEqual([
			{
				name: 'Make_an_image',
				description: 'Make an image from a text prompt.\nCosts 8 credits.\nSize: 1:1, 3:2 or 2:3.',
				fields: ['Prompt', 'Size'],
			},
			{
				name: 'Read_the_credits',
				description: 'Get the credit summary in MediaGen Account',
				fields: [],
			},
		]);
	});

	test('of a job that fails, the model gets the reason and the ID', async () => {
		const { image } = await chat({ ...cat, Prompt: 'a cat [fail]' });
		expect(image).toEqual({
			error: expect.stringContaining('failed'),
			status: 'failed',
			errorMessage: expect.any(String),
			jobId: n8n.sandbox.jobs[0]?.id,
			startedWith: 'generation',
			creditsUsed: 8,
			charged: 'yes',
			retry: 'paysAgain',
			description: expect.any(String),
		});
	});

	test.each([
		['a size that there is not', { ...cat, Size: '1024x1024' }, {}, /Size .*1:1, 3:2, 2:3/],
		['the limit of credits', cat, { options: { maxCredits: 7 } }, /8 credits.*7/],
	])('%s: nothing is created, and the model reads why', async (_, input, change, reason) => {
		const { image } = await chat(input, change);
		expect(n8n.sandbox.jobs).toEqual([]);
		expect(image.error).toMatch(reason);
	});
});
