import { randomUUID } from 'node:crypto';
import fs from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

import { CONCURRENT_GENERATIONS } from '../../nodes/shared/spec/limits.ts';
import type { Sandbox } from '../../sandbox/server.mts';
import { lapsedTime, type TimeLapse } from '../lib/lapsedTime.mts';
import { N8nClient } from '../lib/n8nClient.mts';
import type { N8nInstall } from '../lib/n8nInstall.mts';
import { startN8n } from '../lib/n8nServer.mts';
import { startSandbox } from '../lib/sandbox.mts';
import { removeFolder, temporaryFolder } from '../lib/temporaryFolder.mts';
import { imageWorkflow, saveCredentials } from './images.mts';
import { sumOf, type Row } from './shared.mts';

/** How many runs wait, and how many executions have to be awake when n8n is killed: with few runs, seldom are two. */
interface Size {
	runs: number;
	awake: number;
	/** The bounds: % of a core, and minutes until all are at work again. */
	mostOfCore: number;
	mostMinutes: number;
}

const SIZES: Size[] = [
	{ runs: 20, awake: 1, mostOfCore: 3, mostMinutes: 5 },
	{ runs: 200, awake: 2, mostOfCore: 15, mostMinutes: 15 },
];

const DAY_S = 86_400;

/** Until the watchers have checked once, in ms. */
const PARKING_MS = 120_000;

/**
 * How many times as fast n8n's time passes while the runs wait. If it were faster, n8n would end: it does so when its
 * database keeps it waiting for a minute of that time.
 */
const LAPSE = 6;

/** The same from the kill on. */
const KILL_LAPSE = 2;

/** In ms of n8n's time: until the pauses between polls have stopped growing, and how long it is then measured. */
const GROWING_MS = 600_000;
const MEASURED_MS = 1_200_000;

/** What runs that wait durably cost n8n, and how soon they go on after it was killed. */
export async function measureParked(n8n: N8nInstall, tarball: string): Promise<Row[]> {
	const rows: Row[] = [];
	for (const size of SIZES) rows.push(await measure(n8n, tarball, size));
	return rows;
}

async function measure(n8n: N8nInstall, tarball: string, size: Size): Promise<Row> {
	const { runs, awake, mostOfCore, mostMinutes } = size;
	const userFolder = await temporaryFolder('mediagen-parked-');
	let server = await startN8n({ n8n, tarball, userFolder });
	let client = new N8nClient(server.url);
	const login = await client.setUpOwner();
	const accounts: Sandbox[] = [];
	for (let account = 0; account < runs / CONCURRENT_GENERATIONS; account++) {
		// Each account has a seed of its own; otherwise their jobs would have the same IDs.
		accounts.push(await startSandbox({ queuedMs: 0, seed: account }));
	}
	const restart = async (timeLapse: TimeLapse) => {
		await server.kill();
		const port = Number(new URL(server.url).port);
		server = await startN8n({ n8n, userFolder, port, timeLapse });
		client = new N8nClient(server.url);
		await client.logIn(login);
	};

	for (const account of accounts) await startRuns(client, account);
	while (sumOf(accounts, ({ jobs }) => jobs.length) < runs) await delay(1000);
	await delay(PARKING_MS);
	while ((await idsIn(client, 'running')).length > 0) await delay(2000);

	const lapse = { factor: LAPSE, anchor: Date.now() };
	await restart(lapse);
	await delay(GROWING_MS / LAPSE);
	const core = (await coreOver(server.pid, MEASURED_MS / LAPSE)) / LAPSE;
	const givenUpMinutes = 2 * mostMinutes;
	const killable = { awake, client: () => client, restart, accounts, givenUpMinutes };
	const minutes = await untilBack(killable, lapse);
	await server.stop();
	await removeFolder(userFolder);
	return {
		work: `${runs} runs that wait durably, in a real n8n with a faster clock`,
		values: [
			{ measured: core * 100, unit: '% of a core', most: mostOfCore },
			{
				of: 'after kill -9',
				measured: minutes,
				unit: 'minutes until all are at work again',
				most: mostMinutes,
			},
		],
	};
}

