import { images } from '../../support/virtualImages.mts';
import { VirtualN8n } from '../../support/virtualRun.mts';

/** From the document: "Demo users: 10 requests per hour". */
const HOUR = 3_600_000;
const MOST = 10;

/** Images on an account that the service takes for a demo; the credential says of what kind it is. */
async function made(accountKind: string, count: number, jobSeconds: number) {
	const limits = { requestsPerWindow: MOST, windowMs: HOUR };
	const jobMs = { min: jobSeconds * 1000, max: jobSeconds * 1000 };
	const n8n = new VirtualN8n({ settings: { limits, jobMs } }, { accountKind });
	const prompts = Array.from({ length: count }, (_, index) => `lighthouse ${index}`);
	const execution = await n8n.clock.run(
		n8n.execute(images(prompts, {}, { options: { timeout: 86_400 } })),
	);
	const requests = n8n.state.journal.entries;
	return { ...execution, requests, refused: requests.filter(({ status }) => status === 429) };
}

test.each([
	[1, 9],
	[12, 600],
])('%i images of %i s: all are done, and no request is refused', async (count, seconds) => {
	const { items, error, requests, refused } = await made('demo', count, seconds);
	expect(error).toBeUndefined();
	expect(items.map(({ json }) => json.status)).toEqual(Array(count).fill('completed'));
	expect(refused).toEqual([]);
	const times = requests.map(({ at }) => at);
	const inAnHour = times.map((end) => times.filter((at) => at <= end && at > end - HOUR).length);
	expect(Math.max(...inAnHour)).toBeLessThanOrEqual(MOST);
	// Its creation and one look, when it can be done.
	if (count === 1) expect(requests.map(({ method }) => method)).toEqual(['POST', 'GET']);
});

test('where the credential does not say so, it is refused, and its jobs are not lost', async () => {
	const { items, refused } = await made('authenticated', 1, 60);
	expect(refused.length).toBeGreaterThan(0);
	expect(items[0]?.json.status).toBe('completed');
});
