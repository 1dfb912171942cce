import path from 'node:path';

import type { Sandbox } from '../../sandbox/server.mts';
import { ToolError } from './errors.mjs';
import { FIRST, readExamples } from './examples.mts';
import {
	N8nClient,
	outputsOf,
	type Credential,
	type SavedWorkflow,
	type WorkflowNode,
} from './n8nClient.mts';
import { ensureN8n } from './n8nInstall.mts';
import { startN8n, type N8nServer } from './n8nServer.mts';
import { savedCredential } from '../../test/support/serviceDetails.mts';
import { buildPackage } from './packageBuild.mts';
import { print, run, step } from './run.mjs';
import { startSandbox } from './sandbox.mts';
import { n8nNode } from './workflowNodes.mts';

/** In the first workflow: the trigger, and the node that makes the picture. */
const TRIGGER = 'Start';
const IMAGE_NODE = 'MediaGen Image';

/** Enough to run every example several times. */
const CREDITS = 10_000;

/** The tag that groups the examples; n8n's folders need a licence (`feat:folders`). */
const TAG = 'MediaGen examples';

/** Where the debugger of a watched n8n listens: Node's usual port, on this machine only. */
export const DEBUGGER = '127.0.0.1:9229';

/** Options that make an n8n reload the package whenever its files change. */
const WATCHED = {
	env: { N8N_DEV_RELOAD: 'true' },
	nodeFlags: [`--inspect=${DEBUGGER}`],
};

export type Demo = Awaited<ReturnType<typeof startDemo>>;

/** Starts everything and loads the examples. It all ends with the tool. */
export async function startDemo({
	port,
	watch,
}: {
	/** The port for n8n; any free one when left out. */
	port?: number;
	/** Makes n8n reload the package whenever its files change. */
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
	const credential = await client.createCredential(
		'mediaGenApi',
		'MediaGen API (sandbox)',
		// With the paths that the service's documentation leaves open, as the sandbox has them.
		savedCredential({
			baseUrl: sandbox.url,
			apiKey: sandbox.key,
			...sandbox.settings.openPaths,
		}),
	);
	const workflow = await importExamples(client, credential, demoNote(sandbox));
	/** The address of the node that makes the picture, open in the editor. */
	const editorUrl = `${server.url}${firstPanel(workflow)}`;
	let running = server;
	/** Kills n8n as `kill -9` does, and starts it again at the same port. */
	const restart = async () => {
		await running.kill();
		// The folder is the same, so nothing that n8n has stored is lost. It is removed when the tool ends.
		const settings = { n8n, userFolder: server.userFolder, port: Number(new URL(server.url).port) };
		running = await startN8n({ ...settings, ...(watch && WATCHED) });
	};
	return { sandbox, server, client, login, credential, workflow, editorUrl, restart };
}

const demoNote = ({ settings }: Sandbox) =>
	`## In this demo\nA job fails when its prompt has **${settings.failPrompt}** in it. Type **restart** in the terminal, and n8n is killed and started again: what it has stored stays.`;

export async function importExamples(client: N8nClient, credential: Credential, note?: string) {
	const tag = await client.createTag(TAG);
	// In reverse order, since n8n lists what was saved last at the top.
	for (const { workflow } of readExamples().reverse()) {
		await client.importWorkflow(workflow, [credential], [tag]);
	}
	const { nodes, ...workflow } = FIRST;
	const noted = { ...workflow, nodes: [...nodes, ...(note ? [noteNode(note)] : [])] };
	return await client.importWorkflow(noted, [credential], [tag]);
}

const noteNode = (content: string): WorkflowNode => ({
	...n8nNode('In this demo', 'stickyNote', 1, { content, width: 420, height: 160, color: 5 }),
	id: 'd0000000-0000-4000-8000-000000000000',
	position: [0, 240],
});

/** The path of the editor's panel in which a person types the prompt, runs the node and views its picture. */
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

/**
 * Compiles the sources into the package that a running n8n has installed, and again after each change, until the tool
 * ends. Source maps let breakpoints in the sources work in n8n.
 */
export function watchSources({ userFolder }: N8nServer) {
	const packages = path.join(userFolder, '.n8n', 'nodes', 'node_modules');
	const outDir = path.join(packages, 'n8n-nodes-mediagen', 'dist');
	const compiler = path.join('node_modules', '.bin', 'tsc');
	const flags = ['--watch', '--preserveWatchOutput', '--sourceMap', '--outDir', outDir];
	void run(compiler, flags, { show: print });
}
