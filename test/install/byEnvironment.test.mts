import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { removeFolder } from '../../tools/lib/temporaryFolder.mts';
import { installedPackages, offeredTypes, OPEN_TO_PACKAGES } from '../support/communityNodes.mts';
import { startNpmRegistry, type NpmRegistry } from '../support/npmRegistry.mts';
import { startRealN8n, type RealN8n } from '../support/realN8n.mts';

/** The package as an operator installs it: by the variables that docs/install.md gives, and n8n's rules for them. */

jest.setTimeout(400_000);

let folder = '';
let registry: NpmRegistry;
let n8n: RealN8n;
/** Of n8n, read at each of its starts. */
const env: Record<string, string> = {};

beforeAll(async () => {
	folder = await fs.mkdtemp(path.join(await fs.realpath(os.tmpdir()), 'mediagen-by-env-'));
	registry = await startNpmRegistry();
});

afterAll(async () => {
	await n8n?.stop();
	await registry.close();
	await removeFolder(folder);
});

/** The variables of docs/install.md, for the version that the registry has. */
async function documented(version: string): Promise<Record<string, string>> {
	const page = await fs.readFile('docs/install.md', 'utf8');
	const [, block = ''] = /```ini\n([\s\S]*?)```/.exec(page) ?? [];
	const lines = block
		.replace(/"version": *"[^"]+"/, `"version":"${version}"`)
		.trim()
		.split('\n');
	return Object.fromEntries(lines.map((line) => [line.split('=')[0], line.replace(/^\w+=/, '')]));
}

test('n8n installs what the variables name', async () => {
	const version = await registry.publish(process.env.MEDIAGEN_TARBALL!);
	Object.assign(env, registry.env, OPEN_TO_PACKAGES, await documented(version));
	n8n = await startRealN8n({ userFolder: folder, env });
	expect(await offeredTypes(n8n.client)).toHaveLength(5);
	const [{ installedVersion } = { installedVersion: '' }] = await installedPackages(n8n.client);
	expect(installedVersion).toBe(version);
});

test('n8n uninstalls what they no longer name', async () => {
	await n8n.kill('SIGTERM');
	env.N8N_COMMUNITY_PACKAGES = '[]';
	await n8n.restart();
	expect(await installedPackages(n8n.client)).toEqual([]);
	expect(await offeredTypes(n8n.client)).toEqual([]);
});
