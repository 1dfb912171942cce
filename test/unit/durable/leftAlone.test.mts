import { Queue } from './queue.mts';

/**
 * Queue mode: two of the three helpers of a run are killed, and n8n drops what it had stored of them. Those that are
 * left come to look minutes late, as n8n is busy.
 */

const MINUTE = 60_000;

const PROMPTS = Array.from({ length: 60 }, (_, item) => `item ${item}`);

const BUSY_MS = 5 * MINUTE;

const NAMES = { work: 'worker', supervise: 'supervisor' };

test.each(['work', 'supervise'] as const)('the standby is killed, and then %s', async (role) => {
	const killed: string[] = [];
	const queue = new Queue({
		key: `key-left-alone-${role}`,
		prompts: PROMPTS,
		settings: { jobMs: { min: 180_000, max: 300_000 } },
		onInstant: (it, process) => {
			if (it.dead.has(process) || killed.length === 2) return;
			const standby = it.ids('supervise')[1] ?? '';
			const next = killed.length === 0 ? standby : it.ids(role)[0]!;
			if (!process.runs(next) || process.running().length > 1) return;
			// Of the standby: at its first look.
			if (it.elapsed < 14 * MINUTE || (killed.length === 1 && !it.isParked('work'))) return;
			killed.push(killed.length === 0 ? 'standby' : NAMES[role]);
			it.kill(process);
			if (killed.length === 2) it.busy(BUSY_MS);
		},
	});
	queue.trigger();
	await queue.untilEnd(8 * 60 * MINUTE);
	queue.over();
	expect(killed).toEqual(['standby', NAMES[role]]);
	expect(queue.open()).toEqual([]);
	expect(queue.twice()).toEqual([]);
	expect(queue.unnamed(PROMPTS)).toEqual([]);
	expect(queue.items()).toHaveLength(PROMPTS.length);
});
