import { randomUUID } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import type { Sandbox } from '../../sandbox/server.mts';
import { N8nClient } from '../lib/n8nClient.mts';
import type { N8nInstall } from '../lib/n8nInstall.mts';
import { startN8n } from '../lib/n8nServer.mts';
import type { TimeLapse } from '../lib/lapsedTime.mts';
import { startSandbox } from '../lib/sandbox.mts';
import { removeFolder, temporaryFolder } from '../lib/temporaryFolder.mts';
import { limitOf } from './bounds.mts';
import { idsIn, KILL_LAPSE, untilBack } from './killed.mts';
import { saveCredentials } from './realServer.mts';
import { round, sum, type PartResult } from './result.mts';
import { OURS_DURABLE } from './ways.mts';

/** Running jobs per account, as many as the service allows (section "Rate limits"). */
const JOBS = 5;

/** How many runs wait, and how many executions have to be awake when n8n is killed: with few runs, seldom are two. */
const SIZES = [
	{ runs: 20, awake: 1 },
	{ runs: 200, awake: 2 },
] as const;
type Size = (typeof SIZES)[number];

/** How many accounts first run short jobs, so that n8n has loaded all that it needs. */
const WARMING = 8;

const DAY_MS = 86_400_000;

/** Until the watchers have checked once, in ms. */
const PARKING_MS = 120_000;

/**
 * How many times as fast n8n's time passes while the runs wait. If it were faster, n8n would end: it does so when its
 * database keeps it waiting for a minute of that time.
 */
const LAPSE = 6;

/** In ms of n8n's time: until the pauses between polls have stopped growing, and how long it is then measured. */
const GROWING_MS = 600_000;
const MEASURED_MS = 1_200_000;

/** Measures what executions that wait durably cost n8n, and how soon they go on after it was killed. */
export async function measureParked(n8n: N8nInstall, tarball: string): Promise<PartResult> {
	const found: Array<Awaited<ReturnType<typeof measure>>> = [];
	for (const size of SIZES) found.push(await measure(n8n, tarball, size));
	return {
		title: '(e) Executions that wait durably, in a real n8n',
		tables: [
			{
				title: `Over ${MEASURED_MS / 60_000} minutes of n8n's time (${LAPSE} times as fast)`,
				rows: found.map(({ runs, core, before, memory }) => ({
					runs,
					what: 'all wait',
					'% of a core': round(core * 100, 1),
					MB: Math.round(memory / 2 ** 20),
					'MB where none waits': Math.round(before / 2 ** 20),
				})),
			},
			{
				title: `Killed (kill -9); n8n's time ${KILL_LAPSE} times as fast`,
				rows: found.map(({ runs, awake, minutes }) => ({
					runs,
					what: 'until somebody works for all again',
					'workers awake': awake,
					minutes: round(minutes, 1),
				})),
			},
		],
		checks: found.flatMap(({ runs, core, before, memory, minutes }) => [
			{ what: `${runs} wait`, measured: core * 100, bound: `${runs} parked` },
			{ what: `${runs} wait`, measured: memory / before, bound: 'parked memory' },
			{ what: `${runs} wait, n8n killed`, measured: minutes, bound: `${runs} killed` },
		]),
		summary: found.flatMap(({ runs, core, minutes }) => [
			{
				what: `${runs} executions that wait durably`,
				ours: `${round(core * 100, 1)} % of a core`,
				bounds: [`${runs} parked`] as const,
			},
			{
				what: `${runs} that wait, n8n killed: all at work again after`,
				ours: `${round(minutes, 1)} minutes`,
				bounds: [`${runs} killed`] as const,
			},
		]),
		notes: [
			'Memory is what n8n holds: objects and buffers that are left when all others are collected.',
		],
	};
}

