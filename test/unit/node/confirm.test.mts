import type { IHttpRequestOptions } from 'n8n-workflow';

import { VirtualN8n } from '../../support/virtualRun.mts';
import { wrongResults } from '../../../tools/bench/wrongResults.mts';

/** What is given out was not taken from a history that was found to be wrong. */

type Entry = Record<string, unknown>;

const PROMPTS = Array.from({ length: 20 }, (_, item) => ({ prompt: `item ${item}` }));

const BATCH = {
	items: PROMPTS,
	parameters: (item: number) => ({
		resource: 'image',
		operation: 'generate',
		size: '1:1',
		...PROMPTS[item],
		options: {},
	}),
};

/** @param lie tells of a job otherwise, once so many seconds have passed */
async function ran(lie: (entry: Entry) => Entry = (entry) => entry, fromS = 0) {
	const n8n: VirtualN8n = new VirtualN8n({
		settings: { jobMs: { min: 3000, max: 9000 } },
		retell: (answer: unknown, { url }: IHttpRequestOptions) =>
			url.endsWith('/history/') && n8n.clock.now() >= startedAt + fromS * 1000
				? (answer as Entry[]).map(lie)
				: answer,
	});
	const startedAt = n8n.clock.now();
	const execution = await n8n.clock.run(n8n.execute(BATCH));
	const { entries } = n8n.state.journal;
	const ended = n8n.state.jobs.list.filter(({ id, endsAt }) =>
		entries.some(({ kind, path, at }) => kind === 'status' && path.includes(id) && at >= endsAt),
	);
	return { execution, state: n8n.state, read: ended.length };
}

test('where all is true, most jobs are not read by themselves, and one is in the end', async () => {
	const { execution, state, read } = await ran();
	expect(wrongResults(execution, state)).toBe(0);
	expect(read).toBeLessThan(12);
	expect(read).toBeGreaterThan(3);
	const lastRead = state.journal.entries.filter(({ kind }) => kind === 'status').at(-1);
	expect(lastRead?.at).toBeGreaterThan(Math.max(...state.jobs.list.map(({ endsAt }) => endsAt)));
});

test('where the last one is told otherwise, all that were taken are read by themselves', async () => {
	const lie = (entry: Entry) =>
		entry.image_url === undefined ? entry : { ...entry, image_url: `${String(entry.image_url)}x` };
	const { execution, state, read } = await ran(lie, 15);
	expect(wrongResults(execution, state)).toBe(0);
	expect(read).toBe(20);
	expect(state.jobs.list).toHaveLength(20);
});
