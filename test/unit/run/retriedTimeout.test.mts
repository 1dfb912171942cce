import { VirtualN8n } from '../../support/virtualRun.mts';

test('the Timeout of a job that is run again counts from its creation', async () => {
	const n8n = new VirtualN8n({ settings: { jobMs: { min: 3_000_000, max: 3_000_000 } } });
	const parameters = {
		resource: 'image',
		operation: 'generate',
		size: '1:1',
		prompt: 'a',
		options: { timeout: 600 },
	};
	const node = { retryOnFail: true, maxTries: 5, waitBetweenTries: 5000 };
	const run = await n8n.clock.run(n8n.execute({ items: [{}], parameters, node }));
	const { error, tries, startedAt, endedAt } = run;
	expect(tries).toBe(5);
	const [job] = n8n.state.jobs.list;
	expect(error?.message).toContain(`Job ${job!.id} was not seen to finish within 600 seconds`);
	expect(endedAt - startedAt).toBeLessThan(630_000);
	expect(n8n.state.jobs.list).toHaveLength(1);

	// Meanwhile it ends, and the first look of the retry meets a fault.
	await n8n.clock.advance(3_000_000);
	n8n.state.faults.add({
		match: { kind: 'status' },
		fault: { kind: 'status', status: 503 },
		times: 1,
	});
	const again = await n8n.clock.run(n8n.retry({ ...run, options: { ...run.options, node: {} } }));
	expect(again.error).toBeUndefined();
	expect(again.items.map(({ json }) => json.status)).toEqual(['completed']);
	expect(n8n.state.jobs.list).toHaveLength(1);
});
