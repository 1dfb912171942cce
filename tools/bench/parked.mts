import { randomUUID } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import type { Sandbox } from '../../sandbox/server.mts';
import { N8nClient } from '../lib/n8nClient.mjs';
import type { N8nInstall } from '../lib/n8nInstall.mjs';
import { startN8n, type N8nServer } from '../lib/n8nServer.mjs';
import { lapsedTime, type TimeLapse } from '../lib/lapsedTime.mjs';
import { startSandbox } from '../lib/sandbox.mjs';
import { removeFolder, temporaryFolder } from '../lib/temporaryFolder.mjs';
import { saveCredentials } from './realServer.mts';
import { round, sum, type PartResult } from './result.mts';
import { OURS_DURABLE } from './ways.mts';

/** Each account has as many running jobs as the service allows (section "Rate limits"). */
const ACCOUNTS = 40;
const JOBS = 5;

const RUNS = ACCOUNTS * JOBS;

/** Accounts with short jobs before, which load all that n8n needs. */
const WARMING = 8;

const DAY_MS = 86_400_000;

const SETTLING_MS = 20_000;
/** Until the supervisors have seen who watches: killed before, many start a standby afterwards. */
const PARKING_MS = 120_000;

/**
 * So many times as fast n8n's time passes while they wait; and while n8n is killed and goes on. Not faster: n8n
 * ends where its database keeps it waiting for a minute of that time.
 */
const LAPSE = 6;
const KILL_LAPSE = 2;

/** Of n8n's time: until pauses have grown to what they stay, and what is measured, ms. */
const GROWING_MS = 600_000;
const MEASURED_MS = 1_200_000;

/** Executions that have to be awake when n8n is killed; one of them a worker, or it is killed again. */
const AWAKE = 2;

/** Most that they may cost: part of a core, and times the memory of before. */
const CORE = 0.02;
const MEMORY = 1.1;

/** Most that n8n may take after a kill until somebody works for all of them again, minutes. */
const BACK_MINUTES = 5;
const GIVEN_UP_MINUTES = 15;

/** Between two looks, ms: n8n is not to be kept busy by them. */
const ASKING_MS = 5000;

/** Part of a core, and bytes, with the status requests of that time. */
interface Cost {
	core: number;
	memory: number;
	reads: number;
}

