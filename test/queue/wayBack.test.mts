import { TIME_LAPSE } from '../../tools/lib/lapsedTime.mts';
import type { N8nWorker } from '../../tools/lib/n8nQueue.mts';
import { useRealQueue } from '../support/useRealN8n.mts';
import { wayBackStories } from '../support/wayBackStories.mts';

/** The ways back to paid jobs that docs/money.md names, in queue mode. */

const n8n = useRealQueue({ workers: 2, timeLapse: TIME_LAPSE, sandbox: { queuedMs: 0 } });

const newestOf = async (worker: N8nWorker) =>
	Math.max(0, ...(await worker.takenExecutions()).map(Number));

wayBackStories(n8n, {
	killAtWork: async () => {
		const newest = await Promise.all(n8n.workers.map(newestOf));
		await n8n.workers[newest.indexOf(Math.max(...newest))]?.kill();
		await n8n.queue.startWorker();
	},
	// Each worker knows what it has seen stopped itself.
	knowsStopped: false,
	// n8n takes it for one that failed too often, and so its retry.
	killed: { status: 'error', retries: ['error'] },
});
