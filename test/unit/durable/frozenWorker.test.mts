import { Queue } from './queue.mts';

/**
 * Queue mode: a worker stands still, and is replaced; n8n drops what it had stored of the supervisor that did it, before
 * that worker goes on.
 */

const MINUTE = 60_000;

const PROMPTS = Array.from({ length: 60 }, (_, item) => `item ${item}`);

const settings = { jobMs: { min: 180_000, max: 300_000 } };

test.each([
	['a minute', 70_000],
	['a quarter of an hour', 15 * MINUTE],
])('n8n drops after %s what has died', async (when, droppedMs) => {
	let frozen = 0;
	let killed = 0;
	const queue = new Queue({
		key: `key-frozen-worker-${when}`,
		prompts: PROMPTS,
		settings,
		onInstant: (it, process) => {
			if (it.elapsed < 3 * MINUTE || it.dead.has(process)) return;
			const [first, second] = it.ids('work');
			const [supervisor] = it.ids('supervise');
			if (
				!frozen &&
				process.runs(first!) &&
				process.running().length === 1 &&
				!it.isAboutToCreate(process)
			) {
				frozen = it.elapsed;
				it.freeze(process, droppedMs + 6 * MINUTE, droppedMs);
			}
			if (frozen && !killed && second && process.runs(supervisor!)) {
				const { data } = it.cluster.store.row(supervisor!);
				if (!data.includes(`"worker":"${second}"`) || process.running().length > 1) return;
				killed = it.elapsed;
				it.kill(process, droppedMs);
			}
		},
	});
	queue.trigger();
	void queue.useElsewhere(160_000);
	await queue.untilEnd(6 * 60 * MINUTE);
	queue.over();
	expect(killed).toBeGreaterThan(0);
	expect(queue.twice()).toEqual([]);
	expect(queue.unnamed(PROMPTS)).toEqual([]);
	expect(queue.open()).toEqual([]);
});
