import fs from 'node:fs/promises';
import path from 'node:path';

import { ToolError } from './errors.mjs';
import { N8nClient, outputsOf } from './n8nClient.mjs';
import { startN8n } from './n8nServer.mjs';
import { step } from './run.mjs';
import { startSandbox } from './sandbox.mjs';
import { WATCHED } from './watch.mjs';

/** The workflow the demo runs. */
const EXAMPLE = 'imageFromPrompt.json';

/** The example's nodes: the one it starts from, and the one whose output is the result. */
const TRIGGER = 'Start';
const IMAGE_NODE = 'MediaGen Image';

/**
 * The simulated service and an n8n that is ready to use it.
 *
 * @typedef {object} Demo
 * @property {import('../../sandbox/server.mts').Sandbox} sandbox
 * @property {import('./n8nServer.mjs').N8nServer} server
 * @property {N8nClient} client
 * @property {import('./n8nClient.mjs').Login} login
 * @property {import('./n8nClient.mjs').Credential} credential
 * @property {import('./n8nClient.mjs').SavedWorkflow} workflow
 * @property {string} editorUrl Where the workflow can be seen.
 */

/**
 * Starts everything and loads the example. It ends with the tool.
 *
 * @param {object} options
 * @param {import('./n8nInstall.mjs').N8nInstall} options.n8n
 * @param {string} [options.tarball] The package, unless the user folder has it.
 * @param {string} [options.userFolder] Of n8n; a temporary one when left out.
 * @param {number} [options.port] n8n's; any free one when left out.
 * @param {boolean} [options.watch] Lets n8n load the package again whenever its files change.
 * @returns {Promise<Demo>}
 */
export async function startDemo({ n8n, tarball, userFolder, port, watch }) {
	const sandbox = await step('Starting the simulated service', () => startSandbox());
	const server = await step('Starting n8n with the package (about 8 s)', () =>
		startN8n({ n8n, tarball, userFolder, port, ...(watch && WATCHED) }),
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
	const started = { sandbox, server, client, login, credential };
	return { ...started, ...(await importExample(started, EXAMPLE)) };
}

/**
 * Loads an example with the credential of the sandbox.
 *
 * @param {Pick<Demo, 'server' | 'client' | 'credential'>} demo
 * @param {string} file In the folder of the examples.
 * @param {object} [options] Of the nodes of this package, in place of those in the example.
 */
export async function importExample({ server, client, credential }, file, options) {
	const example = JSON.parse(await fs.readFile(path.join('examples', file), 'utf8'));
	for (const { type, parameters } of example.nodes) {
		if (options && type.startsWith('n8n-nodes-mediagen.')) parameters.options = options;
	}
	const workflow = await client.importWorkflow(example, [credential]);
	return { workflow, editorUrl: `${server.url}/workflow/${workflow.id}` };
}

/**
 * Runs the example, telling what becomes of its job.
 *
 * @param {Demo} demo
 * @returns {Promise<any>} What the image node gave out.
 */
export async function runExample({ sandbox, client, workflow }) {
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
