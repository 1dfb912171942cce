import fs from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { startSandbox, type Sandbox } from '../../sandbox/server.mts';
import type { SavedWorkflow } from '../../tools/lib/n8nClient.mjs';
import { removeFolder, temporaryFolder } from '../../tools/lib/temporaryFolder.mjs';
import { parameters, prompts } from '../support/imageBatch.mts';
import { startRealN8n, type RealN8n } from '../support/realN8n.mts';

/**
 * What 200 durable executions cost n8n while they wait, in real time: 40 accounts, each with as many
 * running jobs as the service allows.
 */

const ACCOUNTS = 40;
const JOBS = 5;

/** Most that they may cost: part of a core, and MB. */
const CORE = 0.05;
const MEMORY_MB = 100;

const MEASURED_MS = 120_000;

const SETTLING_MS = 20_000;
const PARKING_MS = 120_000;

let n8n: RealN8n;
let folder: string;
const memoryFile = () => path.join(folder, 'memory');
const sandboxes: Sandbox[] = [];

beforeAll(async () => {
	folder = await temporaryFolder('mediagen-waiting-');
	const preload = path.resolve('test/support/collectGarbage.cjs');
	n8n = await startRealN8n({
		env: {
			NODE_OPTIONS: `--expose-gc --require ${preload}`,
			MEDIAGEN_MEMORY_FILE: memoryFile(),
		},
	});
	for (let account = 0; account < ACCOUNTS; account++) sandboxes.push(await startSandbox());
	for (const { settings } of sandboxes) settings.queuedMs = 0;
}, 180_000);

afterAll(async () => {
	await n8n?.stop();
	for (const sandbox of sandboxes) await sandbox.close();
	await removeFolder(folder);
}, 60_000);

/** Seconds of processor time that the process has used. */
async function cpuSeconds(): Promise<number> {
	const stat = await fs.readFile(`/proc/${n8n.server.pid}/stat`, 'utf8');
	const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
	return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Part of a core that n8n uses while something goes on. */
async function coreWhile(work: () => Promise<unknown>): Promise<number> {
	const [cpu, start] = [await cpuSeconds(), Date.now()];
	await work();
	return ((await cpuSeconds()) - cpu) / ((Date.now() - start) / 1000);
}

const percent = (part: number) => `${(part * 100).toFixed(1)} %`;

/** MB of memory that n8n has, without what it could do without. */
async function memoryMb(): Promise<Memory> {
	await fs.rm(memoryFile(), { force: true });
	process.kill(n8n.server.pid, 'SIGUSR2');
	for (;;) {
		const text = await fs.readFile(memoryFile(), 'utf8').catch(() => '');
		if (text.endsWith('}')) return inMb(JSON.parse(text));
		await delay(100);
	}
}

interface Memory {
	rss: number;
	heapUsed: number;
	external: number;
}

const inMb = ({ rss, heapUsed, external }: Memory) => ({
	rss: Math.round(rss / 2 ** 20),
	heapUsed: Math.round(heapUsed / 2 ** 20),
	external: Math.round(external / 2 ** 20),
});

const durable = { ...parameters, options: { waitMode: 'durable', timeout: 86_400 } };

/** Starts as many as each account can have running. */
async function startAll(): Promise<SavedWorkflow[]> {
	const workflows: SavedWorkflow[] = [];
	for (const { url, key } of sandboxes) {
		const credential = await n8n.addCredential({ baseUrl: url, apiKey: key });
		const workflow = await n8n.start({ items: prompts(1), parameters: durable, credential });
		for (let job = 1; job < JOBS; job++) {
			await n8n.client.callWebhook(workflow.name, { items: prompts(1) });
		}
		workflows.push(workflow);
	}
	return workflows;
}

/** Whether all have ended; what watched over them does not yet know. */
async function areOver(workflows: readonly SavedWorkflow[]): Promise<boolean> {
	for (const { id } of workflows) {
		const own = (await n8n.client.listExecutions(id)).filter(({ mode }) => mode === 'webhook');
		if (own.some(({ status }) => status !== 'success')) return false;
	}
	return true;
}

const lookCount = () =>
	sandboxes.reduce((sum, { journal }) => sum + journal.ofKind('status').length, 0);

test('200 durable executions wait for 5 % of a core and 100 MB at most', async () => {
	// What n8n needs to start so many at once is not what they cost while they wait.
	for (const { settings } of sandboxes) settings.jobMs = { min: 0, max: 0 };
	const warm = await startAll();
	while (!(await areOver(warm))) await delay(2000);
	const idle = await coreWhile(async () => await delay(SETTLING_MS));
	const before = await memoryMb();

	for (const { settings } of sandboxes) settings.jobMs = { min: 3_600_000, max: 3_600_000 };
	await startAll();
	const jobs = () => sandboxes.reduce((sum, sandbox) => sum + sandbox.jobs.length, 0);
	while (jobs() < 2 * ACCOUNTS * JOBS) await delay(1000);
	// Until the last one has parked, and its guard has had its first look.
	await delay(PARKING_MS);
	const looks = lookCount();
	const core = await coreWhile(async () => await delay(MEASURED_MS));
	const after = await memoryMb();
	console.log(
		`${ACCOUNTS * JOBS} executions wait: ${percent(core)} of a core (idle before: ${percent(idle)}), memory in MB: ${JSON.stringify(after)} (before: ${JSON.stringify(before)}), ${lookCount() - looks} looks in ${MEASURED_MS / 1000} s`,
	);
	expect(core).toBeLessThanOrEqual(CORE);
	expect(after.rss - before.rss).toBeLessThan(MEMORY_MB);
}, 1_200_000);
