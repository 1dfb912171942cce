import { randomUUID } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import type { Sandbox } from '../../sandbox/server.mts';
import { N8nClient } from '../lib/n8nClient.mjs';
import type { N8nInstall } from '../lib/n8nInstall.mjs';
import { startN8n, type N8nServer } from '../lib/n8nServer.mjs';
import { startSandbox } from '../lib/sandbox.mjs';
import { saveCredentials } from './realServer.mts';
import { round, sum, type PartResult } from './result.mts';
import { OURS_DURABLE } from './ways.mts';

/** Each account has as many running jobs as the service allows (section "Rate limits"). */
const ACCOUNTS = 40;
const JOBS = 5;

const SETTLING_MS = 20_000;
const PARKING_MS = 120_000;
const MEASURED_MS = 120_000;

/** Most that they may cost: part of a core, and times the memory of before. */
const CORE = 0.05;
const MEMORY = 1.1;

/** Part of a core, and bytes, with the status requests of that time. */
interface Cost {
	core: number;
	memory: number;
	reads: number;
}

/** What executions that wait durably cost n8n, in real time. */
export async function measureParked(n8n: N8nInstall, tarball: string): Promise<PartResult> {
	const memoryFile = path.join(path.dirname(tarball), 'memory.json');
	const preload = path.resolve('tools/bench/collectGarbage.cjs');
	const env = {
		NODE_OPTIONS: `--expose-gc --require ${preload}`,
		MEDIAGEN_MEMORY_FILE: memoryFile,
	};
	const server = await startN8n({ n8n, tarball, env });
	const client = new N8nClient(server.url);
	await client.setUpOwner();
	const accounts: Sandbox[] = [];
	for (let account = 0; account < ACCOUNTS; account++) {
		accounts.push(await startSandbox({ queuedMs: 0 }));
	}

	// What n8n needs to start so many at once is not what they cost while they wait.
	const warm = await startAll(client, accounts, 0);
	while (!(await areOver(client, warm))) await delay(2000);
	const before = await costWhile(SETTLING_MS, server, accounts, memoryFile);
	await startAll(client, accounts, 3_600_000);
	while (jobsOf(accounts) < 2 * ACCOUNTS * JOBS) await delay(1000);
	// Until the last one has parked, and its supervisor has checked once.
	await delay(PARKING_MS);
	const parked = await costWhile(MEASURED_MS, server, accounts, memoryFile);
	await server.stop();

	return {
		title: `(e) ${ACCOUNTS * JOBS} executions that wait durably, in a real n8n`,
		tables: [
			{
				title: `Over ${MEASURED_MS / 1000} s`,
				rows: [rowOf('none waits (after as many have ended)', before), rowOf('all wait', parked)],
			},
		],
		checks: [
			{ what: 'part of a core while all wait', measured: parked.core, atMost: CORE },
			{
				what: 'memory while all wait, times that of before',
				measured: parked.memory / before.memory,
				atMost: MEMORY,
			},
		],
		notes: ['Supervisors of runs that have just ended use most of what n8n uses before.'],
	};
}

const rowOf = (what: string, { core, memory, reads }: Cost) => ({
	what,
	'% of a core': round(core * 100, 1),
	MB: Math.round(memory / 2 ** 20),
	'status requests': reads,
});

/** Starts as many as each account can have running; the workflows' ids. */
async function startAll(client: N8nClient, accounts: readonly Sandbox[], ms: number) {
	const ids: string[] = [];
	for (const sandbox of accounts) {
		sandbox.settings.jobMs = { min: ms, max: ms };
		const name = randomUUID();
		const credentials = await saveCredentials(client, sandbox);
		const workflow = await client.createWorkflow(OURS_DURABLE.workflow(name, credentials));
		await client.activate(workflow);
		for (let job = 0; job < JOBS; job++) {
			await client.callWebhook(name, { items: [{ prompt: `item ${job}` }] });
		}
		ids.push(workflow.id);
	}
	return ids;
}

/** Whether all have ended; their supervisors may not know yet. */
async function areOver(client: N8nClient, ids: readonly string[]): Promise<boolean> {
	for (const id of ids) {
		const own = (await client.listExecutions(id)).filter(({ mode }) => mode === 'webhook');
		if (own.length < JOBS || own.some(({ status }) => status !== 'success')) return false;
	}
	return true;
}

const jobsOf = (accounts: readonly Sandbox[]) => sum(accounts.map(({ jobs }) => jobs.length));

const readsOf = (accounts: readonly Sandbox[]) =>
	sum(accounts.map(({ journal }) => journal.ofKind('status').length));

async function costWhile(
	ms: number,
	{ pid }: N8nServer,
	accounts: readonly Sandbox[],
	memoryFile: string,
): Promise<Cost> {
	const [cpu, start, reads] = [await cpuSeconds(pid), Date.now(), readsOf(accounts)];
	await delay(ms);
	const core = ((await cpuSeconds(pid)) - cpu) / ((Date.now() - start) / 1000);
	return { core, memory: await memoryOf(pid, memoryFile), reads: readsOf(accounts) - reads };
}

/** Seconds of processor time that a process has used. */
async function cpuSeconds(pid: number): Promise<number> {
	const stat = await fs.readFile(`/proc/${pid}/stat`, 'utf8');
	const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
	return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Bytes that n8n has, without what it could do without. */
async function memoryOf(pid: number, memoryFile: string): Promise<number> {
	await fs.rm(memoryFile, { force: true });
	process.kill(pid, 'SIGUSR2');
	for (;;) {
		const text = await fs.readFile(memoryFile, 'utf8').catch(() => '');
		if (text.endsWith('}')) return JSON.parse(text).rss;
		await delay(100);
	}
}
