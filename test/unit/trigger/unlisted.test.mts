import { VirtualPolling } from '../../support/virtualPoll.mts';
import { VirtualN8n } from '../../support/virtualRun.mts';
import { startJob } from './tell.mts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const image = (ms: number) => ({ made: 'image generate', fails: false, ms });

/** A trigger on an account whose histories list few jobs. */
function watching(keeps: number, everyMinutes = 1, entries = {}) {
	const n8n = new VirtualN8n({ settings: { shapes: { list: { keeps, entries } } } });
	const workflow = new VirtualPolling(n8n).add({}, everyMinutes);
	const isRead = ({ path }: { path: string }) =>
		/generate\/[^/]+\/$/.test(path) && !path.includes('history');
	return {
		...n8n,
		clock: n8n.clock,
		start: (ms: number) => startJob(n8n.state, image(ms)),
		workflow,
		ids: () => workflow.items.map(({ json }) => json.jobId),
		/** When status was read, s. */
		reads: () => n8n.state.journal.entries.filter(isRead),
	};
}

describe('a job that was listed, and is not any more', () => {
	it.each([1, 2, 7, 60])(
		'is told of when it has ended, with a poll every %i minutes',
		async (every) => {
			const { clock, workflow, start, ids } = watching(1, every);
			await clock.run(workflow.activate());
			const long = start(20 * every * MINUTE_MS);
			await clock.advance(2 * every * MINUTE_MS);
			const short = start(1000);
			await clock.advance(60 * every * MINUTE_MS);
			expect(ids()).toEqual([short.id, long.id]);
		},
	);

	it('is read at every poll, then more and more rarely', async () => {
		const { clock, workflow, start, reads } = watching(1);
		await clock.run(workflow.activate());
		start(1000 * HOUR_MS);
		await clock.advance(MINUTE_MS);
		start(1000);
		await clock.advance(4 * HOUR_MS);
		const times = reads().map(({ at }) => Math.round((at - reads()[0]!.at) / MINUTE_MS));
		expect(times).toEqual([
			0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 18, 20, 24, 28, 32, 48, 64, 96, 128, 160, 192,
			224,
		]);
	});

	it('takes its turn among many', async () => {
		const { clock, workflow, start, reads } = watching(40);
		await clock.run(workflow.activate());
		for (let job = 0; job < 40; job++) start(1000 * HOUR_MS);
		await clock.advance(MINUTE_MS);
		for (let job = 0; job < 40; job++) start(1000 * HOUR_MS);
		await clock.advance(40 * MINUTE_MS);
		expect(new Set(reads().map(({ path }) => path)).size).toBe(40);
	});

	it('keeps no job waiting whose status has to be read', async () => {
		const { clock, workflow, start, ids } = watching(40, 1, { urls: false });
		await clock.run(workflow.activate());
		for (let job = 0; job < 40; job++) start(1000 * HOUR_MS);
		await clock.advance(MINUTE_MS);
		for (let job = 0; job < 40; job++) start(1000);
		await clock.advance(5 * MINUTE_MS);
		expect(ids()).toHaveLength(40);
	});
});
