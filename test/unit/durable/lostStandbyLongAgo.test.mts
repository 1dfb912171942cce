import { noteParked } from '../../../nodes/shared/durable/parking.ts';
import { Queue } from './queue.mts';

/**
 * Queue mode: a standby is killed and replaced, and n8n drops what it had stored of it. The supervisor was never silent:
 * that standby can have replaced nobody. Much later, the worker is killed, and nothing of it is lost.
 */

const MINUTE = 60_000;

const PROMPTS = Array.from({ length: 90 }, (_, item) => `item ${item}`);

/** As docs/workers.md recommends it: n8n drops nothing of a worker before that is replaced. */
const DROPPED_MS = 15 * MINUTE;

/** With so many, supervisors look seldom. */
const OTHER_RUNS = 80;

const DOUBT = 'may exist, and may have been paid for';

test('what n8n has of the worker counts: no more than its intents are in doubt', async () => {
	const killed: string[] = [];
	const queue = new Queue({
		key: 'key-lost-standby-long-ago',
		prompts: PROMPTS,
		settings: { jobMs: { min: 180_000, max: 300_000 } },
		onInstant: (it, process) => {
			if (it.dead.has(process) || process.running().length > 1) return;
			const [worker = ''] = it.ids('work');
			const [, standby = ''] = it.ids('supervise');
			const next = it.elapsed > 50 * MINUTE ? worker : standby;
			if (it.elapsed < 10 * MINUTE || killed.includes(next) || !process.runs(next)) return;
			if (next === worker && killed.length !== 1) return;
			killed.push(next);
			it.kill(process, DROPPED_MS);
		},
	});
	for (let run = 0; run < OTHER_RUNS; run++) noteParked(`other ${run}`, Infinity);
	queue.trigger();
	await queue.untilEnd(8 * 60 * MINUTE);
	queue.over();
	expect(killed).toHaveLength(2);
	expect(queue.open()).toEqual([]);
	expect(queue.twice()).toEqual([]);
	expect(queue.unnamed(PROMPTS)).toEqual([]);
	const doubts = queue.items().filter((item) => JSON.stringify(item).includes(DOUBT));
	expect(doubts.length).toBeLessThanOrEqual(5);
});
