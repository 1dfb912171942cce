import type { IDataObject } from 'n8n-workflow';

import { OPEN_PATHS } from '../../../sandbox/settings.mts';
import { flat } from '../../support/flat.mts';
import type { ItemKind } from '../../support/product.mts';
import { VirtualN8n } from '../../support/virtualRun.mts';

/** One node after the other: the next one needs the item alone. */

function workflow(settings: object = {}) {
	const n8n = new VirtualN8n(
		{ settings: { jobMs: { min: 5000, max: 5000 }, ...settings } },
		OPEN_PATHS,
	);
	/** The first item that a node gives for an item. */
	const next = async (kind: ItemKind, parameters: IDataObject, item: IDataObject = {}) => {
		const { items, error, outputs } = await n8n.run({ items: [item], kind, parameters });
		return { item: items[0]?.json ?? {}, binary: items[0]?.binary, error, outputs };
	};
	return { n8n, next };
}

const VIDEO = { resource: 'vidA31', operation: 'generate', prompt: 'a kite', model: 'modelA_fast' };

const job = (operation: string, more: IDataObject = {}) => ({
	...{ resource: 'job', operation, jobId: '={{ $json.jobId }}', ...more },
});

test.each([{}, { options: { simplify: false } }])(
	'a video, its status, its end: %j',
	async (raw) => {
		const { next } = workflow();
		const started = await next('video', { ...VIDEO, ...raw, waitForCompletion: false });
		const { jobId } = started.item;
		const startedWith = { startedWith: 'vidA31' };
		expect(flat(started.item)).toMatchObject({ jobId: expect.any(String), ...startedWith });
		// In a node of another medium, too.
		const seen = await next('image', job('get', { startedWith: 'item', ...raw }), started.item);
		expect(seen.error).toBeUndefined();
		expect(flat(seen.item)).toMatchObject({ jobId, ...startedWith });
		const ended = await next('video', job('wait'), seen.item);
		expect(ended.item).toMatchObject({
			...{ mediaUrl: expect.stringContaining('.mp4'), status: 'completed', jobId },
			details: startedWith,
		});
	},
);

test('a song, and its cover, which is free: the item of the cover leads back to the take', async () => {
	const { n8n, next } = workflow();
	const song = await next('music', {
		resource: 'song',
		operation: 'generate',
		prompt: 'rain',
		model: 'V5',
	});
	const source = { source: song.item.jobId, audio_id: song.item.audioId };
	const cover = await next('music', { resource: 'artwork', operation: 'cover_art', ...source });
	expect(song.item.audioId).toMatch(/./);
	expect(flat(cover.item)).toMatchObject({
		...{ jobId: n8n.state.jobs.list[1]?.id, sourceJobId: song.item.jobId },
		sourceAudioId: song.item.audioId,
	});
});

test('both takes of a song are files of its item', async () => {
	const { next } = workflow();
	const { binary = {} } = await next('music', {
		...{ resource: 'song', operation: 'generate', model: 'V5', prompt: 'First snow' },
		downloadMedia: true,
	});
	const names = Object.values(binary).map(({ fileName }) => fileName);
	expect(names).toEqual(['01-first-snow.wav', '01-first-snow-2.wav']);
});
