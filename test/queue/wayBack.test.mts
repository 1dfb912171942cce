import { useFastQueue } from '../support/useRealN8n.mts';
import { wayBackStories } from '../support/wayBackStories.mts';

/** The ways back to paid jobs that docs/money.md names, in queue mode. */

const n8n = useFastQueue({ sandbox: { queuedMs: 0 } });

wayBackStories(n8n, {
	killAtWork: async () => {
		const newest = (await n8n.taken()).map((ids) => Math.max(0, ...ids.map(Number)));
		await n8n.workers[newest.indexOf(Math.max(...newest))]?.kill();
		await n8n.queue.startWorker();
	},
	// Each worker knows what it has seen stopped itself.
	knowsStopped: false,
	// n8n takes it for one that failed too often, and so its retry.
	killed: { status: 'error', retries: ['error'] },
});
