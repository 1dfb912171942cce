import { randomUUID } from 'node:crypto';
import axios from 'axios';

import {
	ONE_REQUEST_EACH,
	type Execution,
	type SavedWorkflow,
} from '../../tools/lib/n8nClient.mts';
import { startChatModel, type ChatModel } from '../support/chatModel.mts';
import { submitForm } from '../support/forms.mts';
import { useExamples } from '../support/useExamples.mts';
import { useOtherServices } from '../support/otherServices.mts';

/** Examples that ask before they spend: in a chat, and in a channel of Slack. */

const slack = useOtherServices({
	'POST slack.com/api/chat.postMessage': { body: { ok: true, message: {} } },
});

const { n8n, addCredential, importExample } = useExamples({
	sandbox: { jobMs: { min: 0, max: 0 } },
});

jest.setTimeout(150_000);

beforeAll(async () => {
	await addCredential('slackApi', { accessToken: 'xoxb-of-a-test' });
});

/** n8n lets no program approve, such as one that shows what is behind a link. */
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';

const follow = async (link: string) =>
	await axios.get(link, {
		headers: { 'User-Agent': BROWSER },
		...{ proxy: false, httpAgent: ONE_REQUEST_EACH },
	});

const charges = () => n8n.sandbox.account.charges.map(({ credits }) => credits);

describe('agentAsksFirst', () => {
	let model: ChatModel;

	afterEach(async () => {
		await model.close();
	});

	const saidBy = ({ runData }: Execution, node: string) => {
		const { data } = runData[node]?.[0] as any;
		return (data.ai_tool ?? data.main)[0][0].sendMessage;
	};

	/** The model wants a video, and the person is asked. @param change of the parameters of the tool */
	async function ask(change: object = {}) {
		model = await startChatModel({ Prompt: 'A cat jumps onto a wall.' });
		const data = { apiKey: 'none', url: model.url };
		const { id, name } = await n8n.client.createCredential('openAiApi', randomUUID(), data);
		const workflow = await importExample('agentAsksFirst.json', {
			'Chat model': { credentials: { openAiApi: { id, name } } },
			'Make a video': { parameters: change },
		});
		const message = { sessionId: randomUUID(), action: 'sendMessage', chatInput: 'A cat, please.' };
		const execution = await n8n.client.runManually(workflow, 'Chat', message);
		const until = ['waiting', 'success', 'error'];
		const asked = await n8n.client.waitForExecution(execution, { until });
		expect([asked.status, asked.lastNode]).toEqual(['waiting', 'Ask first']);
		const { text, buttons } = saidBy(asked, 'Ask first');
		expect(n8n.sandbox.jobs).toEqual([]);
		/** Presses a button, and reads what the tool and the agent have said by then. */
		const press = async (label: string) => {
			await follow(buttons.find((button: any) => button.text === label).link);
			const ended = await n8n.client.waitForExecution(execution, { until });
			expect([ended.error, ended.lastNode]).toEqual([undefined, 'Answer']);
			return { tool: model.answers.Make_a_video ?? '', answer: saidBy(ended, 'Answer') };
		};
		return { text, press };
	}

	test('yes: the person reads prompt and price, and the video is made for it', async () => {
		const { text, press } = await ask();
		expect(text).toBe('Make this video for 100 credits?\n\nA cat jumps onto a wall.');
		const { answer } = await press('Make it');
		const [job] = n8n.sandbox.jobs;
		expect(job?.body).toMatchObject({ prompt: 'A cat jumps onto a wall.' });
		expect(charges()).toEqual([100]);
		expect(answer).toContain(`/media/${job?.id}.mp4`);
	});

	test('no: nothing is made, and the model knows that a person said so', async () => {
		const { press } = await ask();
		const { tool } = await press('No');
		expect(n8n.sandbox.jobs).toEqual([]);
		expect(tool).toContain('rejected');
	});

	test('what costs more than the person has read is not made', async () => {
		const { press } = await ask({ model: 'modelA' });
		const { tool } = await press('Make it');
		expect(n8n.sandbox.jobs).toEqual([]);
		expect(tool).toMatch(/250 credits.*100/);
	});
});

describe('approveInSlack', () => {
	/** Somebody asks for a video of a kite, and the team has been asked. */
	async function ask(): Promise<SavedWorkflow> {
		const workflow = await importExample('approveInSlack.json');
		await submitForm(n8n, workflow, 'Ask for a video', ['A kite']);
		await n8n.client.waitForWorkflow(workflow, { until: ['waiting', 'success', 'error'] });
		return workflow;
	}

	/** Presses a button of the last message; gives the texts that follow. */
	async function press(workflow: SavedWorkflow, label: string): Promise<string[]> {
		const buttons = slack.calls.at(-1)?.body.blocks.at(-1).elements;
		await follow(buttons.find((button: any) => button.text.text === label).url);
		const { status, error } = await n8n.client.waitForWorkflow(workflow);
		expect([status, error?.message]).toEqual(['success', undefined]);
		return slack.calls.slice(1).map(({ body }) => body.text);
	}

	test('the team sees picture and price, and gets the video once somebody has approved', async () => {
		const workflow = await ask();
		const [asked] = slack.calls;
		const picture = `${n8n.sandbox.url}/media/${n8n.sandbox.jobs[0]?.id}.png`;
		expect(asked?.headers.authorization).toBe('Bearer xoxb-of-a-test');
		expect(asked?.body).toMatchObject({ channel: '#media' });
		expect(asked?.body.blocks[1].text.text).toBe(
			`A video of this for 250 credits? A kite\n${picture}`,
		);
		expect(charges()).toEqual([8]);
		const texts = await press(workflow, 'Make the video');
		const video = n8n.sandbox.jobs.at(-1);
		expect(video?.body).toMatchObject({ imageUrls: [picture], model: 'modelA' });
		expect(charges()).toEqual([8, 250]);
		expect(texts).toEqual([`Here it is: A kite\n${n8n.sandbox.url}/media/${video?.id}.mp4`]);
	});

	test('no: no video is paid for', async () => {
		expect(await press(await ask(), 'No')).toEqual([]);
		expect(charges()).toEqual([8]);
	});

	test('a video that fails: the team reads why, and which job it was', async () => {
		const workflow = await ask();
		n8n.sandbox.settings.failPrompt = 'kite';
		expect(await press(workflow, 'Make the video')).toEqual([
			[
				'There is no video of this: A kite',
				'The sandbox was asked to fail this generation.',
				`Job: ${n8n.sandbox.jobs[1]?.id}`,
			].join('\n'),
		]);
	});
});
