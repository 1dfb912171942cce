import { VirtualN8n } from '../../support/virtualRun.mts';

/** A 429 to a creation that says with a date until when to wait. */

test('the next creation comes at the time of the date, not before', async () => {
	const n8n = new VirtualN8n();
	const until = Math.ceil(n8n.clock.now() / 1000) * 1000 + 100_000;
	n8n.state.faults.add({
		match: { kind: 'create' },
		fault: {
			...{ kind: 'status', status: 429 },
			headers: { 'retry-after': new Date(until).toUTCString() },
		},
		times: 1,
	});
	const parameters = { resource: 'image', operation: 'generate', prompt: 'a kite', size: '1:1' };
	const { error } = await n8n.clock.run(n8n.execute({ items: [{}], parameters }));
	expect(error).toBeUndefined();
	const [, second, ...others] = n8n.state.journal.ofKind('create');
	expect(others).toEqual([]);
	expect(second!.at).toBeGreaterThanOrEqual(until);
	expect(second!.at).toBeLessThan(until + 5000);
});
