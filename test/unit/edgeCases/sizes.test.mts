import { VirtualN8n } from '../../support/virtualRun.mts';

const IMAGE = { resource: 'image', operation: 'generate', size: '1:1', prompt: 'a kite' };
const LONG = 'x'.repeat(1_000_000);

/** Texts of a hostile service, and how much of them ends in errors, hints, log lines. */
describe.each<[string, (answer: Record<string, unknown>, method: string) => unknown, object]>([
	[
		'a long identifier',
		(answer, method) =>
			method === 'POST'
				? { success: true, data: { generation_id: LONG, status: 'processing' } }
				: answer,
		{ timeout: 5 },
	],
	[
		'a long state',
		(answer, method) => (method === 'GET' ? { ...answer, status: LONG } : answer),
		{ timeout: 5 },
	],
	[
		'a long reason',
		(answer, method) =>
			method === 'GET' ? { ...answer, status: 'failed', error_message: LONG } : answer,
		{},
	],
	[
		'many fields',
		(answer, method) =>
			method === 'GET'
				? {
						...answer,
						status: 'completed',
						...Object.fromEntries(
							Array.from({ length: 20_000 }, (_, i) => [
								`f${i}`.padEnd(90, 'n'),
								`https://a.example/${i}`,
							]),
						),
					}
				: answer,
		{},
	],
	[
		'a path of __proto__',
		(answer, method) =>
			method === 'GET'
				? (JSON.parse(
						'{"status":"completed","__proto__":{"status":"failed","video_url":"https://a.example/x.mp4"},"constructor":{"prototype":{"polluted":1}}}',
					) as object)
				: answer,
		{},
	],
	[
		'deep',
		(answer, method) =>
			method === 'GET'
				? {
						...answer,
						status: 'completed',
						deep: JSON.parse('['.repeat(5000) + ']'.repeat(5000)) as unknown,
					}
				: answer,
		{},
	],
	[
		'an error with long details',
		(answer, method) =>
			method === 'POST'
				? {
						success: false,
						error: LONG,
						details: Object.fromEntries(
							Array.from({ length: 10_000 }, (_, i) => [`f${i}`, LONG.slice(0, 50)]),
						),
					}
				: answer,
		{},
	],
])('%s', (_what, retell, options) => {
	test('errors, hints and log lines are bounded', async () => {
		const n8n = new VirtualN8n({
			retell: (answer, request) =>
				retell(answer as Record<string, unknown>, String(request.method)),
		});
		const result = await n8n.clock.run(
			n8n.execute({ items: [{}], parameters: { ...IMAGE, options } }),
		);
		const sizes = {
			message: result.error?.message.length ?? 0,
			description: result.error?.description?.length ?? 0,
			hints: Math.max(0, ...result.hints.map(({ message }) => message.length)),
			messages: Math.max(0, ...result.messages.map((message) => message.length)),
			item: JSON.stringify(result.items).length,
			memory: JSON.stringify(result.memory).length,
		};
		expect(({} as { polluted?: 1 }).polluted).toBeUndefined();
		expect(Math.max(sizes.message, sizes.description, sizes.hints, sizes.messages)).toBeLessThan(
			20_000,
		);
	});
});
