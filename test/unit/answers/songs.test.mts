import type { IDataObject } from 'n8n-workflow';

import { takesOf } from '../../../sandbox/music/takes.mts';
import { OPEN_PATHS } from '../../../sandbox/settings.mts';
import { BASE_URL } from '../../support/virtualNetwork.mts';
import { VirtualN8n } from '../../support/virtualRun.mts';
import { flat } from '../../support/flat.mts';

/** A song has two takes, each with a picture: the next node finds the audio, whatever the layout. */
async function song(record: 'nested' | 'flat' | 'lists', options: IDataObject = {}) {
	const shapes = { music: { record, pictures: true } };
	const settings = { shapes, jobMs: { min: 500, max: 500 } };
	const n8n = new VirtualN8n({ settings }, OPEN_PATHS);
	const { items, hints } = await n8n.clock.run(
		n8n.execute({
			items: [{}],
			kind: 'music',
			parameters: {
				resource: 'song',
				operation: 'generate',
				model: 'V5',
				prompt: 'a song of the sea',
				options,
			},
		}),
	);
	const [job] = n8n.state.jobs.list;
	const takes = takesOf(job!).map(({ id, audio, picture }) => ({
		id,
		audio: `${BASE_URL}/media/${audio}`,
		picture: `${BASE_URL}/media/${picture}`,
	}));
	return { items: items.map(({ json }) => json), takes, hints };
}

test.each(['nested', 'flat', 'lists'] as const)('%s', async (record) => {
	const { items, takes, hints } = await song(record);
	const [first, second] = takes;
	expect(items).toHaveLength(1);
	expect(Object.keys(items[0] ?? {}).slice(0, 5)).toEqual([
		'mediaUrl',
		'status',
		'jobId',
		'mediaType',
		'creditsUsed',
	]);
	expect(items[0]).toMatchObject({
		mediaUrl: first?.audio,
		mediaUrls: [first?.audio, second?.audio],
		details: { startedWith: 'music', operation: 'generate' },
		takes: [{ mediaUrl: first?.audio }, { mediaUrl: second?.audio }],
	});
	const others = flat(items[0] ?? {}).otherUrls as Array<{ url: string }>;
	expect(others.map(({ url }) => url)).toEqual([first?.picture, second?.picture]);
	expect(hints.filter(({ type }) => type === 'warning')).toEqual([]);
	// Lists side by side do not say whose identifier is whose.
	expect(items[0]?.audioId).toBe(record === 'lists' ? undefined : first?.id);
	expect(JSON.stringify(items[0])).not.toContain('null');
});
