import { VirtualN8n } from '../../support/virtualRun.mts';

/** From the document: "Demo users: 10 requests per hour". */
const HOUR = 3_600_000;
const MOST = 10;

/** An account that the service takes for a demo, and the credential says to be of that kind. */
function demoAccount(accountKind: string, jobSeconds: number) {
	return new VirtualN8n(
		{
			settings: {
				limits: { requestsPerWindow: MOST, windowMs: HOUR },
				jobMs: { min: jobSeconds * 1000, max: jobSeconds * 1000 },
			},
		},
		{ accountKind },
	);
}

async function generate(n8n: VirtualN8n, images: number) {
	const done = await n8n.clock.run(
		n8n.execute({
			items: Array.from({ length: images }, () => ({})),
			parameters: {
				resource: 'image',
				operation: 'generate',
				prompt: 'a lighthouse',
				options: { timeout: 86_400 },
			},
		}),
	);
	const requests = n8n.state.journal.entries;
	return { ...done, requests, refused: requests.filter(({ status }) => status === 429) };
}

describe('Account: Demo in the credential', () => {
	test.each([
		[1, 9],
		[3, 60],
		[10, 9],
		[12, 600],
	])('%i images of %i s: all are done, and no request is refused', async (images, seconds) => {
		const n8n = demoAccount('demo', seconds);
		const { items, error, requests, refused } = await generate(n8n, images);
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json.status)).toEqual(Array(images).fill('completed'));
		expect(refused).toEqual([]);
		const times = requests.map(({ at }) => at);
		const inAnHour = times.map((end) => times.filter((at) => at <= end && at > end - HOUR).length);
		expect(Math.max(...inAnHour)).toBeLessThanOrEqual(MOST);
	});

	test('one image takes its creation and one look, when it can be done', async () => {
		const { requests, startedAt } = await generate(demoAccount('demo', 9), 1);
		expect(requests.map(({ method }) => method)).toEqual(['POST', 'GET']);
		expect(requests[1]!.at - startedAt).toBeGreaterThanOrEqual(9000);
	});

	test('a job that takes long is looked at less and less often, and seen to end', async () => {
		const { requests, startedAt, endedAt } = await generate(demoAccount('demo', 500), 1);
		const looks = requests.slice(1).map(({ at }) => at - startedAt);
		const gaps = looks.map((at, index) => at - (looks[index - 1] ?? 0));
		expect(gaps).toEqual([...gaps].sort((one, other) => one - other));
		expect(looks.length).toBeLessThan(MOST);
		expect(endedAt - startedAt).toBeLessThan(HOUR);
	});
});

test('without it, such an account is refused, and its jobs are not lost', async () => {
	const { items, refused } = await generate(demoAccount('authenticated', 60), 1);
	expect(refused.length).toBeGreaterThan(0);
	expect(items[0]?.json.status).toBe('completed');
});
