import { VirtualN8n } from '../../support/virtualRun.mts';
import { startJob } from '../trigger/tell.mts';

jest.setTimeout(60_000);

test('a crowd of jobs that are waited for does not hold up the creation of another', async () => {
	const n8n = new VirtualN8n({
		settings: {
			credits: { purchased: 1_000_000 },
			limits: { concurrent: 100 },
			// It does not show those that take places.
			shapes: { list: { lists: 'image' } },
		},
	});
	const { clock, state } = n8n;
	const items = Array.from({ length: 60 }, (_, index) => ({ index }));
	// Started elsewhere, by an account that may.
	const video = { made: 'vidA31 generate', fails: false, ms: 200_000 };
	const ids = items.map(() => startJob(state, video).id);
	await clock.advance(60_000);

	const waiting = n8n.execute({
		items,
		parameters: (item) => ({
			resource: 'job',
			operation: 'wait',
			startedWith: 'vidA31',
			jobId: ids[item],
			options: {},
		}),
		kind: 'video',
	});
	await clock.advance(30_000);
	state.settings.jobMs = { min: 5000, max: 5000 };
	const before = clock.now();
	const image = await clock.run(
		n8n.execute({
			items: [{}],
			parameters: { resource: 'image', operation: 'generate', prompt: 'an image', size: '1:1' },
		}),
	);
	expect(image.items[0]?.json).toMatchObject({ status: 'completed' });
	expect(state.jobs.list.at(-1)!.createdAt - before).toBeLessThan(1000);
	const all = await clock.run(waiting);
	expect(all.items.map(({ json }) => json.status)).toEqual(Array(60).fill('completed'));
	expect(state.journal.entries.filter(({ status }) => status === 429)).toEqual([]);
});
