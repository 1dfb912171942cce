import { setTimeout as delay } from 'node:timers/promises';

import type { Sandbox } from '../../sandbox/server.mts';
import { lapsedTime, type TimeLapse } from '../lib/lapsedTime.mts';
import type { N8nClient } from '../lib/n8nClient.mts';

/** How many times as fast n8n's time passes from the kill on. */
export const KILL_LAPSE = 2;

type Client = Pick<N8nClient, 'request' | 'getExecution'>;

interface Killable {
	/** A client of the n8n that runs now. */
	client(): Client;
	/** Kills n8n, and starts it again with another pace of time. */
	restart(pace: TimeLapse): Promise<void>;
	accounts: ReadonlyArray<Pick<Sandbox, 'jobs'>>;
	/** How many executions have to be awake when n8n is killed. */
	awake: number;
	/** The longest wait for all jobs to have a worker again, in minutes of n8n's time. */
	givenUpMinutes: number;
	/** Between two looks, in ms; frequent ones would keep n8n busy. */
	askingMs?: number;
}

/**
 * Kills n8n while some executions are awake, and again until at least one of those hit was a worker with running jobs.
 *
 * @returns How many jobs lost their worker, and after how many minutes of n8n's time all have one again.
 */
export async function untilBack(n8n: Killable, lapse: TimeLapse) {
	const { client, accounts, givenUpMinutes, askingMs = 5000 } = n8n;
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
		while (since() < givenUpMinutes && !(await isAllBack())) await delay(askingMs);
		return { awake: lost.length, minutes: since() };
	}
}

/** The jobs of the given executions that still run: n8n also marks some executions as crashed that had ended. */
async function jobsIn(
	client: Client,
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
export async function idsIn(client: Client, status?: string): Promise<string[]> {
	const filter = encodeURIComponent(JSON.stringify(status ? { status: [status] } : {}));
	const { results } = await client.request('GET', `/rest/executions?filter=${filter}&limit=100`);
	return (results as Array<{ id: string }>).map(({ id }) => id);
}
