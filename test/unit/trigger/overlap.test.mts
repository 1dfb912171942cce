import { VirtualPolling } from '../../support/virtualPoll.mts';
import { VirtualN8n } from '../../support/virtualRun.mts';
import { startJob } from './tell.mts';

const MINUTE_MS = 60_000;

const image = (ms: number) => ({ made: 'image generate', fails: false, ms });

/** n8n begins a poll when it is time, whether or not the last one has ended. */
describe('polls that take longer than a minute', () => {
	const start = () => {
		const n8n = new VirtualN8n({ settings: { shapes: { list: { entries: { urls: false } } } } });
		const workflow = new VirtualPolling(n8n).add();
		const slow = (ms: number, times: number) =>
			n8n.state.faults.add({ match: { kind: 'status' }, fault: { kind: 'slow', ms }, times });
		return {
			n8n,
			workflow,
			slow,
			clock: n8n.clock,
			startJobs: (count: number, ms = 1000) =>
				Array.from({ length: count }, () => startJob(n8n.state, image(ms)).id),
			ids: () => workflow.items.map(({ json }) => json.jobId),
		};
	};

	it('tell of each job once', async () => {
		const { workflow, slow, clock, startJobs, ids } = start();
		await clock.run(workflow.activate());
		slow(25_000, 15);
		const jobs = startJobs(15);
		await clock.advance(20 * MINUTE_MS);
		expect(ids().sort()).toEqual(jobs.sort());
		expect(workflow.failures).toEqual([]);
	});

	it('are begun again although one was never answered', async () => {
		const { n8n, workflow, clock, startJobs, ids } = start();
		await clock.run(workflow.activate());
		n8n.state.faults.add({ match: { kind: 'list' }, fault: { kind: 'hang' }, times: 2 });
		const jobs = startJobs(1);
		await clock.advance(5 * MINUTE_MS);
		expect(ids()).toEqual(jobs);
	});

	it('are of no effect where the workflow has been edited meanwhile', async () => {
		const { workflow, slow, clock, startJobs, ids } = start();
		await clock.run(workflow.activate());
		const [job] = startJobs(1);
		slow(25_000, 1);
		await clock.advance(MINUTE_MS);
		const isUnderWay = ids().length === 0;
		await clock.run(workflow.edit({ events: ['completed', 'failed'] }));
		await clock.advance(5 * MINUTE_MS);
		expect({ isUnderWay, ids: ids() }).toEqual({ isUnderWay: true, ids: [job] });
	});

	it('do not keep an edit from being checked', async () => {
		const { n8n, workflow, slow, clock, startJobs } = start();
		await clock.run(workflow.activate());
		startJobs(1);
		slow(25_000, 1);
		await clock.advance(MINUTE_MS);
		n8n.state.faults.add({ match: { kind: 'list' }, fault: { kind: 'status', status: 401 } });
		const edited = clock.run(workflow.edit({ events: ['completed', 'failed'] }));
		await expect(edited).rejects.toThrow('The API key is missing, invalid or revoked');
		expect(workflow.overlaps).toBe(1);
	});

	it('do not keep an edit from being checked that n8n tries again meanwhile', async () => {
		const { n8n, workflow, clock } = start();
		await clock.run(workflow.activate());
		await clock.advance(MINUTE_MS);
		const match = { kind: 'list' } as const;
		n8n.state.faults.add({ match, fault: { kind: 'slow', ms: 25_000 }, times: 1 });
		const parameters = { events: ['completed', 'failed'] };
		void workflow.edit(parameters).catch(() => {});
		await clock.advance(15_000);
		n8n.state.faults.add({ match, fault: { kind: 'status', status: 401 } });
		const again = clock.run(workflow.edit(parameters));
		await expect(again).rejects.toThrow('The API key is missing, invalid or revoked');
		expect(workflow.overlaps).toBe(1);
	});

	it('do not keep a person from switching the workflow off and on', async () => {
		const { workflow, slow, clock, startJobs, ids } = start();
		await clock.run(workflow.activate());
		startJobs(10);
		slow(29_000, 10);
		await clock.advance(MINUTE_MS);
		workflow.deactivate();
		await clock.run(workflow.activate());
		const later = startJobs(1, 30_000);
		await clock.advance(15 * MINUTE_MS);
		expect(ids()).toEqual(later);
	});
});

describe('a budget that n8n gives a poll', () => {
	it('is kept: what is left is for the next', async () => {
		const n8n = new VirtualN8n({ settings: { shapes: { list: { entries: { urls: false } } } } });
		const { clock, state } = n8n;
		const workflow = new VirtualPolling(n8n, { budgetMs: 40_000 }).add({}, 5);
		await clock.run(workflow.activate());
		const ids = Array.from({ length: 12 }, () => startJob(state, image(1000)).id);
		state.faults.add({ match: { kind: 'status' }, fault: { kind: 'slow', ms: 20_000 }, times: 6 });
		await clock.advance(60 * MINUTE_MS);
		expect(workflow.items.map(({ json }) => json.jobId).sort()).toEqual(ids.sort());
		expect(workflow.items.filter(({ json }) => json.mediaUrl === null)).toEqual([]);
	});
});
