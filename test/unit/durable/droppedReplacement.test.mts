import { Queue } from './queue.mts';

/** Queue mode: what has killed the worker kills its replacement, too, before the supervisor has looked at that. */

const MINUTE = 60_000;

const PROMPTS = Array.from({ length: 30 }, (_, item) => `item ${item}`);

test('its supervisor knows what it has started the replacement with', async () => {
	let killed = 0;
	const queue = new Queue({
		key: 'key-dropped-replacement',
		prompts: PROMPTS,
		settings: { jobMs: { min: 60_000, max: 120_000 } },
		onInstant: (it, process) => {
			const next = it.ids('work')[killed];
			if (it.elapsed < 4 * MINUTE || killed === 2 || next === undefined) return;
			if (!process.runs(next) || process.running().length > 1) return;
			killed += 1;
			it.kill(process, 55_000);
		},
	});
	queue.trigger();
	await queue.untilEnd();
	queue.over();
	expect(killed).toBe(2);
	expect(queue.open()).toEqual([]);
	expect(queue.twice()).toEqual([]);
	expect(queue.unnamed(PROMPTS)).toEqual([]);
});

test('a worker that has started another supervisor is killed before that has looked: it knows the work', async () => {
	const killed: string[] = [];
	const queue = new Queue({
		key: 'key-dropped-supervisor',
		prompts: PROMPTS,
		settings: { jobMs: { min: 60_000, max: 120_000 } },
		onInstant: (it, process) => {
			if (it.elapsed < 4 * MINUTE || process.running().length > 1) return;
			const [worker = ''] = it.ids('work');
			const [first = '', , next] = it.ids('supervise');
			const id = [first, next && worker][killed.length];
			if (!id || !process.runs(id)) return;
			killed.push(id);
			it.kill(process, 55_000);
		},
	});
	queue.trigger();
	await queue.untilEnd();
	queue.over();
	expect(killed).toHaveLength(2);
	expect(queue.open()).toEqual([]);
	expect(queue.twice()).toEqual([]);
	const done = queue.items().filter(({ json }) => json.status === 'completed');
	expect(done.length).toBeGreaterThanOrEqual(queue.cluster.state.jobs.list.length - 5);
});
