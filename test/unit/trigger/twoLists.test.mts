import type { IHttpRequestOptions } from 'n8n-workflow';

import { VirtualPolling } from '../../support/virtualPoll.mts';
import { VirtualN8n } from '../../support/virtualRun.mts';
import { startJob } from './tell.mts';

const MINUTE_MS = 60_000;

/** Both histories of the sandbox list the jobs of Video Studio, and only its own route tells their state. */
describe('a job that both histories list', () => {
	const start = (list = {}) => {
		const n8n = new VirtualN8n({ settings: { shapes: { list } } });
		const workflow = new VirtualPolling(n8n).add({ events: ['completed', 'failed'] });
		const studio = (fails = false, ms = 1000) =>
			startJob(n8n.state, { made: 'videoStudio generate', fails, ms });
		return { n8n, workflow, studio, clock: n8n.clock };
	};

	it.each([true, false])('is told of once, with its media (URLs in entries: %s)', async (urls) => {
		const { workflow, studio, clock } = start({ entries: { urls } });
		await clock.run(workflow.activate());
		const [one, other] = [studio(), studio(true)];
		await clock.advance(10 * MINUTE_MS);
		const items = workflow.items.map(({ json }) => json);
		expect(items).toHaveLength(2);
		expect(items).toEqual(
			expect.arrayContaining([
				expect.objectContaining({
					jobId: one.id,
					mediaType: 'video',
					mediaUrl: expect.stringContaining('https://'),
				}),
				expect.objectContaining({ jobId: other.id, errorMessage: expect.any(String) }),
			]),
		);
		expect(workflow.messages).toEqual([]);
	});

	it('has its prompt though only the list that does not know its end yet tells that', async () => {
		const retell = (answer: unknown, { url }: IHttpRequestOptions) =>
			url.endsWith('/generate/history/')
				? (answer as object[]).map((entry) => ({ ...entry, status: 'processing' }))
				: answer;
		const n8n = new VirtualN8n({ retell });
		const workflow = new VirtualPolling(n8n).add({ events: ['completed'] });
		await n8n.clock.run(workflow.activate());
		const { id } = startJob(n8n.state, { made: 'videoStudio generate', fails: false, ms: 1000 });
		n8n.state.jobs.find(id)!.body = { prompt: 'a kite' };
		await n8n.clock.advance(2 * MINUTE_MS);
		expect(workflow.items.map(({ json }) => json)).toMatchObject([
			{
				jobId: id,
				status: 'completed',
				prompt: 'a kite',
				details: { startedWith: 'videoStudio' },
			},
		]);
	});

	it('is told of once though one list shows its end much later', async () => {
		const { n8n, workflow, studio, clock } = start();
		await clock.run(workflow.activate());
		// The generation history is read first.
		n8n.state.faults.add({
			match: { pathPattern: 'generate/history' },
			fault: { kind: 'reset' },
			times: 2,
		});
		studio();
		await clock.advance(10 * MINUTE_MS);
		expect(workflow.items).toHaveLength(1);
	});

	it('is told of once though each list has an identifier of its own for it', async () => {
		const job = (id: string) => ({
			id,
			status: 'completed',
			generation_type: 'video',
			video_url: 'https://cdn.example/kite.mp4',
		});
		let isThere = false;
		const n8n = new VirtualN8n({
			retell: (answer: unknown, { url }: IHttpRequestOptions) => {
				if (!url.includes('/history/')) return answer;
				return isThere ? [job(url.includes('video-studio') ? 'studio-7' : 'generation-3')] : [];
			},
		});
		const workflow = new VirtualPolling(n8n).add({ events: ['completed'] });
		await n8n.clock.run(workflow.activate());
		isThere = true;
		await n8n.clock.advance(5 * MINUTE_MS);
		expect(workflow.items.map(({ json }) => json.mediaUrl)).toEqual([
			'https://cdn.example/kite.mp4',
		]);
	});
});
