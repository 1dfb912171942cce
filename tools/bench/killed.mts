import { setTimeout as delay } from 'node:timers/promises';

import type { Sandbox } from '../../sandbox/server.mts';
import { lapsedTime, type TimeLapse } from '../lib/lapsedTime.mts';
import type { N8nClient } from '../lib/n8nClient.mts';

/** So many times as fast n8n's time passes while it is killed and goes on. */
export const KILL_LAPSE = 2;

type Client = Pick<N8nClient, 'request' | 'getExecution'>;

interface Killable {
	/** Of the n8n that runs now. */
	client(): Client;
	/** Kills it, and starts it with another pace of time. */
	restart(pace: TimeLapse): Promise<void>;
	accounts: ReadonlyArray<Pick<Sandbox, 'jobs'>>;
	/** Executions that have to be awake when it is killed. */
	awake: number;
	/** Nobody is waited for longer, in n8n's time. */
	givenUpMinutes: number;
	/** Between two looks, ms: n8n is not to be kept busy by them. */
	askingMs?: number;
}

/**
 * Kills n8n while some executions are awake, one of them a worker, or it is killed again.
 *
 * @returns how many jobs had a worker that was hit, and after how many minutes of n8n's time each has one again
 */
export async function untilBack(n8n: Killable, lapse: TimeLapse) {
	const { client, accounts, givenUpMinutes, askingMs = 5000 } = n8n;
	let pace = lapse;
	for (;;) {
		const crashedBefore = await idsIn(client(), 'crashed');
		while ((await idsIn(client(), 'running')).length < n8n.awake) await delay(100);
		// Known before the kill: replacements may start as soon as n8n does.
		const last = Math.max(...(await idsIn(client())).map(Number));
		const now = Date.now();
		const killedAt = lapsedTime(pace).at(now);
		// The time goes on, at another pace.
		pace = { factor: KILL_LAPSE, anchor: (now * KILL_LAPSE - killedAt) / (KILL_LAPSE - 1) };
		await n8n.restart(pace);
		const hit = (await idsIn(client(), 'crashed')).filter((id) => !crashedBefore.includes(id));
		const lost = await jobsIn(client(), hit, accounts);
		if (lost.length === 0) continue;
		const since = () => (lapsedTime(pace).at(Date.now()) - killedAt) / 60_000;
		// By executions, as the replacements may read the history of the account instead of each job.
		const isAllBack = async () => {
			const active = [...(await idsIn(client(), 'waiting')), ...(await idsIn(client(), 'running'))];
			const begun = active.filter((id) => Number(id) > last);
			// n8n may let those that were hit go on, under their old numbers.
			const back = await jobsIn(client(), [...begun, ...hit], accounts, ['waiting', 'running']);
			return lost.every((job) => back.includes(job));
		};
		while (since() < givenUpMinutes && !(await isAllBack())) await delay(askingMs);
		return { awake: lost.length, minutes: since() };
	}
}

/** The jobs that executions have worked on and that go on; n8n takes some for crashed that had ended. */
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

/** The newest executions; of one status, where it is given. */
export async function idsIn(client: Client, status?: string): Promise<string[]> {
	const filter = encodeURIComponent(JSON.stringify(status ? { status: [status] } : {}));
	const { results } = await client.request('GET', `/rest/executions?filter=${filter}&limit=100`);
	return (results as Array<{ id: string }>).map(({ id }) => id);
}
