import { Queue } from './queue.mts';

/**
 * Queue mode: worker and supervisor stand still, and their standby takes over; n8n drops what it had stored of that
 * standby, before the two go on.
 */

const MINUTE = 60_000;

const PROMPTS = Array.from({ length: 90 }, (_, item) => `item ${item}`);

/** `QUEUE_WORKER_LOCK_DURATION`, as docs/workers.md recommends it. */
const DROPPED_MS = 15 * MINUTE;

test('the supervisor that goes on makes way for whoever has taken over', async () => {
	const frozen: string[] = [];
	let killedAt = 0;
	const queue = new Queue({
		key: 'key-lost-standby',
		prompts: PROMPTS,
		settings: { jobMs: { min: 180_000, max: 300_000 } },
		onInstant: (it, process) => {
			if (it.elapsed < 20 * MINUTE || it.dead.has(process) || process.pausable.isPaused) return;
			const [worker = '', other = ''] = it.ids('work');
			const [supervisor = '', standby = ''] = it.ids('supervise');
			for (const id of [worker, supervisor]) {
				if (frozen.includes(id) || !process.runs(id) || it.isAboutToCreate(process)) continue;
				if (process.running().some((one) => ![worker, supervisor].includes(one))) continue;
				frozen.push(...process.running());
				it.freeze(process, 32 * MINUTE, DROPPED_MS);
			}
			const isSuperseded = it.cluster.store.rows.get(standby)?.data.includes(`"worker":"${other}"`);
			if (killedAt || other === '' || !isSuperseded) return;
			if (!process.runs(standby) || process.running().length > 1) return;
			killedAt = it.elapsed;
			it.kill(process, DROPPED_MS);
		},
	});
	queue.trigger();
	await queue.untilEnd(8 * 60 * MINUTE);
	queue.over();
	expect(frozen).toHaveLength(2);
	expect(killedAt).toBeGreaterThan(0);
	expect(queue.twice()).toEqual([]);
	expect(queue.unnamed(PROMPTS)).toEqual([]);
	expect(queue.open()).toEqual([]);
});