/** Starts as many runs as an account may have jobs. Each is parked for up to a day. */
async function startRuns(client: N8nClient, sandbox: Sandbox) {
	sandbox.settings.jobMs = { min: 1000 * DAY_S, max: 1000 * DAY_S };
	const path = randomUUID();
	const { mediaGenApi } = await saveCredentials(client, sandbox);
	const options = { waitMode: 'durable', timeout: DAY_S };
	// A webhook that answers at the end would keep the run from parking.
	const workflow = imageWorkflow(path, mediaGenApi, options, 'onReceived');
	await client.activate(await client.createWorkflow(workflow));
	for (let job = 0; job < CONCURRENT_GENERATIONS; job++) {
		await client.callWebhook(path, { items: [{ prompt: `item ${job}` }] });
	}
}

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

/** Between two looks whether all are at work again, in ms; frequent ones would keep n8n busy. */
const ASKING_MS = 5000;

interface Killable {
	/** A client of the n8n that runs now. */
	client(): N8nClient;
	/** Kills n8n, and starts it again with another pace of time. */
	restart(pace: TimeLapse): Promise<void>;
	accounts: readonly Sandbox[];
	/** How many executions have to be awake when n8n is killed. */
	awake: number;
	/** The longest wait for all jobs to have a worker again, in minutes of n8n's time. */
	givenUpMinutes: number;
}

/**
 * Kills n8n while some executions are awake, and again until at least one of those hit was a worker with running jobs.
 *
 * @returns After how many minutes of n8n's time all jobs that lost their worker have one again.
 */
async function untilBack(n8n: Killable, lapse: TimeLapse): Promise<number> {
	const { client, accounts, givenUpMinutes } = n8n;
	let pace = lapse;
	for (;;) {
		const crashedBefore = await idsIn(client(), 'crashed');
		while ((await idsIn(client(), 'running')).length < n8n.awake) await delay(100);
		// Read before the kill, since replacements may start as soon as n8n does.
		const last = Math.max(...(await idsIn(client())).map(Number));
		const now = Date.now();
		const killedAt = lapsedTime(pace).at(now);
		// n8n's time continues from the kill, at another pace.
		pace = { factor: KILL_LAPSE, anchor: (now * KILL_LAPSE - killedAt) / (KILL_LAPSE - 1) };
		await n8n.restart(pace);
		const hit = (await idsIn(client(), 'crashed')).filter((id) => !crashedBefore.includes(id));
		const lost = await jobsIn(client(), hit, accounts);
		if (lost.length === 0) continue;
		const since = () => (lapsedTime(pace).at(Date.now()) - killedAt) / 60_000;
		// Looks at executions, not requests: a replacement may read the account's history instead of each job.
		const isAllBack = async () => {
			const active = [...(await idsIn(client(), 'waiting')), ...(await idsIn(client(), 'running'))];
			const begun = active.filter((id) => Number(id) > last);
			// n8n may also resume the executions that were hit, under their old IDs.
			const back = await jobsIn(client(), [...begun, ...hit], accounts, ['waiting', 'running']);
			return lost.every((job) => back.includes(job));
		};
		while (since() < givenUpMinutes && !(await isAllBack())) await delay(ASKING_MS);
		return since();
	}
}

/** The jobs of the given executions that still run: n8n also marks some executions as crashed that had ended. */
async function jobsIn(
	client: N8nClient,
	ids: readonly string[],
	accounts: Killable['accounts'],
	statuses?: readonly string[],
): Promise<string[]> {
	const all = accounts.flatMap((account) => account.jobs);
	const jobs = all.filter(({ endsAt }) => endsAt > Date.now()).map(({ id }) => id);
	const found: string[] = [];
	for (const id of ids) {
		const { status, data } = await client.getExecution(id);
		if (statuses && !statuses.includes(status)) continue;
		const text = JSON.stringify(data);
		found.push(...jobs.filter((job) => text.includes(job)));
	}
	return found;
}

/** IDs of the newest executions, only those with the given status if there is one. */
async function idsIn(client: N8nClient, status?: string): Promise<string[]> {
	const filter = encodeURIComponent(JSON.stringify(status ? { status: [status] } : {}));
	const { results } = await client.request('GET', `/rest/executions?filter=${filter}&limit=100`);
	return (results as Array<{ id: string }>).map(({ id }) => id);
}
