import type { IDataObject } from 'n8n-workflow';

import type { FaultRuleInput } from '../../../sandbox/faults.mts';
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
		const run = n8n.execute({ items: [item], kind, parameters });
		const { items, error, outputs } = await n8n.clock.run(run);
		return { item: items[0]?.json ?? {}, binary: items[0]?.binary, error, outputs };
	};
	return { n8n, next };
}

const VIDEO = { resource: 'vidA31', operation: 'generate', prompt: 'a kite', model: 'modelA_fast' };

const IMAGE = { resource: 'image', operation: 'generate', size: '1:1', prompt: 'a kite' };

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

test('an entry of the history, and its status', async () => {
	const { next } = workflow();
	await next('image', { ...IMAGE, waitForCompletion: false });
	const { item } = await next('image', { resource: 'job', operation: 'history', limit: 5 });
	const { error } = await next('image', job('get', { jobId: item.id, startedWith: 'item' }), item);
	expect(error).toBeUndefined();
});

describe('a job that the status of any generation does not know', () => {
	const readWith = async (operation: string, statuses: Record<string, number>) => {
		const { n8n, next } = workflow();
		const { item } = await next('image', { ...IMAGE, waitForCompletion: false });
		await n8n.clock.advance(6000);
		for (const [kind, status] of Object.entries(statuses)) {
			const match = { kind } as FaultRuleInput['match'];
			n8n.state.faults.add({ match, fault: { kind: 'status', status } });
		}
		return await next('image', job(operation, { jobId: item.jobId }));
	};

	test.each(['get', 'wait'])(
		'%s: it is read in the history, where that has it',
		async (operation) => {
			const { item, error } = await readWith(operation, { status: 404 });
			expect(error).toBeUndefined();
			expect(item).toMatchObject({
				status: 'completed',
				mediaUrl: expect.stringMatching(/^https?:/),
			});
		},
	);

	test.each([
		['get', { status: 404, list: 404 }, '404'],
		['get', { status: 404, list: 403 }, '403'],
	])('%s, of %j: the error', async (operation, statuses, httpCode) => {
		expect((await readWith(operation, statuses)).error).toMatchObject({ httpCode });
	});
});

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

test('each file is named by row and prompt, and belongs to its row', async () => {
	const n8n = new VirtualN8n();
	const prompts = ['a kite', 'a fox', 'a whale'];
	const { items } = await n8n.clock.run(
		n8n.execute({
			items: prompts.map(() => ({})),
			parameters: (i) => ({ ...IMAGE, downloadMedia: true, prompt: prompts[i] }),
		}),
	);
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual([0, 1, 2].map((item) => ({ item })));
	const names = ['01-a-kite.png', '02-a-fox.png', '03-a-whale.png'];
	expect(items.map(({ binary }) => binary?.data?.fileName)).toEqual(names);
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
