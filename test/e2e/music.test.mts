import { outputsOf, type Credential, type Execution } from '../../tools/lib/n8nClient.mts';
import { sha256Of, wavFile, type MadeFile } from '../support/audioFiles.mts';
import { fileOf, startFileServer, type FileServer } from '../support/fileServer.mts';
import type { ChainNode } from '../support/realN8n.mts';
import { firstOf } from '../support/sampled.mts';
import { useSharedN8n } from '../support/useRealN8n.mts';

/** The music node in a real n8n server. */

const n8n = useSharedN8n({
	sandbox: { jobMs: { min: 0, max: 0 } },
});

let files: FileServer;
let withPaths: Credential;

beforeAll(async () => {
	files = await startFileServer();
});

afterAll(async () => {
	await files.close();
});

beforeEach(async () => {
	n8n.sandbox.account.credits.purchased = 10_000;
	withPaths = await credential({});
});

jest.setTimeout(120_000);

async function credential(more: object): Promise<Credential> {
	const { musicSubmitPath, musicStatusPath, musicCatalogPath } = n8n.sandbox.settings.openPaths;
	return await n8n.addCredential({
		baseUrl: n8n.sandbox.url,
		apiKey: n8n.sandbox.key,
		musicSubmitPath,
		musicStatusPath,
		musicCatalogPath,
		...more,
	});
}

const music = (
	resource: string,
	operation: string,
	parameters: object = {},
	name = operation,
): ChainNode => ({
	name,
	type: 'mediaGenMusic',
	parameters: { resource, operation, ...parameters },
});

/** The song that the other operations work on: its job, its first take, its audio. */
const SONG = music('song', 'generate', { prompt: 'A song of the sea', model: 'V5_5' });
const ofSong = {
	source: "={{ $('generate').item.json.jobId }}",
	audio_id: "={{ $('generate').item.json.audioId }}",
};
const upload = "={{ $('generate').item.json.mediaUrl }}";
const named = { title: 'The sea', style: 'shanty', model: 'V5_5' };

const CHAINS: Record<string, ChainNode[]> = {
	song: [
		SONG,
		music('song', 'extend', { ...ofSong, continue_at: 10, style: 'shanty', model: 'V5_5' }),
		music('song', 'upload_cover', { upload, style: 'shanty', model: 'V5' }),
		music('song', 'upload_extend', { upload, continue_at: 0, style: 'shanty', model: 'V4' }),
		music('song', 'add_vocals', { ...named, upload, prompt: 'Heave ho' }),
		music('song', 'add_instrumental', { upload, title: 'The sea', tags: 'shanty' }),
		music('song', 'replace_section', {
			...ofSong,
			prompt: 'Heave ho',
			tags: 'shanty',
			title: 'The sea',
			infill_start_s: 5,
			infill_end_s: 10,
			full_lyrics: 'Heave ho, heave ho',
			model: 'V5_5',
		}),
		music('song', 'mashup', { ...named, upload, upload2: upload }),
		music('song', 'sounds', { prompt: 'Waves', model: 'V5' }),
	],
	track: [
		SONG,
		music('track', 'stems', {
			separation_type: 'separate_vocal',
			...ofSong,
		}),
		music('track', 'midi', { source: "={{ $('stems').item.json.jobId }}" }),
		music('track', 'wav', ofSong),
		music('track', 'recovery', { source: ofSong.source }),
	],
	lyrics: [
		SONG,
		music('lyrics', 'lyrics', { prompt: 'The sea' }),
		music('lyrics', 'timestamped_lyrics', ofSong),
		music('lyrics', 'style_boost', { content: 'shanty' }),
	],
	artwork: [SONG, music('artwork', 'cover_art', ofSong), music('artwork', 'music_video', ofSong)],
	voice: [
		SONG,
		music('voice', 'voice_validate', { upload, vocal_start_s: 0, vocal_end_s: 1 }),
		music('voice', 'voice_regenerate', { source: '={{ $json.jobId }}' }),
		music('voice', 'voice_generate', { source: '={{ $json.jobId }}', upload }),
	],
};

/** Credits of the document, by operation. */
const CREDITS: Record<string, number> = {
	generate: 12,
	extend: 12,
	upload_cover: 12,
	upload_extend: 12,
	add_vocals: 12,
	add_instrumental: 12,
	replace_section: 6,
	mashup: 12,
	stems: 10,
	wav: 1,
	midi: 0,
	lyrics: 1,
	timestamped_lyrics: 1,
	style_boost: 1,
	cover_art: 0,
	music_video: 2,
	sounds: 3,
	recovery: 0,
	voice_validate: 0,
	voice_regenerate: 0,
	voice_generate: 0,
};

const TEXTS = [
	'midi',
	'lyrics',
	'timestamped_lyrics',
	'style_boost',
	'voice_validate',
	'voice_regenerate',
	'voice_generate',
];

const jsonOf = (execution: Execution, name: string) => outputsOf(execution, name)[0]?.[0]?.json;

test('the workflows below have all 21 operations', () => {
	const names = Object.values(CHAINS).flatMap((nodes) => nodes.map(({ name }) => name));
	expect([...new Set(names)].sort()).toEqual(Object.keys(CREDITS).sort());
});

