import { Queue } from './queue.mts';

/** Queue mode: n8n drops what it had stored of a worker, and of the supervisor that has replaced it. */

const MINUTE = 60_000;

const PROMPTS = Array.from({ length: 60 }, (_, item) => `item ${item}`);

const settings = { jobMs: { min: 180_000, max: 300_000 } };

test.each([
	['soon', 90_000],
	['late', 40 * MINUTE],
])(
	'worker killed (dropped %s) and replaced, then its supervisor killed and dropped',
	async (when, droppedMs) => {
		const killed: string[] = [];
		const queue = new Queue({
			key: `key-dropped-twice-${when}`,
			prompts: PROMPTS,
			settings,
			onInstant: (it, process) => {
				if (it.elapsed < 1045_000 || it.dead.has(process)) return;
				const workers = it.ids('work');
				const [first] = it.ids('supervise');
				if (killed.length === 0 && process.runs(workers[0]!) && process.running().length === 1) {
					killed.push(`worker ${workers[0]} at ${it.elapsed}`);
					it.kill(process, droppedMs);
				}
				if (killed.length === 1 && workers.length === 2 && process.runs(first!)) {
					const data = it.cluster.store.read(first!)!;
					if (!JSON.stringify(data).includes(`"worker":"${workers[1]}"`)) return;
					if (process.running().length > 1) return;
					killed.push(`supervisor ${first} at ${it.elapsed}`);
					it.kill(process);
				}
			},
		});
		queue.trigger();
		void queue.useElsewhere(160_000);
		await queue.untilEnd(6 * 60 * MINUTE);
		queue.over();
		expect(killed).toHaveLength(2);
		expect(queue.twice()).toEqual([]);
		expect(queue.unnamed(PROMPTS)).toEqual([]);
		expect(queue.open()).toEqual([]);
	},
);
