import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { TIME_LAPSE } from '../../tools/lib/lapsedTime.mts';
import type { SavedWorkflow } from '../../tools/lib/n8nClient.mts';
import { removeFolder } from '../../tools/lib/temporaryFolder.mts';
import {
	installedPackages,
	installPackage,
	offeredTypes,
	OPEN_TO_PACKAGES,
	PACKAGE,
	uninstallPackage,
	updatePackage,
} from '../support/communityNodes.mts';
import { parameters, prompts } from '../support/imageBatch.mts';
import { startNpmRegistry, type NpmRegistry } from '../support/npmRegistry.mts';
import { packVersion } from '../support/packed.mts';
import {
	expectResults,
	recover,
	saveBatch,
	startBatch,
	untilParked,
} from '../support/durableBatch.mts';
import { ranOf } from '../support/n8nRuns.mts';
import { startRealN8n, type RealN8n } from '../support/realN8n.mts';
import { until } from '../support/until.mts';
import {
	end,
	expectAllTold,
	firedFor,
	hold,
	polls,
	saveTrigger,
	startJobs,
} from '../support/triggerRuns.mts';

/**
 * The package as people install it: by n8n's *Community nodes*, from a registry, then updated and removed
 * while its nodes have work to do. Each test goes on with the n8n that the one before has left.
 */

jest.setTimeout(400_000);

/** Versions after the one that is built: two like it, and one that parks in another way. */
const NEXT = '0.99.0';
const AFTER_NEXT = '0.99.1';
const OTHER = '0.99.2';

/** What n8n says of a node whose package it does not have. */
const MISSING = `Unrecognized node type: ${PACKAGE}.mediaGen`;

/** In the time of the machine. */
const PATIENT = { timeout: 200_000 };

const TYPES = ['Account', 'Image', 'Music', 'Trigger', 'Video'].map(
	(name) => `${PACKAGE}.mediaGen${name}`,
);

/** Of jobs, in the sandbox's time: longer than their workers stay awake. */
const LONG = { min: 200_000, max: 200_000 };

let folder = '';
let registry: NpmRegistry;
let n8n: RealN8n;
let version = '';

beforeAll(async () => {
	folder = await fs.mkdtemp(path.join(await fs.realpath(os.tmpdir()), 'mediagen-community-'));
	registry = await startNpmRegistry();
	version = await registry.publish(process.env.MEDIAGEN_TARBALL!);
	n8n = await startRealN8n({
		userFolder: folder,
		env: { ...registry.env, ...OPEN_TO_PACKAGES, N8N_REINSTALL_MISSING_PACKAGES: 'true' },
		timeLapse: TIME_LAPSE,
		install: installPackage,
	});
});

afterAll(async () => {
	await n8n.stop();
	await registry.close();
	await removeFolder(folder);
});

beforeEach(async () => {
	await n8n.startAfresh();
	n8n.sandbox.account.credits.purchased = 10_000;
	Object.assign(n8n.sandbox.settings, { jobMs: { min: 0, max: 0 }, queuedMs: 0 });
});

afterEach(() => {
	expect(registry.refused).toEqual([]);
});

/** Publishes another version. */
async function publish(number: string, change: Parameters<typeof packVersion>[3] = {}) {
	const place = await fs.mkdtemp(path.join(folder, 'packed-'));
	await registry.publish(await packVersion(process.env.MEDIAGEN_TARBALL!, number, place, change));
}

/** An image, made by a workflow that is saved for it. */
const image = async () => await n8n.run({ parameters, items: prompts(1) });

/** Starts an image whose node waits for it in process, and waits until it is paid for. */
async function startInProcess(): Promise<SavedWorkflow> {
	const workflow = await n8n.start({ parameters, items: prompts(1, 'in process') });
	while (n8n.sandbox.jobs.length === 0) await n8n.clock.sleep(200);
	return workflow;
}

/** The version that runs, as n8n's settings and its editor show it. */
const shown = async () => {
	const packages = await installedPackages(n8n.client);
	const types = await n8n.client.nodeTypes();
	const node = types.find(({ name }) => name === `${PACKAGE}.mediaGenImage`);
	return [
		packages.map(({ installedVersion }) => installedVersion),
		node?.communityNodePackageVersion,
	];
};

/** Whether n8n has started the trigger of an active workflow, and why not. */
async function publicationOf({ id }: SavedWorkflow) {
	const { status, triggers } = await n8n.client.request(
		'GET',
		`/rest/workflows/${id}/publication-status`,
	);
	return { status, message: triggers[0]?.errorMessage };
}

/** Waits until a worker asks for the state of a job, which takes a while: it is awake then. */
async function untilAwake(): Promise<void> {
	const { faults, journal } = n8n.sandbox;
	// Several jobs are polled by one look at the history, a single one by its status.
	const kinds = ['list', 'status'] as const;
	for (const kind of kinds)
		faults.add({ match: { kind }, fault: { kind: 'slow', ms: 25_000 }, times: 5 });
	const isUnderWay = () =>
		kinds.some((kind) => journal.ofKind(kind).some(({ status }) => status === null));
	while (!isUnderWay()) await n8n.clock.sleep(200);
}

