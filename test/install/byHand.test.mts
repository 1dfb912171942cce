import { execFile } from 'node:child_process';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import util from 'node:util';

import { TIME_LAPSE } from '../../tools/lib/lapsedTime.mts';
import { removeFolder } from '../../tools/lib/temporaryFolder.mts';
import { OPEN_TO_PACKAGES, PACKAGE } from '../support/communityNodes.mts';
import { parameters, prompts } from '../support/imageBatch.mts';
import { startNpmRegistry, type NpmRegistry } from '../support/npmRegistry.mts';
import { packVersion } from '../support/packed.mts';
import { expectResults, startBatch, untilParked } from '../support/durableBatch.mts';
import { startRealN8n, type RealN8n } from '../support/realN8n.mts';
import { expectAllTold, firedFor, saveTrigger, startJobs } from '../support/triggerRuns.mts';

/** The package as people install and update it by hand: by the command that docs/install.md gives. */

jest.setTimeout(400_000);

const NEXT = '0.99.0';

let folder = '';
let registry: NpmRegistry;
let n8n: RealN8n;

beforeAll(async () => {
	folder = await fs.mkdtemp(path.join(await fs.realpath(os.tmpdir()), 'mediagen-by-hand-'));
	registry = await startNpmRegistry();
});

afterAll(async () => {
	await n8n?.stop();
	await registry.close();
	await removeFolder(folder);
});

/** Does what docs/install.md says. */
async function install(): Promise<void> {
	const [command = ''] =
		/^npm install .*$/m.exec(await fs.readFile('docs/install.md', 'utf8')) ?? [];
	expect(command).toContain(PACKAGE);
	const env = { PATH: process.env.PATH, ...registry.env, HOME: folder };
	await util.promisify(execFile)('sh', ['-c', command], { env, cwd: folder });
}

/** The version that n8n runs. */
const version = async () =>
	(await n8n.client.nodeTypes()).find(({ name }) => name === `${PACKAGE}.mediaGenImage`)
		?.communityNodePackageVersion;

test('one package is installed, and no other is asked for', async () => {
	await registry.publish(process.env.MEDIAGEN_TARBALL!);
	await install();
	const nodes = path.join(folder, '.n8n', 'nodes');
	const installed = await fs.readdir(path.join(nodes, 'node_modules'));
	expect(installed.filter((name) => !name.startsWith('.'))).toEqual([PACKAGE]);
	expect(await fs.readdir(path.join(nodes, 'node_modules', PACKAGE))).not.toContain('node_modules');
	// n8n keeps the list of its packages in this file.
	const { dependencies } = JSON.parse(await fs.readFile(path.join(nodes, 'package.json'), 'utf8'));
	expect(Object.keys(dependencies)).toEqual([PACKAGE]);
	expect(registry.refused).toEqual([]);
});

test('n8n finds it, and an image is made', async () => {
	n8n = await startRealN8n({
		userFolder: folder,
		env: { ...registry.env, ...OPEN_TO_PACKAGES },
		timeLapse: TIME_LAPSE,
	});
	await n8n.startAfresh();
	const { execution, outputs } = await n8n.run({ parameters, items: prompts(1) });
	expect(execution.error).toBeUndefined();
	expect(outputs[0]?.[0]?.json.mediaUrl).toMatch(/\.png$/);
});

test('updated, and n8n restarted: what is parked and what is active goes on', async () => {
	await n8n.startAfresh();
	n8n.sandbox.account.credits.purchased = 10_000;
	Object.assign(n8n.sandbox.settings, { jobMs: { min: 0, max: 0 }, queuedMs: 0 });
	const trigger = await saveTrigger(n8n, { events: ['completed', 'failed'] });
	await n8n.client.activate(trigger);
	await firedFor(n8n, trigger, await startJobs(n8n, 3));
	n8n.sandbox.settings.jobMs = { min: 200_000, max: 200_000 };
	const batch = await startBatch(n8n, 'parked');
	await untilParked(n8n, batch.workflow);

	const before = await version();
	await n8n.kill('SIGTERM');
	await registry.publish(await packVersion(process.env.MEDIAGEN_TARBALL!, NEXT, folder));
	await install();
	await n8n.restart();
	expect([before, await version()]).not.toEqual([NEXT, NEXT]);
	expect(await version()).toBe(NEXT);
	await expectResults(n8n, batch);
	await expectAllTold(n8n, trigger);
	expect(registry.refused).toEqual([]);
});
