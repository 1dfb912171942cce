import type { IDataObject } from 'n8n-workflow';

import { VirtualN8n } from '../../support/virtualRun.mts';
import { workOf } from '../../support/work.mts';
import { answered, type NodeName } from '../output/answered.mts';

/**
 * What comes from outside may be megabytes of whatever takes longest. A run is linear in it: twice the size is at most
 * twice the work, counted, not timed.
 */

const numbered = (count: number) => Array.from({ length: count }, (_, index) => index);

const KEY = 'mg_0123456789';

const URL_1 = 'https://cdn.example/a.mp3';

const recordOf =
	(record: object, node: NodeName = 'audio') =>
	async () =>
		await answered(node, { ...record, status: 'completed' });

/** The history is read, and answered so. */
const listOf = (body: unknown, status = 200) => {
	return async () => {
		const n8n = new VirtualN8n({ settings: { key: KEY } });
		const fault = { kind: 'status', status, body: JSON.stringify(body) } as const;
		n8n.state.faults.add({ fault: { ...fault, contentType: 'application/json' } });
		const parameters = { resource: 'job', operation: 'history', limit: 20_000 };
		const run = n8n.execute({ items: [{}], parameters });
		const { items, error } = await n8n.clock.run(run);
		return [items, error?.message];
	};
};

const RUNS: Record<string, (size: number) => () => Promise<unknown>> = {
	'takes under a name with dots': (size) => recordOf({ [`a${'.b'.repeat(size)}`]: URL_1 }),
	'takes under a name with brackets': (size) => recordOf({ [`a${'[0]'.repeat(size)}`]: URL_1 }),
	'many takes': (size) =>
		recordOf({ takes: numbered(size).map((id) => ({ id, url: URL_1 + id })) }),
	'URLs with long file names': (size) => recordOf({ a: `https://a/${'.'.repeat(size)}`, b: URL_1 }),
	'many URLs at many paths': (size) =>
		recordOf(Object.fromEntries(numbered(size).map((id) => [`audio${id}`, { url: URL_1 + id }]))),
	'many URLs under a long name': (size) =>
		recordOf({ ['n'.repeat(size)]: numbered(size).map((id) => URL_1 + id) }),
	'a type of media that says all': (size) =>
		recordOf({ generation_type: 'image-to-video'.repeat(size), url: URL_1 }, 'read'),
	'a list': (size) => listOf({ results: numbered(size), other: '[]'.repeat(size) }),
	'a refusal': (size) =>
		listOf({ details: Object.fromEntries(numbered(size).map((id) => [id, [id]])) }, 400),
	'a text to be shown': (size) => listOf({ error: `${' \u202e'.repeat(size)}x` }, 400),
	'a key everywhere': (size) => listOf({ error: `${KEY} `.repeat(size) }, 400),
};

test.each(Object.entries(RUNS))('%s: twice the size, twice the work', async (_, run) => {
	const least: IDataObject = {};
	for (const size of [1, 2000, 4000]) least[size] = await workOf(run(size));
	const [idle, short, long] = Object.values(least) as [number, number, number];
	expect((long - idle) / (short - idle)).toBeLessThan(2.5);
});
