import { useFastN8n } from '../support/useRealN8n.mts';
import { wayBackStories } from '../support/wayBackStories.mts';

/** The ways back to paid jobs that docs/money.md names, in an n8n of one process. */

const n8n = useFastN8n({ sandbox: { queuedMs: 0 } });

wayBackStories(n8n, {
	killAtWork: async () => {
		await n8n.kill();
		await n8n.restart();
	},
	knowsStopped: true,
	killed: { status: 'crashed', retries: ['error', 'success'] },
});
