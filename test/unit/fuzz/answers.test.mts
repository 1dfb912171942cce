import fc from 'fast-check';

import { ALL } from '../../support/sampled.mts';
import { toldBy } from '../../support/toldBy.mts';
import { VirtualN8n } from '../../support/virtualRun.mts';

/**
 * Mutated and random answers of the service, through whole nodes. A run is repeated with its seed:
 * FUZZ_SEED=… npm run test:unit -- fuzz
 */

const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31);

const numRuns = ALL ? 1000 : 150;

beforeAll(() => console.log(`FUZZ_SEED=${seed}`));

/** Names and values that are looked for in answers. */
const NAMES = [
	...['data', 'success', 'generation_id', 'task_id', 'job_id', 'id', 'status', 'state', 'error'],
	...['details', 'error_message', 'image_url', 'video_url', 'urls', 'results', 'result', 'tracks'],
	...['credits_used', 'credits_remaining', 'created_at', 'prompt', 'status_url', 'generation_type'],
	...['__proto__', 'constructor', 'toString', 'a.b', 'a[0]', ''],
];

const leaf = fc.oneof(
	fc.constantFrom<unknown>(
		...[null, true, false, 0, -0, 1e308, -1, 0.1, '', '..', '../../api/profile', 'image', 'video'],
		...['queued', 'processing', 'completed', 'failed', 'http://', 'https://a.example/b.png'],
		...[
			'file:///etc/passwd',
			'javascript:alert(1)',
			'https://[::1]/x',
			'\u0000\u202e\r\n',
			'\ud800',
		],
	),
	fc.string(),
	fc.integer(),
);

const json: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
	value: fc.oneof(
		{ maxDepth: 4, depthSize: 'small' },
		{ weight: 3, arbitrary: leaf },
		{ weight: 1, arbitrary: fc.array(tie('value'), { maxLength: 4 }) },
		{
			weight: 4,
			arbitrary: fc.dictionary(fc.constantFrom(...NAMES), tie('value'), { maxKeys: 8 }),
		},
	),
})).value;

/** Values that are put into the answers of each method: all of an answer, or one field of it or of its `data`. */
const change = fc.record({
	method: fc.constantFrom('GET', 'POST', 'any'),
	place: fc.constantFrom('all', 'top', 'data'),
	name: fc.constantFrom(...NAMES),
	value: json,
});

type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

const changed = (answer: unknown, { place, name, value }: Change): unknown => {
	const whole = Object(answer) as { data?: object };
	if (place === 'all') return value;
	const field = Object.fromEntries([[name, value]]);
	if (place === 'top' || Array.isArray(answer)) return { ...whole, ...field };
	return { ...whole, data: { ...whole.data, ...field } };
};

const NODES = [
	['image', { resource: 'image', operation: 'generate', size: '1:1' }],
	['video', { resource: 'vidD', aspect_ratio: '16:9', resolution: '480p', duration: '4' }],
	['image', { resource: 'job', operation: 'history', returnAll: true }],
] as const;

/** What an item or an error may not be made of, whatever it was made of. */
const BROKEN = /TypeError|ReferenceError|Cannot read|is not a function|undefined|\[object /;

test('whatever is answered: one creation, and its end is told in words, with the ID if there is one', async () => {
	const drawn = fc.tuple(
		fc.constantFrom(...NODES),
		fc.array(change, { minLength: 1, maxLength: 3 }),
	);
	const look = async ([[kind, node], changes]: [(typeof NODES)[number], Change[]]) => {
		const n8n = new VirtualN8n({
			retell: (answer, { method }) =>
				changes
					.filter((one) => one.method === 'any' || one.method === method)
					.reduce(changed, answer),
		});
		const parameters = {
			operation: 'generate',
			prompt: 'a kite',
			...node,
			options: { timeout: 20 },
		};
		const { items, error, memory, hints } = await n8n.run({ items: [{}], kind, parameters });
		const isOrder = node.resource !== 'job';
		expect(n8n.state.account.charges).toHaveLength(isOrder ? 1 : 0);
		const text = toldBy(error);
		// Each creation that was paid for is in n8n's memory.
		if (isOrder) expect(JSON.stringify(memory)).toContain('a kite');
		if (isOrder) expect(Boolean(error)).toBe(items.length === 0);
		if (error) expect(text.split('the service answered:')[0]).not.toMatch(BROKEN);
		expect(error?.message.length ?? 0).toBeLessThan(5000);
		for (const { message } of hints) expect(message.length).toBeLessThan(5000);
		for (const { json: item } of isOrder ? items : []) {
			expect(item.jobId).toEqual(expect.stringMatching(/./));
			expect(Object.keys(item).length).toBeLessThanOrEqual(10);
			const urls = [item.mediaUrl, ...((item.mediaUrls ?? []) as unknown[])];
			for (const url of urls) if (url) expect(new URL(String(url)).protocol).toMatch(/^https?:$/);
		}
	};
	await fc.assert(fc.asyncProperty(drawn, look), { seed, numRuns });
});
