import { VirtualN8n } from '../../support/virtualRun.mts';

jest.setTimeout(60_000);

/** What is read by itself, as *Get Status* does, all at once. */
const STATUS = { resource: 'job', operation: 'get' };
const VIDEO = {
	resource: 'vidA31',
	operation: 'generate',
	prompt: 'a video',
	model: 'modelA',
	aspectRatio: '16:9',
};

/** Jobs of so many seconds. */
const n8nWith = (seconds: number) =>
	new VirtualN8n({
		settings: { credits: { purchased: 1e6 }, jobMs: { min: seconds * 1000, max: seconds * 1000 } },
	});

describe.each([
	['begins before', 30_000, 0],
	['begins in the middle of', 0, 90_000],
])(
	'a 90 s video of an execution that %s a Get Status run over 2,000 items',
	(_, readsAt, videoAt) => {
		test('ends within its time, and is looked at about as often as the document shows', async () => {
			const n8n = n8nWith(90);
			const { clock } = n8n;
			const start = clock.now();
			const stop = new AbortController();
			const many = Array.from({ length: 2000 }, (_, index) => ({ index }));
			const reads = clock.sleep(readsAt).then(() =>
				n8n.execute({
					items: many,
					parameters: { ...STATUS, generation_id: 'gen-unknown' },
					kind: 'video',
					node: { onError: 'continueRegularOutput' },
					signal: stop.signal,
				}),
			);
			const video = clock.sleep(videoAt).then(() =>
				n8n.execute({
					items: [{}],
					parameters: { ...VIDEO, options: { timeout: 600 } },
					kind: 'video',
				}),
			);
			const { items, error, endedAt } = await clock.run(video);
			expect(error).toBeUndefined();
			expect(items[0]!.json.status).toBe('completed');
			const [job] = n8n.state.jobs.list;
			// It may have to wait for a minute until a request is left to create it.
			expect(job!.createdAt - start - videoAt).toBeLessThanOrEqual(61_000);
			expect(endedAt - job!.endsAt).toBeLessThanOrEqual(10_000);

			stop.abort();
			await clock.run(reads);
			const refused = n8n.state.journal.entries.filter(({ status }) => status === 429);
			expect(refused).toHaveLength(0);
		});
	},
);
