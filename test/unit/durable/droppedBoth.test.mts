import type { VirtualEngine } from '../../support/virtualEngine.mts';
import { recover } from './chaos/play.mts';
import { Queue } from './queue.mts';

/** Queue mode: n8n drops what it had stored of the two helpers that the waiting node names. */

const MINUTE = 60_000;

const PROMPTS = Array.from({ length: 60 }, (_, item) => `item ${item}`);

const ID = '1';

/** Stop in the list of executions. */
function stop({ cluster: { store } }: Queue): void {
	const data = store.read(ID)!;
	data.resultData.error = { message: 'The execution was cancelled manually', reason: 'manual' };
	Object.assign(store.row(ID), { status: 'canceled', waitTill: null, data: JSON.stringify(data) });
}

test('the standby has taken over, a person stops the run: Recover finds what is paid for', async () => {
	const killed: string[] = [];
	let isStopped = false;
	const queue = new Queue({
		key: 'key-dropped-both',
		prompts: PROMPTS,
		settings: { jobMs: { min: 180_000, max: 300_000 } },
		onInstant: (it, process) => {
			const [worker = '', other] = it.ids('work');
			const [supervisor = ''] = it.ids('supervise');
			const next = [worker, supervisor][killed.length];
			if (it.elapsed > 16 * MINUTE && next !== undefined && process.runs(next)) {
				if (process.running().length > 1) return;
				killed.push(next);
				it.kill(process);
			}
			if (other === undefined || isStopped) return;
			isStopped = true;
			stop(it);
		},
	});
	queue.trigger();
	await queue.untilEnd(6 * 60 * MINUTE);
	const { clock, store, state } = queue.cluster;
	const paid = state.jobs.list.map(({ id }) => id);
	const process = queue.processes.at(-1)!;
	const trigger: VirtualEngine['trigger'] = async (...args) => (await process.trigger(...args)).id;
	const engine = { trigger, clock, store } as unknown as VirtualEngine;
	const found = await clock.run(recover(engine, ID)).catch((error: Error) => error.message);
	queue.over();
	expect(killed).toHaveLength(2);
	expect(isStopped).toBe(true);
	// As many as the copy of the standby has: its last look was up to a quarter of an hour before.
	const named = paid.filter((id) => JSON.stringify(found).includes(id));
	expect(Array.isArray(found) ? [] : found).toEqual([]);
	expect(named.length).toBeGreaterThanOrEqual(paid.length - 5);
});
