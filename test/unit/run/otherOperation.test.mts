import type { IDataObject } from 'n8n-workflow';

import { VirtualN8n } from '../../support/virtualRun.mts';

/** What the music studio has and no table knows: its catalog, and operations that the user names. */

const PATHS = {
	musicSubmitPath: '/open/music/{operation}/',
	musicStatusPath: '/open/music/status/{job_id}/',
	musicCatalogPath: '/open/music/catalog/{language}/',
};

function studio(settings: IDataObject = PATHS) {
	const n8n = new VirtualN8n({}, settings);
	const run = async (parameters: IDataObject, evaluated: IDataObject = {}) => {
		const given = { items: [{}], kind: 'music' as const, parameters, evaluated };
		const { items, error } = await n8n.clock.run(n8n.execute(given));
		return { items, json: items[0]?.json ?? {}, error };
	};
	const sent = () => n8n.state.journal.entries.map(({ method, path }) => `${method} ${path}`);
	return { n8n, run, sent };
}

const SONG = { resource: 'song', operation: 'generate', prompt: 'rain', model: 'V5' };

const other = (operationId: string, fields: unknown, more: IDataObject = {}) => ({
	...{ resource: 'catalog', operation: 'other', operationId },
	...{ fields: typeof fields === 'string' ? fields : JSON.stringify(fields), ...more },
});

describe('Other Operation', () => {
	test('is sent as those of the tables are, waits, and downloads', async () => {
		const { n8n, run } = studio();
		const { json: song } = await run(SONG);
		const fields = { source: song.jobId, genre: 'swing', quality: 'studio', intensity: 2.5 };
		const { items, json, error } = await run(other('remix', fields, { downloadMedia: true }));
		expect(error).toBeUndefined();
		expect(json).toMatchObject({
			status: 'completed',
			creditsUsed: 14,
			mediaUrl: expect.stringContaining('/media/'),
			details: { operation: 'remix', startedWith: 'music' },
		});
		expect(Object.keys(items[0]?.binary ?? {})).not.toEqual([]);
		expect(n8n.state.journal.ofKind('create')[1]).toMatchObject({
			path: '/open/music/remix/',
			body: fields,
		});
	});

	test('an ID cannot leave its place in the path', async () => {
		const { run, sent } = studio();
		await run(other('../../login?a=b', {}));
		expect(sent()[0]).toBe('POST /open/music/..%2F..%2Flogin%3Fa%3Db/');
		const { error } = await run(other('..', {}));
		expect(error?.message).toContain('".." is not an identifier');
		expect(sent()).toHaveLength(1);
	});

	test.each<[string, IDataObject, string]>([
		['no ID', { operationId: ' ' }, 'Operation ID (operationId) must be'],
		['no text as ID', { operationId: {} }, 'Operation ID (operationId) must be'],
		['no JSON', { fields: '{"genre": swing}' }, 'Fields (fields) must be a JSON object'],
		['a list', { fields: [1] }, 'Fields (fields) must be a JSON object'],
		['a number', { fields: 7 }, 'Fields (fields) must be a JSON object'],
	])('%s is refused before anything is sent', async (_, evaluated, rule) => {
		const { run, sent } = studio();
		const { error } = await run(other('remix', '{}'), evaluated);
		expect(error?.message).toContain(rule);
		expect(error?.description).toContain('nothing was charged');
		expect(sent()).toEqual([]);
	});

	test('its price is not known: Max Credits refuses it, an estimate says so', async () => {
		const { run, sent } = studio();
		const limited = await run(other('remix', {}, { options: { maxCredits: 1000 } }));
		expect(limited.error?.message).toContain('is not known');
		const { json } = await run(other('remix', {}, { options: { estimateOnly: true } }));
		expect(json).toMatchObject({ operation: 'catalog.remix', credits: null, estimateOnly: true });
		expect(sent()).toEqual([]);
	});
});

describe('Catalog > Get', () => {
	const GET = { resource: 'catalog', operation: 'getCatalog' };

	test.each([
		['de', '/open/music/catalog/de/', '[de] Generate'],
		['', '/open/music/catalog/en/', 'Generate'],
		['de/../../x?y', '/open/music/catalog/de%2F..%2F..%2Fx%3Fy/', '[de] Generate'],
	])('reads the path that is set, in language %j', async (language, path, label) => {
		const { run, sent } = studio();
		const { json, error } = await run({ ...GET, language });
		expect(error).toBeUndefined();
		const { operations } = json.data as { operations: IDataObject[] };
		expect(operations).toHaveLength(22);
		expect(operations[0]?.label).toBe(label);
		expect(sent()).toEqual([`GET ${path}`]);
	});

	test('asks in the query, if that has the place', async () => {
		const path = '/open/music/catalog/?v=2&lang={language}';
		const { n8n, run } = studio({ musicCatalogPath: path });
		await run({ ...GET, language: 'fr & de' });
		expect(n8n.state.journal.entries[0]).toMatchObject({ query: { v: '2', lang: 'fr & de' } });
	});

	test.each([
		['an array', [{ id: 'a' }, { id: 'b' }], [{ id: 'a' }, { id: 'b' }]],
		['the only array', { success: true, data: { operations: [{ id: 'a' }] } }, [{ id: 'a' }]],
	])('%s becomes items', async (_, body, expected) => {
		const { n8n, run } = studio();
		n8n.state.faults.add({
			match: { kind: 'catalog' },
			fault: { kind: 'status', status: 200, body: JSON.stringify(body) },
		});
		const { items } = await run(GET);
		expect(items.map(({ json }) => json)).toEqual(expected);
	});

	test('without its path, it says which setting is needed, before any request', async () => {
		const { run, sent } = studio({});
		const { error } = await run(GET);
		expect(error?.message).toContain('not documented by the service: Path: Music Catalog');
		expect(error?.description).toContain('Nothing was sent');
		expect(sent()).toEqual([]);
	});
});
