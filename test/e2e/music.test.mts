import { outputsOf, type Credential, type Execution } from '../../tools/lib/n8nClient.mts';
import { sha256Of, wavFile } from '../support/audioFiles.mts';
import type { ChainNode } from '../support/n8nRuns.mts';
import { usePlayedServer } from '../support/playedServer.mts';
import { useSharedN8n } from '../support/useRealN8n.mts';

/** The music node in a real n8n server. */

const n8n = useSharedN8n({
	sandbox: { jobMs: { min: 0, max: 0 } },
});

const media = usePlayedServer();
let withPaths: Credential;

beforeEach(async () => {
	const { sandbox } = n8n;
	sandbox.account.credits.purchased = 10_000;
	const { musicSubmitPath, musicStatusPath, musicCatalogPath } = sandbox.settings.openPaths;
	withPaths = await n8n.addCredential({
		...{ baseUrl: sandbox.url, apiKey: sandbox.key },
		...{ musicSubmitPath, musicStatusPath, musicCatalogPath },
	});
});

jest.setTimeout(120_000);

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

test.each(Object.entries(CHAINS))('%s: every operation comes to a result', async (_, nodes) => {
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

test("two takes, one item each with n8n's Split Out", async () => {
	const parameters = { fieldToSplitOut: 'takes', options: {} };
	const split = { name: 'Split', type: 'n8n-nodes-base.splitOut', parameters };
	const execution = await n8n.runChain([SONG, split], withPaths);
	const items = outputsOf(execution, 'Split')[0] ?? [];
	expect(items.map(({ json }) => json.audioId)).toEqual([expect.any(String), expect.any(String)]);
	expect(new Set(items.map(({ json }) => json.mediaUrl)).size).toBe(2);
});

test('the file that another node has fetched is sent whole', async () => {
	const wav = wavFile({ seconds: 180, sampleRate: 48_000, channels: 2 });
	const headers = { 'content-type': 'audio/wav', 'content-length': wav.size };
	const url = `${media.serve({ headers, body: wav.chunks() })}/song.wav`;
	const options = { response: { response: { responseFormat: 'file' } } };
	const execution = await n8n.runChain(
		[
			{
				name: 'File',
				type: 'n8n-nodes-base.httpRequest',
				typeVersion: 4.2,
				parameters: { url, options },
			},
			music('song', 'upload_cover', { upload: 'data', style: 'shanty', model: 'V5' }),
		],
		withPaths,
	);
	expect(execution.error).toBeUndefined();
	expect(n8n.sandbox.journal.to('song.upload_cover').at(-1)?.body).toMatchObject({
		fields: { style: 'shanty', model: 'V5' },
		files: [{ name: 'upload', fileName: 'song.wav', size: wav.size, sha256: sha256Of(wav) }],
	});
});

test.each([
	[SONG, 'Path: Music Operation'],
	[music('catalog', 'getCatalog'), 'Path: Music Catalog'],
])('a path that is not set: an error that says what to set and where', async (node, setting) => {
	const { error } = await n8n.runChain([node]);
	expect(error.message).toContain('not documented by the service');
	expect(error.description).toContain(setting);
	expect(n8n.sandbox.journal.entries).toEqual([]);
});

test('another operation that no table has comes to a result', async () => {
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
