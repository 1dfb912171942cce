import { randomUUID } from 'node:crypto';
import axios from 'axios';

import {
	outputsOf,
	type Execution,
	type Item,
	type SavedWorkflow,
} from '../../tools/lib/n8nClient.mts';
import { bytesOf, wavFile } from '../support/audioFiles.mts';
import { startChatModel, type ChatModel } from '../support/chatModel.mts';
import { submitForm } from '../support/formPages.mts';
import { useExamples, type NodeChanges } from '../support/useExamples.mts';

/** Examples that talk to a person: in forms, and in a chat. */

const { n8n, importExample } = useExamples({ sandbox: { jobMs: { min: 0, max: 0 } } });

jest.setTimeout(150_000);

const recording = () =>
	new File([new Uint8Array(bytesOf(wavFile({ seconds: 20 })))], 'voice.wav', { type: 'audio/wav' });

/** n8n lets no program approve, such as one that shows what is behind a link. */
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';

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

let model: ChatModel;

afterEach(async () => {
	await model?.close();
});

/**
 * Starts an agent's chat.
 *
 * @param input what the model calls each tool with
 * @returns the id of the execution
 */
async function startChat(file: string, input: object, changes: NodeChanges = {}): Promise<string> {
	model = await startChatModel(input);
	const openAiApi = await n8n.client.createCredential('openAiApi', randomUUID(), {
		apiKey: 'none',
		url: model.url,
	});
	const saved = await importExample(file, {
		'Chat model': { credentials: { openAiApi: { id: openAiApi.id, name: openAiApi.name } } },
		...changes,
	});
	const message = { sessionId: randomUUID(), action: 'sendMessage', chatInput: 'A cat, please.' };
	return await n8n.client.runManually(saved, 'Chat', message);
}

describe('agentWithTools', () => {
	/** @param change of the parameters of the image tool */
	async function chat(input: object, change: object = {}) {
		const changes = { 'Make an image': { parameters: change } };
		const id = await startChat('agentWithTools.json', input, changes);
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

	test('the model writes prompt and size, a dropdown, and gets the item with the URL', async () => {
		const { image, credits, execution } = await chat(cat);
		const [job] = n8n.sandbox.jobs;
		expect(n8n.sandbox.jobs.map(({ body }) => body)).toEqual([
			{ prompt: 'a cat on a wall', size: '3:2' },
		]);
		expect(image).toMatchObject({
			mediaUrl: expect.stringContaining(`/media/${job?.id}.png`),
			status: 'completed',
			jobId: job?.id,
			creditsUsed: 8,
			details: { startedWith: 'generation' },
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
				description: 'Generate an image from a text prompt; costs 8 credits.',
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
		expect(image).toMatchObject({
			error: expect.stringContaining('failed'),
			status: 'failed',
			errorMessage: expect.any(String),
			jobId: n8n.sandbox.jobs[0]?.id,
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

describe('agentAsksFirst', () => {
	const FIRST_LOOK = { options: { maxCredits: 100 } };

	/** The model wants a video, and the person is asked. */
	async function ask(change: object = FIRST_LOOK, more: object = {}) {
		const changes = { 'Make a video': { parameters: change } };
		const input = { Prompt: 'A cat jumps onto a wall.', ...more };
		const id = await startChat('agentAsksFirst.json', input, changes);
		const asked = await n8n.client.waitForExecution(id, { until: ['waiting', 'success', 'error'] });
		expect([asked.status, asked.lastNode]).toEqual(['waiting', 'Ask first']);
		const { text, buttons } = saidBy(asked, 'Ask first');
		expect(n8n.sandbox.jobs).toEqual([]);
		/** Presses a button, and reads what the tool and the agent have said by then. */
		const press = async (label: string) => {
			const { link } = buttons.find((button: any) => button.text === label);
			await axios.get(link, { headers: { 'User-Agent': BROWSER }, proxy: false });
			const until = ['waiting', 'success', 'error'];
			const ended = await n8n.client.waitForExecution(id, { until });
			expect([ended.error, ended.lastNode]).toEqual([undefined, 'Answer']);
			return { tool: model.answers.Make_a_video ?? '', answer: saidBy(ended, 'Answer') };
		};
		return { text, buttons, press };
	}

	const saidBy = ({ runData }: Execution, node: string) => {
		const { data } = runData[node]?.[0] as any;
		return (data.ai_tool ?? data.main)[0][0].sendMessage;
	};

	test('the person reads the prompt and the price, before anything is paid for', async () => {
		const { text, buttons } = await ask();
		expect(text).toBe('Make this video for 100 credits?\n\nA cat jumps onto a wall.');
		expect(buttons.map((button: any) => button.text)).toEqual(['Make it', 'No']);
		expect(n8n.sandbox.account.charges).toEqual([]);
		const tool = model.offered.find(({ name }) => name === 'Make_a_video');
		expect(tool?.description).toBe('Make a video of 16:9 from a prompt. Costs 100 credits.');
	});

	test('yes: one video is made, for the price that the person has read', async () => {
		const { press } = await ask();
		const { tool, answer } = await press('Make it');
		expect(n8n.sandbox.jobs.map(({ body }) => body)).toEqual([
			expect.objectContaining({ prompt: 'A cat jumps onto a wall.', model: 'modelA_fast' }),
		]);
		expect(n8n.sandbox.account.charges.map(({ credits }) => credits)).toEqual([100]);
		const [job] = n8n.sandbox.jobs;
		expect(tool).toContain(`/media/${job?.id}.mp4`);
		expect(answer).toContain(`/media/${job?.id}.mp4`);
	});

	test('a model that hides another prompt: the person reads the one that is sent', async () => {
		const { text, press } = await ask(FIRST_LOOK, { query: { Prompt: 'A dog.' } });
		expect(text).toContain('A dog.');
		await press('Make it');
		expect(n8n.sandbox.jobs.map(({ body }) => body.prompt)).toEqual(['A dog.']);
	});

	test('no: nothing is made, and the model knows that a person said so', async () => {
		const { press } = await ask();
		const { tool } = await press('No');
		expect(n8n.sandbox.jobs).toEqual([]);
		expect(tool).toContain('rejected');
	});

	test('what costs more than the person has read is not made', async () => {
		const { press } = await ask({ ...FIRST_LOOK, model: 'modelA' });
		const { tool } = await press('Make it');
		expect(n8n.sandbox.jobs).toEqual([]);
		expect(tool).toMatch(/250 credits.*100/);
	});
});
