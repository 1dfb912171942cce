import { createHash } from 'node:crypto';

import axios from 'axios';

import { outputsOf } from '../../tools/lib/n8nClient.mts';
import {
	end,
	HASH_FILE,
	hold,
	NEXT,
	saveTrigger,
	startOneOfEach,
	TRIGGER,
} from '../support/triggerRuns.mts';
import { useSharedN8n } from '../support/useRealN8n.mts';

/** *Fetch Test Event* of MediaGen Trigger in a real n8n; its polls are in test/durable. */

const n8n = useSharedN8n({ sandbox: { jobMs: { min: 0, max: 0 }, queuedMs: 0 } });

jest.setTimeout(60_000);

beforeEach(() => {
	n8n.sandbox.account.credits.purchased = 10_000;
});

test('the job that has ended last, with its file', async () => {
	const jobs = await startOneOfEach(n8n);
	const [earlier, later, running] = jobs.filter(({ outcome }) => outcome === 'completed');
	const failed = jobs.filter(({ outcome }) => outcome === 'failed');
	hold([running!]);
	end(n8n, [earlier!], 3000);
	end(n8n, [later!], 2000);
	end(n8n, failed, 1000);
	const workflow = await saveTrigger(
		n8n,
		{ events: ['completed'], downloadMedia: true },
		HASH_FILE,
	);
	const execution = await n8n.client.waitForExecution(
		await n8n.client.runManually(workflow, TRIGGER),
	);
	expect(execution.error).toBeUndefined();
	const [items = []] = outputsOf(execution, TRIGGER);
	expect(items).toHaveLength(1);
	expect(items[0]?.json).toMatchObject({ jobId: later?.id, status: 'completed' });
	const { data } = await axios.get(items[0]?.json.mediaUrl, { responseType: 'arraybuffer' });
	expect(outputsOf(execution, NEXT)[0]?.[0]?.json.hash).toBe(
		createHash('sha256').update(data).digest('hex'),
	);
});

test('without a job that has ended, it says so', async () => {
	const workflow = await saveTrigger(n8n, { events: ['completed', 'failed'] });
	const execution = await n8n.client.waitForExecution(
		await n8n.client.runManually(workflow, TRIGGER),
	);
	expect(execution.error?.message).toBe('No job in the history fits yet');
});
