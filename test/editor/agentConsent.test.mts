import { readExample } from '../../tools/lib/examples.mts';
import { startChatModel, type ChatModel } from '../support/chatModel.mts';
import { useEditor } from '../support/useEditor.mts';

/** In the editor's chat, an agent asks before it spends: the example, as somebody tries it. */

const { editor, n8n } = useEditor();

let model: ChatModel;

beforeEach(async () => {
	n8n.sandbox.settings.jobMs = { min: 0, max: 0 };
	model = await startChatModel({ Prompt: 'A cat jumps onto a wall.' });
	const openAiApi = await n8n.client.createCredential('openAiApi', 'A model', {
		apiKey: 'none',
		url: model.url,
	});
	const { workflow } = readExample('agentAsksFirst');
	const tool = workflow.nodes.find(({ name }) => name === 'Make a video')!;
	tool.parameters = { ...tool.parameters, options: { maxCredits: 100 } };
	const { id } = await n8n.client.importWorkflow(workflow, [n8n.credential, openAiApi]);
	await editor.openWorkflow(`${editor.url}/workflow/${id}`);
	await editor.say('A video of a cat, please.');
	await chat().getByText('Make this video for 100 credits?').waitFor();
});

afterEach(async () => {
	await model.close();
});

const chat = () => editor.page.locator('[data-test-id="canvas-chat"]');

test('yes: the video is made, and the chat has its address', async () => {
	expect(await chat().innerText()).toContain('A cat jumps onto a wall.');
	expect(n8n.sandbox.jobs).toEqual([]);
	await chat().getByText('Make it', { exact: true }).click();
	await chat().getByText('.mp4').waitFor();
	expect(n8n.sandbox.account.charges.map(({ credits }) => credits)).toEqual([100]);
});

test('no: nothing is made', async () => {
	await chat().getByText('No', { exact: true }).click();
	await chat().getByText('rejected').waitFor();
	expect(n8n.sandbox.jobs).toEqual([]);
});
