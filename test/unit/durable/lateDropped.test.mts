import { Queue } from './queue.mts';

/**
 * Queue mode: a worker is killed, and those that are left are so busy that its supervisor comes to look minutes late,
 * when n8n has dropped what it had stored of that worker.
 */

const MINUTE = 60_000;

const PROMPTS = Array.from({ length: 60 }, (_, item) => `item ${item}`);

/** Nothing begins for so long, ms. */
const BUSY_MS = 5 * MINUTE;

test.each([5, 25])(
	'minute %i: the standby goes on with what the supervisor knew',
	async (minute) => {
		let killedAt = 0;
		const queue = new Queue({
			key: `key-late-dropped-${minute}`,
			prompts: PROMPTS,
			settings: { jobMs: { min: 180_000, max: 300_000 } },
			onInstant: (it, process) => {
				const [worker = ''] = it.ids('work');
				if (killedAt || it.elapsed < minute * MINUTE || !process.runs(worker)) return;
				if (process.running().length > 1) return;
				killedAt = it.elapsed;
				it.kill(process);
				const left = it.processes.filter((one) => !it.dead.has(one));
				for (const other of left) it.freeze(other, BUSY_MS, Infinity);
			},
		});
		queue.trigger();
		await queue.untilEnd(6 * 60 * MINUTE);
		queue.over();
		expect(killedAt).toBeGreaterThan(0);
		expect(queue.open()).toEqual([]);
		expect(queue.twice()).toEqual([]);
		expect(queue.unnamed(PROMPTS)).toEqual([]);
		// The supervisor has looked a few minutes before.
		const done = queue.items().filter(({ json }) => json.status === 'completed');
		expect(done.length).toBeGreaterThanOrEqual(queue.cluster.state.jobs.list.length - 5);
	},
);