/** What executions that wait durably cost n8n, and how soon they go on when it was killed. */
export async function measureParked(n8n: N8nInstall, tarball: string): Promise<PartResult> {
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
	for (let account = 0; account < ACCOUNTS; account++) {
		// Each of its own, or their jobs have the same IDs.
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
	const costOver = async (ms: number, factor = 1) =>
		await costWhile(ms, factor, server, accounts, memoryFile);

	await delay(SETTLING_MS);
	const { core, reads } = await costOver(SETTLING_MS);
	const begun = await executionsOf(client);
	const warming = accounts.slice(0, WARMING);
	const warm = await startAll(client, warming, 0);
	while (!(await areOver(client, warm))) await delay(2000);
	const helpers = (await begun()) / (WARMING * JOBS) - 1;
	const before = { core, reads, memory: await memoryOf(server.pid, memoryFile) };
	const jobs = RUNS + jobsOf(accounts);
	await startAll(client, accounts, DAY_MS);
	while (jobsOf(accounts) < jobs) await delay(1000);
	await delay(PARKING_MS);
	while ((await idsIn(client, 'running')).length > 0) await delay(2000);
	const memory = await memoryOf(server.pid, memoryFile);
	const started = (await begun()) / RUNS - 1;

	const lapse = { factor: LAPSE, anchor: Date.now() };
	await restart(lapse);
	await delay(GROWING_MS / LAPSE);
	const parked = await costOver(MEASURED_MS / LAPSE, LAPSE);
	const { awake, minutes } = await untilBack(() => client, restart, lapse, accounts);
	await server.stop();
	await removeFolder(userFolder);

	const perWake = (parked.core * MEASURED_MS) / 1000 / Math.max(1, parked.reads);
	return {
		title: `(e) ${RUNS} executions that wait durably, in a real n8n`,
		tables: [
			{
				title: `Over ${SETTLING_MS / 1000} s, and over ${MEASURED_MS / 60_000} minutes of n8n's time (${LAPSE} times as fast)`,
				rows: [rowOf('none waits', before), rowOf('all wait', { ...parked, memory })],
			},
			{
				title: `Killed (kill -9) while ${awake} workers were awake; n8n's time ${KILL_LAPSE} times as fast`,
				rows: [{ what: 'until somebody works for all again', minutes: round(minutes, 1) }],
			},
			{
				title: 'Executions that n8n runs for one that waits',
				rows: [
					{ what: 'short jobs, from start to end', 'a run': round(helpers, 1) },
					{ what: 'long jobs, until all are parked', 'a run': round(started, 1) },
				],
			},
		],
		checks: [
			{ what: 'part of a core while all wait', measured: parked.core, atMost: CORE },
			{
				what: 'memory while all wait, times that of before',
				measured: memory / before.memory,
				atMost: MEMORY,
			},
			{
				what: 'minutes after a kill until somebody works for all',
				measured: minutes,
				atMost: BACK_MINUTES,
			},
		],
		summary: [
			{
				what: `${RUNS} executions that wait durably`,
				ours: `${round(parked.core * 100, 1)} % of a core`,
				bound: `at most ${CORE * 100} %`,
				beside: '',
			},
			{
				what: `${RUNS} that wait, n8n killed: all at work again after`,
				ours: `${round(minutes, 1)} minutes`,
				bound: `at most ${BACK_MINUTES} minutes`,
				beside: '',
			},
		],
		notes: [
			'Memory is what n8n holds: objects and buffers that are left when all others are collected.',
			`n8n uses ${round(perWake * 1000)} ms of a core for each status request.`,
		],
	};
}

/**
 * Counts executions, those that n8n does not keep, too: it numbers them as they begin.
 *
 * @returns how many have begun since it was last called, or made
 */
async function executionsOf(client: N8nClient): Promise<() => Promise<number>> {
	const workflow = await client.createWorkflow({
		name: 'Counts',
		nodes: [
			{ name: 'Start', type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, parameters: {} },
		],
		connections: {},
	});
	const newest = async () => Number(await client.runManually(workflow, 'Start'));
	let last = await newest();
	return async () => {
		const [before, now] = [last, await newest()];
		last = now;
		return now - before - 1;
	};
}

/**
 * Kills n8n while some workers are awake, and starts it again.
 *
 * @param restart kills it, and starts it with another pace of time
 * @returns the jobs whose workers were awake, and after how many minutes of n8n's time each has a worker again
 */
async function untilBack(
	clientOf: () => N8nClient,
	restart: (timeLapse: TimeLapse) => Promise<void>,
	lapse: TimeLapse,
	accounts: readonly Sandbox[],
): Promise<{ awake: number; minutes: number }> {
	let pace = lapse;
	for (;;) {
		const crashedBefore = await idsIn(clientOf(), 'crashed');
		while ((await idsIn(clientOf(), 'running')).length < AWAKE) await delay(100);
		const now = Date.now();
		const killedAt = lapsedTime(pace).at(now);
		// The time goes on, at another pace.
		pace = { factor: KILL_LAPSE, anchor: (now * KILL_LAPSE - killedAt) / (KILL_LAPSE - 1) };
		await restart(pace);
		const crashed = await idsIn(clientOf(), 'crashed');
		const ids = crashed.filter((id) => !crashedBefore.includes(id));
		const lost = await jobsIn(clientOf(), ids, accounts);
		if (lost.length === 0) continue;
		const since = () => (lapsedTime(pace).at(Date.now()) - killedAt) / 60_000;
		// By executions, as the replacements may read the history of the account instead of each job.
		const last = Math.max(...(await newestOf(clientOf())).map(Number));
		const isAllBack = async () => {
			const started = (await newestOf(clientOf())).filter((id) => Number(id) > last);
			const back = await jobsIn(clientOf(), started, accounts);
			return lost.every((job) => back.includes(job));
		};
		while (since() < GIVEN_UP_MINUTES && !(await isAllBack())) await delay(ASKING_MS);
		return { awake: lost.length, minutes: since() };
	}
}

/** The jobs that executions have worked on and that go on; n8n takes some for crashed that had ended. */
async function jobsIn(client: N8nClient, ids: readonly string[], accounts: readonly Sandbox[]) {
	const all = accounts.flatMap((account) => account.jobs);
	const jobs = all.filter(({ endsAt }) => endsAt > Date.now()).map(({ id }) => id);
	const found: string[] = [];
	for (const id of ids) {
		const text = JSON.stringify((await client.getExecution(id)).data);
		found.push(...jobs.filter((job) => text.includes(job)));
	}
	return found;
}

/** The newest that work, or are parked. */
const newestOf = async (client: N8nClient) => [
	...(await idsIn(client, 'waiting')),
	...(await idsIn(client, 'running')),
];

/** The newest executions of a status. */
async function idsIn(client: N8nClient, status: string): Promise<string[]> {
	const filter = encodeURIComponent(JSON.stringify({ status: [status] }));
	const { results } = await client.request('GET', `/rest/executions?filter=${filter}&limit=100`);
	return (results as Array<{ id: string }>).map(({ id }) => id);
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
	factor: number,
	{ pid }: N8nServer,
	accounts: readonly Sandbox[],
	memoryFile: string,
): Promise<Cost> {
	const [cpu, start, reads] = [await cpuSeconds(pid), Date.now(), readsOf(accounts)];
	await delay(ms);
	const core = ((await cpuSeconds(pid)) - cpu) / (((Date.now() - start) * factor) / 1000);
	return { core, memory: await memoryOf(pid, memoryFile), reads: readsOf(accounts) - reads };
}

/** Seconds of processor time that a process has used. */
async function cpuSeconds(pid: number): Promise<number> {
	const stat = await fs.readFile(`/proc/${pid}/stat`, 'utf8');
	const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
	return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Bytes that n8n holds, without what it could do without. */
async function memoryOf(pid: number, memoryFile: string): Promise<number> {
	await fs.rm(memoryFile, { force: true });
	process.kill(pid, 'SIGUSR2');
	for (;;) {
		const text = await fs.readFile(memoryFile, 'utf8').catch(() => '');
		if (text.endsWith('}')) return heldIn(JSON.parse(text));
		await delay(100);
	}
}

/** What has grown once while much was started at a time is not given back, so it does not count. */
const heldIn = ({ heapUsed, external }: NodeJS.MemoryUsage) => heapUsed + external;
