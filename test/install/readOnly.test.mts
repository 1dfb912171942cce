import { execFile, execFileSync } from 'node:child_process';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import util from 'node:util';

import { n8nFromEnv, type N8nInstall } from '../../tools/lib/n8nInstall.mts';
import { installTarball } from '../../tools/lib/packageBuild.mts';
import { removeFolder } from '../../tools/lib/temporaryFolder.mts';
import { parameters, prompts } from '../support/imageBatch.mts';
import { startRealN8n, type RealN8n } from '../support/realN8n.mts';

/** The package as in a container's image: in a folder that n8n may not write to. */

jest.setTimeout(240_000);

const run = util.promisify(execFile);

/** Nobody in particular. */
const OTHER_USER = 65_534;

/** What lets root write where it may not, or allow itself to. */
const PRIVILEGES = ['dac_override', 'dac_read_search', 'fowner', 'chown'];

let folder = '';
let nodes = '';
let program: N8nInstall;
let n8n: RealN8n;

beforeAll(async () => {
	folder = await fs.mkdtemp(path.join(await fs.realpath(os.tmpdir()), 'mediagen-read-only-'));
	nodes = path.join(folder, 'user', '.n8n', 'nodes');
	await installTarball(process.env.MEDIAGEN_TARBALL!, nodes);
	program = await unprivileged(n8nFromEnv());
	await run('chmod', ['-R', 'a-w', nodes]);
	if (isRoot()) await run('chown', ['-R', String(OTHER_USER), nodes]);
	n8n = await startRealN8n({ n8n: program, userFolder: path.join(folder, 'user') });
});

afterAll(async () => {
	await n8n?.stop();
	await run('chmod', ['-R', 'u+w', nodes]);
	await removeFolder(folder);
});

const isRoot = () => process.getuid?.() === 0;

/** An n8n that may write only what is its own: to root, nothing is forbidden otherwise. */
async function unprivileged(n8n: N8nInstall): Promise<N8nInstall> {
	if (!isRoot()) return n8n;
	// n8n starts its task runner with the "node" beside this one.
	const bin = path.join(folder, 'bin');
	const node = path.join(bin, 'unprivilegedNode');
	await fs.mkdir(bin);
	await fs.symlink(n8n.node, path.join(bin, 'node'));
	const without = PRIVILEGES.map((name) => `-${name}`).join(',');
	await fs.writeFile(
		node,
		`#!/bin/sh\nexec setpriv --bounding-set=${without} "${n8n.node}" "$@"\n`,
		{
			mode: 0o755,
		},
	);
	return { ...n8n, node };
}

/** Each file in the folder of packages, with its size, and when it was written. */
async function contents(): Promise<string[]> {
	const { stdout } = await run('find', [nodes, '-printf', '%P %s %T@ %U %m\n']);
	return stdout.split('\n').sort();
}

test('n8n may not write there', () => {
	const script = 'require("node:fs").writeFileSync(process.argv[1], "")';
	const write = (file: string) => () =>
		execFileSync(program.node, ['-e', script, file], { stdio: 'pipe' });
	expect(write(path.join(nodes, 'written'))).toThrow('EACCES');
	expect(write(path.join(folder, 'user', 'written'))).not.toThrow();
});

test.each([
	['in process', {}],
	['durably', { waitMode: 'durable' }],
])(
	'an image is made and downloaded, waited for %s; nothing is written there',
	async (_, options) => {
		const before = await contents();
		await n8n.startAfresh();
		Object.assign(n8n.sandbox.settings, { jobMs: { min: 0, max: 0 }, queuedMs: 0 });
		const { execution, outputs } = await n8n.run({
			parameters: { ...parameters, downloadMedia: true, options },
			items: prompts(1),
			timeout: 200_000,
		});
		expect(execution.error).toBeUndefined();
		expect(outputs[0]?.[0]?.binary.data.mimeType).toBe('image/png');
		expect(await contents()).toEqual(before);
	},
);
