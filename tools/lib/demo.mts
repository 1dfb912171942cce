import type { Sandbox } from '../../sandbox/server.mts';
import { ToolError } from './errors.mjs';
import { readExamples } from './examples.mts';
import {
	N8nClient,
	outputsOf,
	type Credential,
	type SavedWorkflow,
	type WorkflowNode,
} from './n8nClient.mts';
import { ensureN8n } from './n8nInstall.mts';
import { startN8n } from './n8nServer.mts';
import { buildPackage } from './packageBuild.mts';
import { step } from './run.mjs';
import { startSandbox } from './sandbox.mts';
import { WATCHED } from './watch.mts';
import { n8nNode } from './workflowNodes.mts';

/** Nodes of the first example: the one it starts from, and the one that makes the picture. */
const TRIGGER = 'Start';
const IMAGE_NODE = 'MediaGen Image';

/** Enough for every example, several times. */
const CREDITS = 10_000;

/** What the examples are found by. n8n has folders, too, but with a licence only (`feat:folders`). */
const TAG = 'MediaGen examples';

export type Demo = Awaited<ReturnType<typeof startDemo>>;

/** Starts everything and loads the examples. It ends with the tool. */
export async function startDemo({
	port,
	watch,
}: {
	/** n8n's; any free one when left out. */
	port?: number;
	/** Lets n8n load the package again whenever its files change. */
	watch?: boolean;
} = {}) {
	const n8n = await ensureN8n();
	const tarball = await buildPackage();
	const sandbox = await step('Starting the simulated service', () =>
		startSandbox({ credits: { purchased: CREDITS, welcome: 0 } }),
	);
	const server = await step('Starting n8n with the package (8 to 20 s)', () =>
		startN8n({ n8n, tarball, port, ...(watch && WATCHED) }),
	);
	const client = new N8nClient(server.url);
	const login = await client.setUpOwner();
	const credential = await client.createCredential('mediaGenApi', 'MediaGen API (sandbox)', {
		baseUrl: sandbox.url,
		apiKey: sandbox.key,
		headerForm: 'bearer',
		// What the document leaves open, the sandbox has somewhere.
		...sandbox.settings.openPaths,
	});
	const workflow = await importExamples(client, credential, demoNote(sandbox));
	/** Its node that makes the picture, open in the editor. */
	const editorUrl = `${server.url}${firstPanel(workflow)}`;
	let running = server;
	/** Ends n8n as `kill -9` does, and starts it again where it was. */
	const restart = async () => {
		await running.kill();
		// On the same folder, which goes with the first one: nothing that n8n has stored is lost.
		const settings = { n8n, userFolder: server.userFolder, port: Number(new URL(server.url).port) };
		running = await startN8n({ ...settings, ...(watch && WATCHED) });
	};
	return { sandbox, server, client, login, credential, workflow, editorUrl, restart };
}

const demoNote = ({ settings }: Sandbox) =>
	`## In this demo\nA job fails when its prompt has **${settings.failPrompt}** in it. Type **restart** in the terminal, and n8n is killed and started again: what it has stored stays.`;

export async function importExamples(client: N8nClient, credential: Credential, note?: string) {
	const tag = await client.createTag(TAG);
	const [first, ...others] = readExamples();
	if (!first) throw new ToolError('There are no examples.');
	// The last one first: n8n lists what was saved last at the top.
	for (const { workflow } of others.reverse()) {
		await client.importWorkflow(workflow, [credential], [tag]);
	}
	const { nodes, ...workflow } = first.workflow;
	const noted = { ...workflow, nodes: [...nodes, ...(note ? [noteNode(note)] : [])] };
	return await client.importWorkflow(noted, [credential], [tag]);
}

const noteNode = (content: string): WorkflowNode => ({
	...n8nNode('In this demo', 'stickyNote', 1, { content, width: 420, height: 160, color: 5 }),
	id: 'd0000000-0000-4000-8000-000000000000',
	position: [0, 240],
});

/** The path in the editor where the prompt is typed, the node run, and its picture viewed. */
export function firstPanel({ id, nodes }: SavedWorkflow) {
	return `/workflow/${id}/${nodes.find(({ name }) => name === IMAGE_NODE)?.id}`;
}

export async function runExample({ sandbox, client, workflow }: Demo): Promise<any> {
	const id = await client.runManually(workflow, TRIGGER);
	let shown = '';
	const onPoll = () => {
		const job = sandbox.jobs.at(-1);
		const state = job ? `job ${job.id}: ${job.state}` : 'no job yet';
		if (state !== shown) console.log(`  ${state}`);
		shown = state;
	};
	const execution = await client.waitForExecution(id, { onPoll });
	const [item] = outputsOf(execution, IMAGE_NODE)[0] ?? [];
	if (execution.status === 'success' && item) return item.json;
	const { message = execution.status, description = '' } = execution.error ?? {};
	throw new ToolError(`The example workflow did not finish: ${message}\n${description}`);
}
