import type { IDataObject } from 'n8n-workflow';

import { takesOf } from '../../../sandbox/music/takes.mts';
import { OPEN_PATHS } from '../../../sandbox/settings.mts';
import { VirtualN8n, type NodeSettings } from '../../support/virtualRun.mts';

/** What an agent's model gets from a node that is its tool. */

const TOOL = { type: 'n8n-nodes-mediagen.mediaGenImageTool' };
const MUSIC_TOOL = { name: 'MediaGen', type: 'n8n-nodes-mediagen.mediaGenMusicTool' };

function open() {
	const n8n = new VirtualN8n({ settings: { jobMs: { min: 4000, max: 4000 } } });
	return {
		n8n,
		call: async (parameters: IDataObject, node: NodeSettings = {}) => {
			const { items, error } = await n8n.clock.run(
				n8n.execute({ items: [{}], parameters: () => parameters, node: { ...TOOL, ...node } }),
			);
			return { answer: items[0]?.json, error, id: n8n.state.jobs.list[0]?.id };
		},
	};
}

const image = (prompt: string, options: IDataObject = {}): IDataObject => ({
	resource: 'image',
	operation: 'generate',
	size: '1:1',
	prompt,
	options,
});

test('the item that the node gives: the URL, the job, the credits, and how to come back', async () => {
	const { answer, id } = await open().call(image('a'));
	expect(answer).toMatchObject({
		mediaUrl: expect.stringContaining(`${id}.png`),
		status: 'completed',
		jobId: id,
		creditsUsed: 8,
		details: { startedWith: 'generation' },
	});
	expect(Object.keys(answer ?? {}).length).toBeLessThanOrEqual(10);
});

test('the same of a job that is read later', async () => {
	const { n8n, call } = open();
	const started = await call({ ...image('a'), waitForCompletion: false });
	const jobId = started.answer?.jobId;
	expect(started.answer).toMatchObject({ status: 'processing', jobId });
	const { answer } = await call({ resource: 'job', operation: 'wait', jobId, options: {} });
	expect(answer).toMatchObject({ mediaUrl: expect.any(String), status: 'completed', jobId });
	expect(n8n.state.jobs.list).toHaveLength(1);
});

test('a job that takes too long: its ID, to ask again with', async () => {
	const { answer, id } = await open().call(image('a', { timeout: 2 }), {
		onError: 'continueRegularOutput',
	});
	expect(answer).toMatchObject({ jobId: id, status: 'processing', retry: 'waitForJob' });
});

test('a Music node answers with audioId, which names the take that other operations work on', async () => {
	const settings = { jobMs: { min: 500, max: 500 } };
	const n8n = new VirtualN8n({ settings }, OPEN_PATHS);
	const parameters = { resource: 'song', operation: 'generate', prompt: 'rain', model: 'V5' };
	const { items } = await n8n.clock.run(
		n8n.execute({
			items: [{}],
			kind: 'music',
			parameters,
			node: MUSIC_TOOL,
		}),
	);
	const [job] = n8n.state.jobs.list;
	expect(items[0]?.json).toMatchObject({ jobId: job?.id, audioId: takesOf(job!)[0]?.id });
});
