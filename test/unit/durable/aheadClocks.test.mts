import { Queue } from './queue.mts';

/**
 * Queue mode: the clocks of the machines are ahead of that of n8n's main process, which wakes up what is due: all seems
 * to come late, always.
 */

const MINUTE = 60_000;

const PROMPTS = Array.from({ length: 30 }, (_, item) => `item ${item}`);

test.each([2, 10])('%i minutes ahead, the worker is killed: it is replaced', async (minutes) => {
	let killedAt = 0;
	const queue = new Queue({
		key: `key-ahead-${minutes}`,
		prompts: PROMPTS,
		aheadMs: [minutes * MINUTE],
		settings: { jobMs: { min: 180_000, max: 300_000 } },
		onInstant: (it, process) => {
			const [worker = ''] = it.ids('work');
			if (killedAt || it.elapsed < 8 * MINUTE || !process.runs(worker)) return;
			if (process.running().length > 1) return;
			killedAt = it.elapsed;
			it.kill(process, 15 * MINUTE);
		},
	});
	queue.trigger();
	await queue.untilEnd(8 * 60 * MINUTE);
	queue.over();
	expect(killedAt).toBeGreaterThan(0);
	expect(queue.open()).toEqual([]);
	expect(queue.twice()).toEqual([]);
	expect(queue.unnamed(PROMPTS)).toEqual([]);
});
