import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

import { TIME_LAPSE } from '../../tools/lib/lapsedTime.mts';
import type { Execution, Item } from '../../tools/lib/n8nClient.mts';
import { jobOf } from '../support/jobOf.mts';
import { useRealN8n } from '../support/useRealN8n.mts';

/**
 * The example that waits on the canvas, parked in n8n's database between its rounds; in a real n8n whose time
 * passes ten times as fast.
 */

const n8n = useRealN8n({ timeLapse: TIME_LAPSE });

/** Items of all runs of a node. */
const itemsOf = ({ runData }: Execution, node: string) =>
	(runData[node] ?? []).flatMap(({ data }) => data?.main[0] ?? []).map(({ json }) => json);

/** Waits until the loop has gone round so often, and n8n waits again. */
async function untilRound(id: string, round: number): Promise<void> {
	for (;;) {
		const { status, runData } = await n8n.client.getExecution(id);
		if (status === 'waiting' && (runData['Look at them']?.length ?? 0) === round) return;
		if (['success', 'error', 'crashed'].includes(status))
			throw new Error(`It has ended: ${status}`);
		await delay(100);
	}
}

test('each item leaves the loop when its job has ended, with what belongs to it', async () => {
	const { sandbox, client, clock } = n8n;
	// Each ends when it is told to.
	sandbox.settings.jobMs = { min: 3_600_000, max: 3_600_000 };
	sandbox.settings.failPrompt = 'lighthouse';
	const workflow = JSON.parse(readFileSync('examples/visibleLoop.json', 'utf8'));
	const saved = await client.importWorkflow(workflow, [n8n.credential]);
	const id = await client.runManually(saved, 'Start');
	const change = async (round: number, prompt: string, time: 'startsAt' | 'endsAt', to: number) => {
		await untilRound(id, round);
		const job = jobOf(sandbox, prompt);
		if (job) job[time] = to;
		return job?.id;
	};
	const end = async (prompt: string, round: number) =>
		await change(round, prompt, 'endsAt', clock.now());

	await change(0, 'A kite over the dunes', 'startsAt', Infinity);
	const fox = await end('A fox in the snow', 0);
	await change(1, 'A kite over the dunes', 'startsAt', clock.now());
	const lighthouse = await end('A lighthouse in a storm', 1);
	await untilRound(id, 2);
	// A state that nobody knows is not the end.
	sandbox.faults.add({
		match: { kind: 'status' },
		fault: { kind: 'status', status: 200, body: { status: 'paused' } },
		times: 1,
	});
	const kite = await end('A kite over the dunes', 3);

	const execution = await client.waitForExecution(id);
	expect(execution.status).toBe('success');
	expect(sandbox.faults.rules.map(({ times }) => times)).toEqual([0]);
	const looks = execution.runData['Look at them']?.map(({ data }) =>
		data.main.map((items: Item[] | null) => (items ?? []).map(({ json }) => json.status)),
	);
	expect(looks).toEqual([
		[['completed'], [], ['queued', 'processing']],
		[[], ['failed'], ['processing']],
		[[], [], ['paused']],
		[['completed'], [], []],
	]);
	const url = (job?: string) => `${sandbox.url}/media/${job}.mp4`;
	expect(itemsOf(execution, 'Completed')).toEqual([
		{ prompt: 'A fox in the snow', videoUrl: url(fox), jobId: fox },
		{ prompt: 'A kite over the dunes', videoUrl: url(kite), jobId: kite },
	]);
	expect(itemsOf(execution, 'Failed')).toEqual([
		{
			prompt: 'A lighthouse in a storm',
			problem: 'The sandbox was asked to fail this generation.',
			jobId: lighthouse,
		},
	]);
	expect(sandbox.account.charges.map(({ jobId }) => jobId).sort()).toEqual(
		[fox, lighthouse, kite].sort(),
	);
}, 120_000);
