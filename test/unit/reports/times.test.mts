import { VirtualN8n } from '../../support/virtualRun.mts';

/** Timeout is kept, and one request does not hold a batch. */

const GENERATE = { resource: 'image', operation: 'generate', size: '1:1' };

test.each([
	['500', { kind: 'status', status: 500 }],
	['429', { kind: 'status', status: 429 }],
	['429, asked to wait', { kind: 'status', status: 429, headers: { 'retry-after': '300' } }],
	['a redirect', { kind: 'status', status: 302, headers: { location: 'https://a.example/' } }],
	['no answer', { kind: 'hang' }],
] as const)('polls that meet only %s end with the time-out', async (_, fault) => {
	const n8n = new VirtualN8n({ settings: { jobMs: { min: 600_000, max: 600_000 } } });
	n8n.state.faults.add({ match: { kind: 'status' }, fault });
	n8n.state.faults.add({ match: { kind: 'list' }, fault });
	const { error, startedAt, endedAt } = await n8n.clock.run(
		n8n.execute({
			items: [{}],
			parameters: { ...GENERATE, prompt: 'a', options: { timeout: 5 } },
		}),
	);
	expect(error?.message).toContain('within 5 seconds');
	// Half a minute more for an answer, and the time that a request may take.
	expect((endedAt - startedAt) / 1000).toBeLessThanOrEqual(5 + 30 + 30);
});

test('while the first creation has no answer, the others are sent', async () => {
	const n8n = new VirtualN8n();
	n8n.state.faults.add({ match: { kind: 'create' }, fault: { kind: 'hang' }, times: 1 });
	const startedAt = n8n.clock.now();
	const { items } = await n8n.clock.run(
		n8n.execute({
			items: Array.from({ length: 5 }, () => ({})),
			parameters: (index) => ({ ...GENERATE, prompt: `p${index}` }),
			node: { onError: 'continueRegularOutput' },
		}),
	);
	expect(items).toHaveLength(5);
	const sentAt = n8n.state.journal.ofKind('create').map(({ at }) => at - startedAt);
	expect(sentAt).toHaveLength(5);
	// The first is given up after 30 s.
	for (const at of sentAt) expect(at).toBeLessThan(15_000);
});
