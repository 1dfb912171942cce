import process from 'node:process';

import { closeAll } from '../../tools/lib/lifecycle.mjs';
import { importTypeScript } from '../../tools/lib/typeScript.mjs';

/**
 * Starts one n8n, one browser and the sandbox for all tests in the editor, which take them from
 * {@link file://./editorEnvironment.cjs}.
 */
export default async function setUp() {
	const { startSandbox } = await importTypeScript('tools/lib/sandbox.mts');
	const { n8nFromEnv } = await importTypeScript('tools/lib/n8nInstall.mts');
	const { startN8n } = await importTypeScript('tools/lib/n8nServer.mts');
	const { N8nClient } = await importTypeScript('tools/lib/n8nClient.mts');
	const { Editor } = await importTypeScript('tools/lib/editor.mts');
	const { N8nRuns } = await importTypeScript('test/support/n8nRuns.mts');
	const sandbox = await startSandbox();
	const tarball = process.env.MEDIAGEN_TARBALL;
	const { url } = await startN8n({ n8n: n8nFromEnv(), tarball });
	const client = new N8nClient(url);
	const n8n = new N8nRuns(client, await client.setUpOwner(), sandbox);
	const editor = await Editor.open(url, n8n.login);
	Object.assign(globalThis, { mediaGenEditor: { editor, n8n }, endMediaGenEditor: closeAll });
}