async function measure(n8n: N8nInstall, tarball: string, size: Size) {
	const { runs } = size;
	const memoryFile = path.join(path.dirname(tarball), 'memory.json');
	const preload = path.resolve('tools/bench/collectGarbage.cjs');
	const env = {
		NODE_OPTIONS: `--expose-gc --require ${preload}`,
		MEDIAGEN_MEMORY_FILE: memoryFile,
	};
	const userFolder = await temporaryFolder('mediagen-parked-');
	let server = await startN8n({ n8n, tarball, env, userFolder });
	let client = new N8nClient(server.url);
	const login = await client.setUpOwner();
	const accounts: Sandbox[] = [];
	for (let account = 0; account < runs / JOBS; account++) {
		// Each account has a seed of its own; otherwise their jobs would have the same IDs.
		accounts.push(await startSandbox({ queuedMs: 0, seed: account }));
	}
	const restart = async (timeLapse: TimeLapse) => {
		await server.kill();
		server = await startN8n({
			n8n,
			env,
			userFolder,
			port: Number(new URL(server.url).port),
			timeLapse,
		});
		client = new N8nClient(server.url);
		await client.logIn(login);
	};

	const warming = accounts.slice(0, WARMING);
	// Memory in bytes: first while no run waits, later while all do.
	const warm = await startAll(client, warming, 0);
	while (!(await areOver(client, warm))) await delay(2000);
	const before = await memoryOf(server.pid, memoryFile);
	const jobs = runs + jobsOf(accounts);
	await startAll(client, accounts, DAY_MS);
	while (jobsOf(accounts) < jobs) await delay(1000);
	await delay(PARKING_MS);
	while ((await idsIn(client, 'running')).length > 0) await delay(2000);
	const memory = await memoryOf(server.pid, memoryFile);

	const lapse = { factor: LAPSE, anchor: Date.now() };
	await restart(lapse);
	await delay(GROWING_MS / LAPSE);
	/** The part of a core that n8n uses while all runs wait. */
	const core = (await coreOver(server.pid, MEASURED_MS / LAPSE)) / LAPSE;
	const givenUpMinutes = 2 * limitOf(`${runs} killed`).bound;
	const killable = { ...size, client: () => client, restart, accounts, givenUpMinutes };
	/** How many jobs lost their worker, and how many minutes passed until all had one again. */
	const { awake, minutes } = await untilBack(killable, lapse);
	await server.stop();
	await removeFolder(userFolder);
	return { runs, core, before, memory, awake, minutes };
}

/** Starts as many runs as each account may have jobs; returns the IDs of the workflows. */
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

/** Whether all runs have ended; their watchers may not know yet. */
async function areOver(client: N8nClient, ids: readonly string[]): Promise<boolean> {
	for (const id of ids) {
		const own = (await client.listExecutions(id)).filter(({ mode }) => mode === 'webhook');
		if (own.length < JOBS || own.some(({ status }) => status !== 'success')) return false;
	}
	return true;
}

const jobsOf = (accounts: readonly Sandbox[]) => sum(accounts.map(({ jobs }) => jobs.length));

/** The part of a core that a process uses during a time in ms. */
async function coreOver(pid: number, ms: number): Promise<number> {
	const [cpu, start] = [await cpuSeconds(pid), Date.now()];
	await delay(ms);
	return ((await cpuSeconds(pid)) - cpu) / ((Date.now() - start) / 1000);
}

/** Seconds of processor time that a process has used. */
async function cpuSeconds(pid: number): Promise<number> {
	const stat = await fs.readFile(`/proc/${pid}/stat`, 'utf8');
	const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
	return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** The memory that n8n holds after a garbage collection, in bytes. */
async function memoryOf(pid: number, memoryFile: string): Promise<number> {
	await fs.rm(memoryFile, { force: true });
	process.kill(pid, 'SIGUSR2');
	for (;;) {
		const text = await fs.readFile(memoryFile, 'utf8').catch(() => '');
		if (text.endsWith('}')) {
			// Only used memory counts: what n8n once reserved while much was starting is not given back.
			const { heapUsed, external }: NodeJS.MemoryUsage = JSON.parse(text);
			return heapUsed + external;
		}
		await delay(100);
	}
}
