import { startChatModel } from '../../test/support/chatModel.mts';
import type { Demo } from './demo.mts';
import type { Box, Editor } from './editor.mts';
import { readExample, readExamples, pictureOf } from './examples.mts';
import { onEnd } from './lifecycle.mjs';
import type { WorkflowNode, Workflow } from './n8nClient.mts';
import { connectionsOf, mediaGenNode as mediaGen, n8nNode } from './workflowNodes.mts';

type Stage = Demo & { editor: Editor };

interface Picture {
	/** The name of its file, without the extension and the theme. */
	name: string;
	/** Brings the editor to what the picture shows, and returns that part of the window; undefined for all of it. */
	show: (stage: Stage) => Promise<Box | undefined>;
}

const PROMPT = 'A lighthouse at dusk, seen from the sea, in soft watercolours';

const IMAGE = { resource: 'image', operation: 'generate', prompt: PROMPT, size: '3:2' };

/** The nodes of each panel: the last one is shown after a run, the others come before it. */
const PANELS: Record<string, WorkflowNode[]> = {
	imageNode: [mediaGen('Image', { ...IMAGE, downloadMedia: true })],
	videoNodeA31: [
		{ ...mediaGen('Image', IMAGE), name: 'First frame' },
		mediaGen('Video', {
			...{ resource: 'vidA31', operation: 'generate', model: 'modelA_fast', aspectRatio: '16:9' },
			prompt: 'The light turns on while the camera comes closer',
			imageUrls: '={{ [$json.mediaUrl] }}',
		}),
	],
	videoNodeE26: [
		mediaGen('Video', {
			...{ resource: 'vidE26', operation: 'textToVideo', duration: '5', resolution: '720p' },
			prompt: 'Fog rolls over a pine forest at dawn, seen from above',
		}),
	],
	musicNode: [
		mediaGen('Music', {
			...{ resource: 'song', operation: 'generate', instrumental: false, model: 'V5_5' },
			prompt: 'A slow folk song about a lighthouse keeper who waits for spring',
		}),
	],
	accountNode: [
		mediaGen('Account', {
			...{ resource: 'credits', operation: 'get' },
		}),
	],
};

const SCENES = [
	...['A lighthouse at dusk', 'A paper boat after the rain', 'A red fox in the snow'],
	...['A tram in the first sun', 'A kitchen full of herbs', 'An owl on a weathered gate'],
	...['A harbour in the fog', 'A bicycle below a lime tree', 'A meadow with a lone birch'],
	...['A lantern in a window', 'A bridge over a quiet river', 'A kite above the dunes'],
];

/** A page with all pictures of the batch, two per row. */
const CONTACT_SHEET =
	'{{ $input.all().map(({ json }) => `<img src="${json.mediaUrl}" width="48%">`).join("\\n") }}';

/** A batch with one item for each scene, and a page that shows all results side by side. */
const BATCH: WorkflowNode[] = [
	n8nNode('Scenes', 'set', 3.4, {
		mode: 'raw',
		jsonOutput: JSON.stringify({ scenes: SCENES }),
		options: {},
	}),
	n8nNode('One item each', 'splitOut', 1, {
		fieldToSplitOut: 'scenes',
		options: { destinationFieldName: 'prompt' },
	}),
	mediaGen('Image', { ...IMAGE, prompt: '={{ $json.prompt }}', downloadMedia: true }),
	{
		...n8nNode('Contact sheet', 'html', 1.2, {
			operation: 'generateHtmlTemplate',
			html: CONTACT_SHEET,
		}),
		executeOnce: true,
	},
];

export const PICTURES: Picture[] = [
	{ name: 'credential', show: showCredential },
	...Object.entries(PANELS).map(([name, nodes]) => ({
		name,
		show: inPanel((stage) => showRunNode(stage, nodes, name === 'imageNode')),
	})),
	{ name: 'triggerNode', show: inPanel(showTrigger) },
	{ name: 'editor', show: showFirst },
	{ name: 'batch', show: showBatch },
	{ name: 'results', show: inPanel(showResults) },
	{ name: 'jobIdList', show: inPanel(showJobIdList) },
	{ name: 'consent', show: showConsent },
	...readExamples().map(({ name, workflow }) => ({
		name: pictureOf(name),
		show: (stage: Stage) => showExample(stage, workflow),
	})),
];

async function showCredential({ editor, credential }: Stage) {
	await editor.openCredential(credential);
	await editor.page.getByText('Connection tested successfully').waitFor();
	return await editor.boxOf('editCredential-modal');
}