test('installed: n8n lists its nodes and its version, and an image is made', async () => {
	const [listed] = await installedPackages(n8n.client);
	expect(listed).toMatchObject({
		packageName: PACKAGE,
		installedVersion: version,
		failedLoading: false,
	});
	expect(listed?.installedNodes.map(({ type }) => type).sort()).toEqual(TYPES);
	expect(await offeredTypes(n8n.client)).toEqual(TYPES);
	expect(await shown()).toEqual([[version], version]);
	const { execution, outputs } = await image();
	expect(execution.error).toBeUndefined();
	expect(outputs[0]?.[0]?.json.mediaUrl).toMatch(/\.png$/);
});

test('updated while n8n runs: what is parked and what is active goes on', async () => {
	const trigger = await saveTrigger(n8n, { events: ['completed', 'failed'] });
	await n8n.client.activate(trigger);
	await firedFor(n8n, trigger, await startJobs(n8n, 3));
	const unpolled = await startJobs(n8n, 3);
	hold(unpolled);
	n8n.sandbox.settings.jobMs = LONG;
	const batch = await startBatch(n8n, 'parked');
	await untilParked(n8n, batch.workflow);

	await publish(NEXT);
	await polls(n8n, 1);
	end(n8n, unpolled);
	const [{ updateAvailable } = {}] = await installedPackages(n8n.client);
	expect(updateAvailable).toBe(NEXT);
	await updatePackage(n8n.client, NEXT);
	expect(await shown()).toEqual([[NEXT], NEXT]);

	await expectResults(n8n, batch);
	await expectAllTold(n8n, trigger);
});

test('updated while a worker is awake, and while a node waits in process: both go on', async () => {
	n8n.sandbox.settings.jobMs = { min: 30_000, max: 30_000 };
	const inProcess = await startInProcess();
	const batch = await startBatch(n8n, 'awake');
	await untilAwake();
	await publish(AFTER_NEXT);
	await updatePackage(n8n.client, AFTER_NEXT);
	await expectResults(n8n, batch);
	expect((await n8n.client.waitForWorkflow(inProcess)).status).toBe('success');
});

test('updated to a version that parks in another way: refused, and the paid jobs are named', async () => {
	n8n.sandbox.settings.jobMs = LONG;
	const batch = await startBatch(n8n, 'refused');
	await untilParked(n8n, batch.workflow);
	const paid = n8n.sandbox.jobs.map(({ id }) => id);
	expect(paid).toHaveLength(5);

	await publish(OTHER, {
		'dist/nodes/shared/durable/stored.js': (text) => {
			const parts = text.split('PARKED_VERSION = 1;');
			expect(parts).toHaveLength(2);
			return parts.join('PARKED_VERSION = 99;');
		},
	});
	await updatePackage(n8n.client, OTHER);
	const { execution, outputs } = ranOf(await n8n.client.waitForExecution(batch.id, PATIENT));
	expect(execution.status).toBe('success');
	const [items = []] = outputs;
	for (const { json } of items) {
		expect(json.error).toContain('Another version of n8n-nodes-mediagen has parked');
		for (const id of paid) expect(json.error).toContain(id);
	}
	expect(n8n.sandbox.account.charges).toHaveLength(paid.length);
	const recovered = await recover(n8n, batch.workflow, batch.id, { wait: false });
	expect(recovered.items.map(({ json }) => json.jobId).sort()).toEqual(paid.sort());
});

test('removed, n8n restarted, and back: n8n stays well, and all goes on, triggers once they are published again', async () => {
	const trigger = await saveTrigger(n8n, { events: ['completed', 'failed'] });
	await n8n.client.activate(trigger);
	const running = await startJobs(n8n, 3);
	hold(running);
	const saved = await saveBatch(n8n);
	n8n.sandbox.settings.jobMs = LONG;
	const batch = await startBatch(n8n, 'restarted');
	await untilParked(n8n, batch.workflow);

	await uninstallPackage(n8n.client);
	expect(await shown()).toEqual([[], undefined]);
	expect(await offeredTypes(n8n.client)).toEqual([]);
	await n8n.kill('SIGTERM');
	await n8n.restart();
	// What the editor shows of it: the nodes as they were, with a question mark in place of the icon.
	const { nodes } = await n8n.client.request('GET', `/rest/workflows/${saved.id}`);
	expect(nodes).toEqual(saved.nodes);
	await expect(image()).rejects.toThrow(MISSING);
	const isDecided = async () => (await publicationOf(trigger)).status !== 'in_progress';
	await until('n8n to have tried to start the trigger', isDecided);
	expect(await publicationOf(trigger)).toEqual({
		status: 'failed',
		message: `${MISSING}Trigger`,
	});
	end(n8n, running);

	await installPackage(n8n.client);
	expect((await image()).execution.status).toBe('success');
	await expectResults(n8n, batch);
	await n8n.client.activate(trigger);
	await expectAllTold(n8n, trigger);
});

test('gone from the disk, as with a new container: n8n installs it again when it starts', async () => {
	await n8n.kill('SIGTERM');
	await removeFolder(path.join(folder, '.n8n', 'nodes'));
	await n8n.restart();
	expect(await shown()).toEqual([[OTHER], OTHER]);
	expect((await image()).execution.status).toBe('success');
});
