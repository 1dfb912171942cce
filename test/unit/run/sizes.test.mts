import { VirtualN8n } from '../../support/virtualRun.mts';

/** Texts of a hostile service: how much of them ends in errors, hints and log lines. */

const IMAGE = { resource: 'image', operation: 'generate', size: '1:1', prompt: 'a kite' };

const LONG = 'x'.repeat(1_000_000);

const many = <T,>(count: number, of: (index: number) => [string, T]) =>
	Object.fromEntries(Array.from({ length: count }, (_, index) => of(index)));

const urls = many(20_000, (i) => [`f${i}`.padEnd(90, 'n'), `https://a.example/${i}`]);

const DEEP: unknown = JSON.parse('['.repeat(5000) + ']'.repeat(5000));

/** Names that change objects where they are assigned. */
const PROTO: object = JSON.parse(
	'{"status":"completed","__proto__":{"status":"failed"},"constructor":{"prototype":{"polluted":1}}}',
);

test.each<[string, 'GET' | 'POST', object]>([
	['a long identifier', 'POST', { success: true, data: { generation_id: LONG } }],
	[
		'a long error',
		'POST',
		{ success: false, error: LONG, details: many(10_000, (i) => [`f${i}`, 'xx']) },
	],
	['a long state', 'GET', { status: LONG }],
	['a long reason', 'GET', { status: 'failed', error_message: LONG }],
	['many fields', 'GET', { status: 'completed', ...urls }],
	['a deep one', 'GET', { status: 'completed', deep: DEEP }],
	['names of the language', 'GET', PROTO],
])('%s', async (_, wanted, told) => {
	const n8n = new VirtualN8n({
		retell: (answer, { method }) => (method === wanted ? { ...Object(answer), ...told } : answer),
	});
	const { error, hints, messages, items } = await n8n.clock.run(
		n8n.execute({ items: [{}], parameters: { ...IMAGE, options: { timeout: 5 } } }),
	);
	const texts = [
		error?.message,
		error?.description,
		...hints.map(({ message }) => message),
		...messages,
	];
	expect(Math.max(...texts.map((text) => text?.length ?? 0))).toBeLessThan(20_000);
	expect(Boolean(error)).toBe(items.length === 0);
	expect(({} as { polluted?: 1 }).polluted).toBeUndefined();
});