/** The panel of a node. */
function inPanel(show: (stage: Stage) => Promise<unknown>): Picture['show'] {
	return async (stage) => {
		await show(stage);
		return await stage.editor.boxOf('ndv');
	};
}

async function showRunNode(stage: Stage, nodes: WorkflowNode[], file?: boolean) {
	const { editor } = stage;
	await openLast(stage, nodes);
	await editor.executeStep();
	await (file ? editor.viewFile() : editor.showOutputAs('JSON'));
}

async function showTrigger(stage: Stage) {
	const { editor, client, workflow } = stage;
	// The trigger needs a job that has ended.
	await client.waitForExecution(await client.runManually(workflow, 'Start'));
	const trigger = withCredential(stage, mediaGen('Trigger', {}));
	await editor.openNodes([trigger]);
	await editor.openPanel(trigger.name);
	await editor.fetchTestEvent();
}

async function showFirst({ editor, server, workflow }: Stage) {
	await editor.openWorkflow(`${server.url}/workflow/${workflow.id}`);
	return await showRun(editor, workflow);
}

async function showBatch(stage: Stage) {
	const workflow = await openChain(stage, BATCH);
	return await showRun(stage.editor, workflow);
}

/** The canvas after a run of the workflow that is open. */
async function showRun(editor: Editor, workflow: Workflow) {
	await editor.runWorkflow();
	return await editor.showCanvas(workflow);
}

/** The files of a batch, and the page with its pictures. */
async function showResults(stage: Stage) {
	const { editor } = stage;
	await openLast(stage, BATCH);
	await editor.executeStep();
	await editor.waitForPictures(SCENES.length);
}

async function showJobIdList(stage: Stage) {
	const { client, workflow } = stage;
	await client.waitForExecution(await client.runManually(workflow, 'Start'));
	const jobId = { __rl: true, mode: 'list', value: '' };
	const read = { resource: 'job', operation: 'get', jobId };
	const panel = await openLast(stage, [mediaGen('Image', read)]);
	await panel.locator('Job ID').open();
}

/** An agent that asks in the chat before it spends credits. */
async function showConsent({ editor, client, credential, server }: Stage) {
	const model = await startChatModel({
		Prompt: 'A lighthouse at dusk. Its light turns on while the camera comes closer.',
	});
	onEnd(model.close);
	const data = { apiKey: 'none', url: model.url };
	const openAi = await client.createCredential('openAiApi', 'OpenAI', data);
	const { workflow } = readExample('agentAsksFirst');
	const { id } = await client.importWorkflow(workflow, [credential, openAi]);
	await editor.page.setViewportSize({ width: 1400, height: 1200 });
	await editor.openWorkflow(`${server.url}/workflow/${id}`);
	await editor.say('A video of a lighthouse, please.');
	await editor.page.getByText('Make it', { exact: true }).waitFor();
	await editor.showAllNodes();
	return undefined;
}

async function showExample({ editor, client, credential, server }: Stage, workflow: Workflow) {
	const { id } = await client.importWorkflow(workflow, [credential]);
	await editor.openWorkflow(`${server.url}/workflow/${id}`);
	return await editor.showCanvas(workflow);
}

/** Opens a workflow of consecutive nodes, and the panel of the last one. */
async function openLast(stage: Stage, nodes: WorkflowNode[]) {
	const saved = await openChain(stage, nodes);
	return await stage.editor.openPanelAt(`/workflow/${saved.id}/${saved.nodes.at(-1)?.id}`);
}

/** Opens a workflow of consecutive nodes. */
async function openChain(stage: Stage, nodes: WorkflowNode[]) {
	const all = [
		n8nNode('Start', 'manualTrigger', 1),
		...nodes.map((node) => withCredential(stage, node)),
	];
	const connections = connectionsOf(nodes.map(({ name }, index) => [all[index]!.name, name]));
	const settings = { executionOrder: 'v1' };
	const workflow = { name: 'A workflow', nodes: all, connections, settings };
	const saved = await stage.client.createWorkflow(workflow);
	await stage.editor.openWorkflow(`${stage.server.url}/workflow/${saved.id}`);
	return saved;
}

function withCredential(
	{ credential: { id, name, type } }: Stage,
	node: WorkflowNode,
): WorkflowNode {
	return node.credentials ? { ...node, credentials: { [type]: { id, name } } } : node;
}
