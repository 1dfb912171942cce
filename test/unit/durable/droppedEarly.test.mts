import type { VirtualEngine } from '../../support/virtualEngine.mts';
import { recover } from './chaos/play.mts';
import { Queue } from './queue.mts';

/** Queue mode: n8n has dropped what it had stored of a worker before anybody has looked at it. */

const MINUTE = 60_000;

const PROMPTS = Array.from({ length: 20 }, (_, item) => `item ${item}`);

const DOUBT = 'may exist, and may have been paid for';

/** Kills, one after another from a time on, whatever runs in these roles. */
async function killed(key: string, fromMs: number, roles: Array<[role: string, nth: number]>) {
	const left = [...roles];
	const queue = new Queue({
		key,
		prompts: PROMPTS,
		settings: { jobMs: { min: 120_000, max: 300_000 } },
		onInstant: (it, process) => {
			const [next] = left;
			if (!next || it.elapsed < fromMs || it.dead.has(process)) return;
			if (!process.runs(it.ids(next[0])[next[1]] ?? '')) return;
			left.shift();
			it.kill(process, 55_000);
		},
	});
	queue.trigger();
	await queue.untilEnd(4 * 60 * MINUTE);
	expect(left).toEqual([]);
	expect(queue.twice()).toEqual([]);
	return queue;
}

test.each<[story: string, key: string, fromMs: number, roles: Array<[string, number]>]>([
	['in its first seconds', 'key-dropped-early', 5000, [['work', 0]]],
	[
		'and its supervisor, before the standby has looked',
		'key-dropped-early-both',
		80_000,
		[
			['supervise', 0],
			['work', 0],
		],
	],
])(
	'the worker is killed %s: the run ends, and all that may be paid for is named',
	async (...story) => {
		const [, key, fromMs, roles] = story;
		const queue = await killed(key, fromMs, roles);
		queue.over();
		expect(queue.open()).toEqual([]);
		expect(queue.items()).toHaveLength(PROMPTS.length);
		expect(queue.unnamed(PROMPTS)).toEqual([]);
	},
);

test('of the three, nothing is left: Recover names what may be paid for', async () => {
	const roles: Array<[string, number]> = [
		['supervise', 0],
		['work', 0],
		['supervise', 1],
	];
	const queue = await killed('key-dropped-early-all', 80_000, roles);
	const { clock, store } = queue.cluster;
	const process = queue.processes.at(-1)!;
	const trigger: VirtualEngine['trigger'] = async (...args) => (await process.trigger(...args)).id;
	const engine = { trigger, clock, store } as unknown as VirtualEngine;
	const found = await clock.run(recover(engine, '1')).catch((error: Error) => error.message);
	queue.over();
	expect(JSON.stringify(found)).toContain(DOUBT);
});
