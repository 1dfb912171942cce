import type { IRunExecutionData } from 'n8n-workflow';

import { supervisorStateIn } from '../../../nodes/shared/durable/state.ts';
import { IMAGES } from './chaos/play.mts';
import { Queue } from './queue.mts';

/** Queue mode: n8n drops what it had stored of a worker, and the history lists what that has created some time later. */

const MINUTE = 60_000;

const PROMPTS = Array.from({ length: 40 }, (_, item) => `item ${item}`);

/** With these, an item was once paid for twice. */
const FOUND = [7, 8, 12, 23, 24];

/** The copy is as old as this when the worker is killed, ms. */
const AGE_MS = { min: 45_000, max: 69_000 };

/** Made so long after the copy, somebody else's job once proved that the history was up to date, ms. */
const PROOF_MS = 74_000;

/** When the tick was that the supervisor has a copy of, ms since 1970. */
function copiedAt({ cluster: { store }, ids }: Queue): number {
	const [supervisor] = ids('supervise');
	const { executionData } = store.read(supervisor!)!;
	const { copy } = supervisorStateIn({ executionData } as object as IRunExecutionData, IMAGES);
	return Number(copy?.work.state.intents.at);
}

test.each(FOUND)(
	'what was sent since the copy was made is not sent again: seed %i',
	async (seed) => {
		let isKilled = false;
		const killAt = (5 + seed / 4) * MINUTE;
		const queue = new Queue({
			key: `key-stale-copy-${seed}`,
			prompts: PROMPTS,
			settings: {
				seed,
				jobMs: { min: 260_000, max: 400_000 },
				shapes: { list: { lagMs: { min: 100_000, max: 200_000 } } },
			},
			onInstant: (it, process) => {
				const [worker = ''] = it.ids('work');
				if (isKilled || it.elapsed < killAt || !process.runs(worker)) return;
				const { clock, state } = it.cluster;
				const age = clock.now() - copiedAt(it);
				const sinceCreation = clock.now() - state.jobs.list.at(-1)!.createdAt;
				if (age < AGE_MS.min || age > AGE_MS.max || sinceCreation > 10_000) return;
				if (process.running().length > 1) return;
				void clock.sleep(PROOF_MS - age).then(() => it.usedByOthers());
				isKilled = true;
				it.kill(process, 55_000);
			},
		});
		queue.trigger();
		await queue.untilEnd(6 * 60 * MINUTE);
		queue.over();
		expect(isKilled).toBe(true);
		expect(queue.twice()).toEqual([]);
		expect(queue.unnamed(PROMPTS)).toEqual([]);
		expect(queue.open()).toEqual([]);
	},
);
