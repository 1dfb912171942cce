import { outputsOf } from '../../tools/lib/n8nClient.mts';
import {
	end,
	expectHashed,
	HASH_FILE,
	hold,
	NEXT,
	saveTrigger,
	startJobs,
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
	const jobs = await startJobs(n8n, 4);
	const [earlier, later, running] = jobs.filter(({ outcome }) => outcome === 'completed');
	const failed = jobs.filter(({ outcome }) => outcome === 'failed');
	hold([running!]);
	end(n8n, [earlier!], 3000);
	end(n8n, [later!], 2000);
	end(n8n, failed, 1000);
	const parameters = { events: ['completed'], downloadMedia: true };
	const workflow = await saveTrigger(n8n, parameters, HASH_FILE);
	const execution = await n8n.client.waitForExecution(
		await n8n.client.runManually(workflow, TRIGGER),
	);
	expect(execution.error).toBeUndefined();
	const [items = [], next = []] = [TRIGGER, NEXT].map((name) => outputsOf(execution, name)[0]);
	expect(items.map(({ json }) => json.jobId)).toEqual([later?.id]);
	await expectHashed({ items, next });
});