describe.each(firstOf(['nested', 'flat'] as const, 1))('with %s records', (record) => {
	test.each(Object.entries(CHAINS))('%s: every operation comes to a result', async (_, nodes) => {
		n8n.sandbox.settings.shapes.music.record = record;
		const execution = await n8n.runChain(nodes, withPaths);
		expect(execution.error).toBeUndefined();
		expect(n8n.sandbox.account.charges.map(({ credits }) => credits)).toEqual(
			nodes.map(({ name }) => CREDITS[name]),
		);
		for (const { name } of nodes) {
			const json = jsonOf(execution, name);
			expect(json).toMatchObject({ status: 'completed', details: { operation: name } });
			if (TEXTS.includes(name)) {
				expect(Object.keys(json.result).length).toBeGreaterThan(0);
			} else {
				expect(json.mediaUrl).toBe(json.mediaUrls[0]);
				expect(json.mediaUrl).toContain('/media/');
			}
		}
		expect(jsonOf(execution, 'generate').takes).toHaveLength(2);
	});
});

test("two takes, one item each with n8n's Split Out", async () => {
	const song = music('song', 'generate', { prompt: 'x', model: 'V5' });
	const splitOut: ChainNode = {
		name: 'Split Out',
		type: 'n8n-nodes-base.splitOut',
		typeVersion: 1,
		parameters: { fieldToSplitOut: 'takes', options: {} },
	};
	const execution = await n8n.runChain([song, splitOut], withPaths);
	const items = outputsOf(execution, 'Split Out')[0] ?? [];
	expect(items.map(({ json }) => json.audioId)).toEqual([expect.any(String), expect.any(String)]);
	expect(new Set(items.map(({ json }) => json.mediaUrl)).size).toBe(2);
});

test('an operation that cannot work on the job before says so', async () => {
	const execution = await n8n.runChain(
		[
			music('lyrics', 'lyrics', { prompt: 'The sea' }),
			music('track', 'wav', { source: '={{ $json.jobId }}', audio_id: 'a' }),
		],
		withPaths,
	);
	expect(execution.error.message).toContain('source: Must be the id of a job of: generate');
});

describe('uploads', () => {
	const fetched = (url: string, outputPropertyName = 'data', name = 'File'): ChainNode => ({
		name,
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		parameters: {
			url,
			options: { response: { response: { responseFormat: 'file', outputPropertyName } } },
		},
	});
	const cover = music('song', 'upload_cover', { upload: 'data', style: 'shanty', model: 'V5' });
	const covering = async (name: string, file: MadeFile, own = withPaths) =>
		await n8n.runChain([fetched(files.serve(name, file)), cover], own);

	test('a WAV is sent whole', async () => {
		const wav = wavFile({ seconds: 180, sampleRate: 48_000, channels: 2, bits: 24 });
		const execution = await covering('song.wav', wav);
		expect(execution.error).toBeUndefined();
		expect(n8n.sandbox.journal.to('song.upload_cover').at(-1)?.body).toMatchObject({
			fields: { style: 'shanty', model: 'V5' },
			files: [{ name: 'upload', fileName: 'song.wav', size: wav.size, sha256: sha256Of(wav) }],
		});
	});

	test('as base64, where the credential says so', async () => {
		n8n.sandbox.settings.shapes.music.upload = 'base64';
		const own = await credential({ uploadAs: 'base64' });
		const execution = await covering('a.wav', wavFile({ seconds: 1 }), own);
		expect(execution.error).toBeUndefined();
	});

	test('as URL, where the credential says so', async () => {
		n8n.sandbox.settings.shapes.music.upload = 'url';
		const own = await credential({ uploadAs: 'url' });
		const url = files.serve('a.wav', wavFile({ seconds: 1 }));
		const execution = await n8n.runChain(
			[music('song', 'upload_cover', { upload: url, style: 'shanty', model: 'V5' })],
			own,
		);
		expect(execution.error).toBeUndefined();
		expect(n8n.sandbox.jobs[0]?.body).toMatchObject({ upload: url });
	});

	test.each([
		['8 minutes and 1 second', 'long.wav', wavFile({ seconds: 481 }), '8 minutes'],
		['a text called song.mp3', 'song.mp3', fileOf('This is no music.'), 'MP3 or WAV'],
	])('%s: the service says why, and charges nothing', async (_, name, file, said) => {
		const execution = await covering(name, file);
		expect(execution.error.message).toContain(said);
		expect(n8n.sandbox.jobs).toEqual([]);
	});
});

test('a path that is not set: an error that says what to set and where', async () => {
	const execution = await n8n.runChain([SONG]);
	expect(execution.error.message).toContain('not documented by the service');
	expect(execution.error.description).toContain('Path: Music Operation');
	expect(n8n.sandbox.journal.entries).toEqual([]);
});

describe('what no table has', () => {
	test('another operation comes to a result', async () => {
		const remix = music('catalog', 'other', {
			operationId: 'remix',
			fields: `={{ { source: $('generate').item.json.jobId, genre: 'jazz', quality: 'studio' } }}`,
		});
		const execution = await n8n.runChain([SONG, remix], withPaths);
		expect(execution.error).toBeUndefined();
		expect(jsonOf(execution, 'other')).toMatchObject({
			status: 'completed',
			details: { operation: 'remix' },
		});
	});

	test('the catalog, in the language that is asked for', async () => {
		const execution = await n8n.runChain(
			[music('catalog', 'getCatalog', { language: 'de' })],
			withPaths,
		);
		const { models, operations } = jsonOf(execution, 'getCatalog').data;
		expect(models).toHaveLength(6);
		expect(operations).toHaveLength(22);
		expect(operations[0].label).toMatch(/^\[de\] /);
	});

	test('the catalog without its path: an error that says what to set and where', async () => {
		const execution = await n8n.runChain([music('catalog', 'getCatalog')]);
		expect(execution.error.message).toContain('not documented by the service');
		expect(execution.error.description).toContain('Path: Music Catalog');
		expect(n8n.sandbox.journal.entries).toEqual([]);
	});
});
