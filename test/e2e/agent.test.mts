import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';

import { outputsOf, type WorkflowNode } from '../../tools/lib/n8nClient.mjs';
import { startChatModel, type ChatModel } from '../support/chatModel.mts';
import { useRealN8n } from '../support/useRealN8n.mts';

/** The example with an agent, in a real n8n, with a stand-in for its model. */

const n8n = useRealN8n();

jest.setTimeout(60_000);

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
	const workflow = JSON.parse(readFileSync('examples/agentWithTools.json', 'utf8'));
	const tool = workflow.nodes.find(({ name }: WorkflowNode) => name === 'Make an image');
	Object.assign(tool.parameters, change);
	const saved = await n8n.client.importWorkflow(workflow, [n8n.credential, openAiApi]);
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
			description: 'Make an image from a text prompt. Costs 8 credits. Size: 1:1, 3:2 or 2:3.',
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
