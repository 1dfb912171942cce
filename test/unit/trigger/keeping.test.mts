import { VirtualPolling } from '../../support/virtualPoll.mts';
import { VirtualN8n } from '../../support/virtualRun.mts';
import { startJob } from './tell.mts';

const MINUTE_MS = 60_000;

const image = (seconds: number) => ({ made: 'image generate', fails: false, ms: 1000 * seconds });

/** n8n can be told to have the times of polls in its database, and what they remember. */
describe.each(['process', 'tasks', 'cursors'] as const)(
	'an n8n that keeps polls in %s',
	(keeping) => {
		function start() {
			const n8n = new VirtualN8n();
			const polling = new VirtualPolling(n8n, { keeping });
			const workflow = polling.add();
			const ids = () => workflow.items.map(({ json }) => json.jobId);
			return { n8n, polling, workflow, ids };
		}

		it('tells of jobs that end between activation and the first poll thereafter', async () => {
			const { n8n, workflow, ids } = start();
			const job = startJob(n8n.state, image(120));
			await n8n.clock.run(workflow.activate());
			startJob(n8n.state, image(1));
			await n8n.clock.advance(5 * MINUTE_MS);
			expect(ids()).toHaveLength(2);
			expect(ids()).toContain(job.id);
		});

		it('does not tell of jobs that have ended while it was switched off', async () => {
			const { n8n, workflow, ids } = start();
			await n8n.clock.run(workflow.activate());
			const told = startJob(n8n.state, image(10));
			await n8n.clock.advance(5 * MINUTE_MS);
			workflow.deactivate();
			startJob(n8n.state, image(10));
			await n8n.clock.advance(5 * MINUTE_MS);
			await n8n.clock.run(workflow.activate());
			const last = startJob(n8n.state, image(10));
			await n8n.clock.advance(5 * MINUTE_MS);
			expect(ids()).toEqual([told.id, last.id]);
		});

		it('tells once, also over a restart', async () => {
			const { n8n, polling, workflow, ids } = start();
			await n8n.clock.run(workflow.activate());
			const jobs = [startJob(n8n.state, image(10)), startJob(n8n.state, image(200))];
			await n8n.clock.advance(2 * MINUTE_MS);
			await n8n.clock.run(polling.restart(MINUTE_MS));
			await n8n.clock.advance(5 * MINUTE_MS);
			expect(ids()).toEqual(jobs.map(({ id }) => id));
		});
	},
);
