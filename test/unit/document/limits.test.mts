import { LIMITS, SHOWN_POLL_SECONDS, VIDEO_CREATIONS } from '../../document.mts';
import { mostAtOnce } from '../../support/mostAtOnce.mts';
import { mostWithin } from '../../support/mostWithin.mts';
import { Studio } from './studio.mts';

/** Walk 2 for section "Limits": how many jobs run at a time, how many requests are sent, when the first look comes. */

const IMAGE = { resource: 'image', operation: 'generate', prompt: 'a kite', size: '1:1' };

const images = (count: number) =>
	Array.from({ length: count }, (_, index) => ({ ...IMAGE, prompt: `kite ${index}` }));

test('five jobs at a time, and always five while there are more', async () => {
	const studio = new Studio({ jobMs: { min: 20_000, max: 40_000 } });
	const { items, error } = await studio.run('image', images(12));
	expect(error).toBeUndefined();
	expect(items).toHaveLength(12);
	expect(mostAtOnce({ jobs: studio.n8n.state.jobs.list })).toBe(LIMITS.concurrentGenerations);
	const refused = studio.n8n.state.journal.entries.filter(({ status }) => status === 429);
	expect(refused).toEqual([]);
});

test.each([
	{ accountKind: 'authenticated', limit: LIMITS.user, count: 120 },
	{ accountKind: 'demo', limit: LIMITS.demo, count: 12 },
])('an account of kind $accountKind: $limit', async ({ accountKind, limit, count }) => {
	const { requests, windowMs } = limit;
	const studio = new Studio({ limits: { requestsPerWindow: requests, windowMs } }, { accountKind });
	const reads = Array.from({ length: count }, () => ({ resource: 'profile', operation: 'get' }));
	const { sent, items, error } = await studio.run('account', reads);
	expect(error).toBeUndefined();
	expect(items).toHaveLength(count);
	const served = sent.filter(({ status }) => status === 200);
	const times = served.map(({ at }) => at);
	expect(mostWithin(times, windowMs)).toBeLessThanOrEqual(requests);
	expect(sent.length - served.length).toBeLessThanOrEqual(1);
});

const TIMED = VIDEO_CREATIONS.flatMap(({ name, typicalSeconds = [] }) =>
	typicalSeconds.map((time) => ({ name, ...time })),
);

test.each(TIMED)(
	'$name, $when: the first look comes $min to $max s after the start',
	async ({ when, min, max }) => {
		const studio = new Studio({ jobMs: { min: 1000, max: 1000 } });
		const node = {
			resource: 'vidA31',
			operation: 'generate',
			prompt: 'a kite',
			aspectRatio: '16:9',
		};
		const { sent, error } = await studio.run('video', { ...node, ...when } as never);
		expect(error).toBeUndefined();
		const [creation] = sent;
		const [look] = sent.filter(({ kind }) => kind === 'status');
		const seconds = (look!.at - creation!.at) / 1000;
		expect(seconds).toBeGreaterThanOrEqual(Math.min(min, SHOWN_POLL_SECONDS));
		expect(seconds).toBeLessThanOrEqual(max);
	},
);
