import { VirtualN8n } from '../../support/virtualRun.mts';

/** A time-out ends the waiting also while no request may be sent. */

const HOUR_MS = 3_600_000;

/** The time-out, and what is given besides while no look is answered, s. */
const TIMEOUT_S = 60;
const GRACE_S = 30;
const LAST_READ_S = 5;

async function secondsOf(n8n: VirtualN8n, images: number): Promise<number> {
	const startedAt = n8n.clock.now();
	await n8n.clock.run(
		n8n.execute({
			items: Array.from({ length: images }, (_, index) => ({ prompt: `p${index}` })),
			parameters: (index) => ({
				resource: 'image',
				operation: 'generate',
				size: '1:1',
				prompt: `p${index}`,
				options: { timeout: TIMEOUT_S },
			}),
			node: { onError: 'continueRegularOutput' },
		}),
	);
	return (n8n.clock.now() - startedAt) / 1000;
}

test('a demo account whose requests of an hour are used up', async () => {
	// From the document: "Demo users: 10 requests per hour".
	const settings = { limits: { requestsPerWindow: 10, windowMs: HOUR_MS } };
	const n8n = new VirtualN8n({ settings }, { accountKind: 'demo' });
	n8n.state.faults.add({ match: { kind: 'status' }, fault: { kind: 'status', status: 503 } });
	expect(await secondsOf(n8n, 5)).toBeLessThan(TIMEOUT_S + GRACE_S + LAST_READ_S);
});

test('an account that is asked to pause again and again', async () => {
	const n8n = new VirtualN8n();
	const fault = { kind: 'status', status: 429, headers: { 'retry-after': '300' } } as const;
	for (const kind of ['status', 'list'] as const) n8n.state.faults.add({ match: { kind }, fault });
	expect(await secondsOf(n8n, 1)).toBeLessThan(TIMEOUT_S + GRACE_S + LAST_READ_S);
});
