import type { IDataObject } from 'n8n-workflow';

import { VirtualN8n } from '../../support/virtualRun.mts';

/**
 * What the document does not show of the music studio: the path that submits an operation, the names of two fields, the
 * catalog, and operations that no table has.
 */

const PATHS = {
	musicSubmitPath: '/open/music/{operation}/',
	musicStatusPath: '/open/music/status/{job_id}/',
	musicCatalogPath: '/open/music/catalog/{language}/',
};

/** @param shapes what the service calls the two fields, where it has other names */
function studio(settings: IDataObject = PATHS, shapes: IDataObject = {}) {
	const submitPath = String(settings.musicSubmitPath ?? PATHS.musicSubmitPath);
	const openPaths = { musicSubmitPath: submitPath };
	const n8n = new VirtualN8n({ settings: { openPaths, shapes: { music: shapes } } }, settings);
	const run = async (parameters: IDataObject, evaluated: IDataObject = {}) => {
		const given = { items: [{}], kind: 'music' as const, parameters, evaluated };
		const { items, error } = await n8n.run(given);
		return { items, json: items[0]?.json ?? {}, error };
	};
	const sent = () => n8n.state.journal.entries.map(({ method, path }) => `${method} ${path}`);
	return { n8n, run, sent };
}

const SONG = { resource: 'song', operation: 'generate', prompt: 'rain', model: 'V5' };

const LYRICS = { resource: 'lyrics', operation: 'lyrics', prompt: 'rain' };

const toWav = ({ jobId, audioId }: IDataObject) => ({
	...{ resource: 'track', operation: 'wav', source: jobId, audio_id: audioId },
});

test.each<[string, IDataObject, IDataObject, [string, string]]>([
	['as operation', {}, {}, ['operation', 'source']],
	[
		'as the credential says',
		{ musicOperationField: ' action ', musicSourceField: 'made_from' },
		{ operationField: 'action', sourceField: 'made_from' },
		['action', 'made_from'],
	],
])('where one path serves all, the body has it %s', async (_, settings, shapes, names) => {
	const { n8n, run } = studio({ ...PATHS, musicSubmitPath: '/studio/run', ...settings }, shapes);
	const { json: song } = await run(SONG);
	const { json } = await run(toWav(song));
	expect(json).toMatchObject({ status: 'completed', details: { sourceJobId: song.jobId } });
	expect(n8n.state.journal.ofKind('create')[1]).toMatchObject({
		...{ path: '/studio/run', operation: 'track.wav', status: 201 },
		body: { [names[0]]: 'wav', [names[1]]: song.jobId, audio_id: song.audioId },
	});
});

test('without a status path, no job is started that nobody could read', async () => {
	const { run, sent } = studio({ musicSubmitPath: PATHS.musicSubmitPath });
	const { error } = await run(LYRICS);
	expect(error?.message).toContain('not documented by the service: Status Path: Music');
	expect(error?.description).toContain('Nothing was sent.');
	expect(sent()).toEqual([]);
});

test('a status path that is a whole address is an error before anything is paid for', async () => {
	const whole = 'https://service.example/studio/status/{job_id}/';
	const { run, sent } = studio({ ...PATHS, musicStatusPath: whole });
	const { error } = await run(LYRICS);
	expect(error?.message).toBe(
		'Status Path: Music is a whole address; enter what follows the Base URL',
	);
	expect(error?.description).toContain('Nothing was sent.');
	expect(sent()).toEqual([]);
});

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
		['no ID', { operationId: ' ' }, 'Operation ID is empty'],
		['no JSON', { fields: '{"genre": swing}' }, 'Fields (fields) must be a JSON object'],
		['a list', { fields: [1] }, 'Fields (fields) must be a JSON object'],
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
	])('reads the path that is set, in language %j', async (language, path, label) => {
		const { run, sent } = studio();
		const { json, error } = await run({ ...GET, language });
		expect(error).toBeUndefined();
		const { operations } = json.data as { operations: IDataObject[] };
		expect(operations).toHaveLength(22);
		expect(operations[0]?.label).toBe(label);
		expect(sent()).toEqual([`GET ${path}`]);
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
