import type { NetworkOptions } from '../../support/virtualNetwork.mts';
import { images } from '../../support/virtualImages.mts';
import { VirtualN8n } from '../../support/virtualRun.mts';
import { startJob } from '../trigger/tell.mts';

/** Who waits for a place gets one, although nothing happens in its own process that could wake it. */

/** From the document. */
const PLACES = 5;

/**
 * Another process takes all places for so long; from 5 s on, this one wants to create three images. Gives when it
 * could, s, and how many creations were refused, within ten minutes.
 */
async function besideOthers(ms: number, retell?: NetworkOptions['retell']) {
	const n8n = new VirtualN8n({ retell });
	const { clock, state } = n8n;
	const startedAt = clock.now();
	for (let count = 0; count < PLACES; count++) {
		startJob(state, { made: 'image generate', fails: false, ms });
	}
	await clock.advance(5000);
	void n8n.execute(images(['a', 'b', 'c']));
	await clock.advance(600_000);
	return {
		created: state.jobs.list.slice(PLACES).map((job) => (job.createdAt - startedAt) / 1000),
		refused: state.journal.entries.filter(({ kind, status }) => kind === 'create' && status === 429)
			.length,
	};
}

test.each([
	[25_000, 1],
	[60_000, 2],
])(
	'jobs of others that take all places for %i ms are seen to end; %i are refused before',
	async (ms, most) => {
		const { created, refused } = await besideOthers(ms);
		expect(created).toHaveLength(3);
		expect(created[0]).toBeGreaterThanOrEqual(ms / 1000);
		expect(created.at(-1)).toBeLessThan(ms / 1000 + 20);
		// The first, before anybody has looked; and one when those of others seem to be there for too long.
		expect(refused).toBeLessThanOrEqual(most);
	},
);

test('where the history shows them for ever, a place is tried for all the same, and the others follow', async () => {
	const shown: Record<string, object> = {};
	const { created } = await besideOthers(20_000, (answer, { url }) => {
		if (!url.endsWith('/history/')) return answer;
		return (answer as Array<{ id: string }>).map((entry, index, all) => {
			if (index >= all.length - PLACES) shown[entry.id] ??= entry;
			return shown[entry.id] ?? entry;
		});
	});
	expect(created).toHaveLength(3);
	expect(created.at(-1)).toBeLessThan(150);
});
