import { PNG } from 'pngjs';

import { openMusic } from './musicHarness.mts';
import { readMp4 } from './mp4.mts';
import { acceptedBody, AUDIO_URL, type MusicId } from './musicRequests.mts';
import { readWav } from './wav.mts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

type MusicShape = Parameters<typeof openMusic>[0];

/** What a finished job of an operation has in its record besides identifier and state. */
const resultOf = async (id: MusicId, change: object = {}, shape: MusicShape = {}) => {
	const opened = await openMusic(shape);
	const body = await acceptedBody(opened, id);
	const made = await opened.make(id, { ...body, ...change });
	const { generation_id: jobId, status, ...result } = made.record;
	expect([jobId, status]).toEqual([made.id, 'completed']);
	const file = (name: string) => `https://cdn.example/media/${made.id}${name}`;
	const load = (url: string) => opened.get(new URL(url).pathname, { authorization: null });
	return { ...opened, ...made, body, result, file, load };
};

describe('takes', () => {
	it('generate yields two', async () => {
		const { result, file } = await resultOf('generate', { title: 'Rain' });
		expect(result).toEqual({
			result: {
				tracks: [1, 2].map((number) => ({
					audio_id: expect.stringMatching(UUID),
					title: `Rain (Take ${number})`,
					duration: 4,
					audio_url: file(`-${number}.wav`),
				})),
			},
		});
		const [first, second] = (result as { result: { tracks: object[] } }).result.tracks;
		expect(first).not.toEqual(second);
	});

	it.each<MusicId>([
		...(['extend', 'upload_cover', 'upload_extend', 'add_vocals'] as const),
		...(['add_instrumental', 'replace_section', 'mashup', 'sounds', 'remix'] as const),
	])('%s yields one', async (id) => {
		const { takes, file } = await resultOf(id);
		expect(takes).toMatchObject([{ audio_url: file('-1.wav') }]);
	});

	it.each([
		['separate_vocal', {}, ['Vocals', 'Instrumental']],
		['split_stem_advanced', { stem_name: 'Kazoo' }, ['Kazoo']],
		['split_stem', {}, Array.from({ length: 12 }, () => expect.any(String))],
	])('stems by %s', async (separation_type, more, titles) => {
		const change = { separation_type, upload: AUDIO_URL, source: undefined, audio_id: undefined };
		const { takes, result } = await resultOf('stems', { ...change, ...more });
		expect(Object.keys((result as { result: object }).result)).toEqual(['stems']);
		expect(takes.map(({ title }) => title)).toEqual(titles);
		expect(new Set(takes.map(({ audio_id }) => audio_id)).size).toBe(takes.length);
		expect(new Set(takes.map(({ audio_url }) => audio_url)).size).toBe(takes.length);
	});

	it('wav is the take it was made of, in a file of its own', async () => {
		const { takes, file, body, load, sandbox } = await resultOf('wav');
		expect(takes).toMatchObject([{ audio_id: body.audio_id, audio_url: file('-1.wav') }]);
		const song = `https://cdn.example/media/${sandbox.jobs[0]?.id}-1.wav`;
		const [wav, take] = [await load(takes[0]?.audio_url ?? ''), await load(song)];
		expect(wav.bytes.equals(take.bytes)).toBe(true);
	});

	it('recovery has new links to the takes of the source', async () => {
		const { takes, file, sandbox, status, load } = await resultOf('recovery');
		const song = (await status(sandbox.jobs[0]?.id ?? '')).body.result.tracks;
		expect(takes).toEqual([
			{ ...song[0], audio_url: file('-1.wav') },
			{ ...song[1], audio_url: file('-2.wav') },
		]);
		expect(takes[1]?.audio_url).not.toBe(song[1].audio_url);
		expect((await load(takes[1]?.audio_url ?? '')).bytes).toEqual(
			(await load(song[1].audio_url)).bytes,
		);
	});
});

describe('audio', () => {
	it('is a WAV that can be played, another one for each take and job', async () => {
		const { make, takes, load } = await resultOf('generate');
		const other = await make('generate', { model: 'V5' });
		const files = [];
		for (const { audio_url } of [...takes, ...other.takes]) {
			const { status, headers, bytes } = await load(audio_url);
			expect(status).toBe(200);
			expect(headers).toMatchObject({
				'content-type': 'audio/wav',
				'content-length': String(bytes.length),
			});
			const { peak, ...wav } = readWav(bytes);
			expect(wav).toEqual({ format: 1, channels: 1, rate: 8000, bits: 16, seconds: 4 });
			expect(peak).toBeGreaterThan(10_000);
			files.push(bytes.toString('base64'));
		}
		expect(new Set(files).size).toBe(4);
	});

	it('is there under its own name, once the job is completed', async () => {
		const { submit, get, clock } = await openMusic();
		const start = async (prompt: string) =>
			(await submit('generate', { model: 'V5', prompt })).body.data.generation_id;
		const [song, failed] = [await start('rain'), await start('[fail]')];
		const status = async (file: string) => (await get(`/media/${file}`)).status;
		expect(await status(`${song}-1.wav`)).toBe(404);
		await clock.advance(5000);
		expect(await status(`${song}-1.wav`)).toBe(200);
		for (const file of ['-3.wav', '-1.mp3', '.wav', '.png', '-thumbnail.png', '-1.wav.wav']) {
			expect([file, await status(song + file)]).toEqual([file, 404]);
		}
		expect(await status(`${failed}-1.wav`)).toBe(404);
	});
});

describe('artwork and video', () => {
	it('cover_art is a PNG', async () => {
		const { result, file, load } = await resultOf('cover_art');
		expect(result).toEqual({ result: { image_url: file('.png') } });
		const { headers, bytes } = await load(file('.png'));
		expect(headers['content-type']).toBe('image/png');
		expect(PNG.sync.read(bytes)).toMatchObject({ width: 512, height: 512 });
	});

	it('music_video is an MP4', async () => {
		const { result, file, load } = await resultOf('music_video');
		expect(result).toEqual({ result: { video_url: file('.mp4') } });
		const { headers, bytes } = await load(file('.mp4'));
		expect(headers['content-type']).toBe('video/mp4');
		expect(readMp4(bytes).codec).toBe('avc1');
	});
});

describe('texts', () => {
	it('lyrics', async () => {
		const { result } = await resultOf('lyrics');
		expect(result).toEqual({
			result: {
				title: 'a slow waltz in the rain',
				lyrics: expect.stringMatching(/^\[Verse\]\n(.+\n){4}\n\[Chorus\]\n(.+\n){3}.+$/),
			},
		});
	});

	it('timestamped_lyrics: word by word', async () => {
		const { result } = await resultOf('timestamped_lyrics');
		const { words } = (result as { result: { words: Array<Record<string, number>> } }).result;
		expect(words).toHaveLength(20);
		let end = 0;
		for (const { word, start_s = -1, end_s = -1 } of words) {
			expect(word).toMatch(/^\w+$/);
			expect(start_s).toBeGreaterThanOrEqual(end);
			expect(end_s).toBeGreaterThan(start_s);
			end = end_s;
		}
	});

	it('style_boost', async () => {
		const { result } = await resultOf('style_boost');
		expect(result).toEqual({ result: { style: expect.stringMatching(/^dreamy, .+/) } });
	});

	it('midi: note data', async () => {
		const { result } = await resultOf('midi');
		const note = {
			pitch: expect.any(Number),
			start_s: expect.any(Number),
			end_s: expect.any(Number),
			velocity: expect.any(Number),
		};
		const notes = Array.from({ length: 16 }, () => note);
		expect(result).toEqual({ result: { midi: { tempo: 96, tracks: [{ name: 'Stem', notes }] } } });
		expect(JSON.stringify(result)).not.toContain('http');
	});

	it('a voice: a phrase, a fresh one, and the voice', async () => {
		const { make, record } = await resultOf('voice_validate');
		const { phrase } = record.result;
		expect(record.result).toEqual({ phrase: expect.stringMatching(/^[A-Z].+\.$/) });
		const phrases = [phrase];
		let source = record.generation_id;
		for (let asked = 0; asked < 2; asked++) {
			const fresh = await make('voice_regenerate', { source });
			phrases.push(fresh.record.result.phrase);
			source = fresh.id;
		}
		expect(new Set(phrases).size).toBe(3);
		const voice = await make('voice_generate', { source, upload: AUDIO_URL, voice_name: 'Ada' });
		expect(voice.record.result).toEqual({
			voice_id: expect.stringMatching(UUID),
			voice_name: 'Ada',
		});
	});
});

describe('shapes of the record', () => {
	const id = expect.stringMatching(UUID);
	const title = expect.any(String);

	it('flat: several takes in a list, a single one in the record itself', async () => {
		const song = await resultOf('generate', {}, { record: 'flat' });
		expect(song.result).toEqual({
			tracks: [
				{ id, title, url: song.file('-1.wav') },
				{ id, title, url: song.file('-2.wav') },
			],
		});
		const { result, file } = await resultOf('sounds', {}, { record: 'flat' });
		expect(result).toEqual({ audio_id: id, title, url: file('-1.wav') });
	});

	it('flat: media and texts', async () => {
		const lyrics = await resultOf('lyrics', {}, { record: 'flat' });
		expect(lyrics.result).toEqual({ title, lyrics: expect.any(String) });
		const { make, submit, clock, status } = await openMusic({ record: 'flat' });
		const { id: source, record } = await make('generate', { model: 'V5' });
		const body = { source, audio_id: record.tracks[1].id };
		const art = (await submit('cover_art', body)).body.data.generation_id;
		await clock.advance(5000);
		expect((await status(art)).body).toMatchObject({
			url: `https://cdn.example/media/${art}.png`,
		});
	});

	it('lists: side by side', async () => {
		const { result, file } = await resultOf('generate', {}, { record: 'lists' });
		expect(result).toEqual({
			audio_ids: [id, id],
			audio_urls: [file('-1.wav'), file('-2.wav')],
		});
		const { make } = await openMusic({ record: 'lists' });
		const song = await make('generate', { model: 'V5' });
		const art = { source: song.id, audio_id: song.record.audio_ids[0] };
		const video = await make('music_video', art);
		expect(video.record.video_urls).toEqual([`https://cdn.example/media/${video.id}.mp4`]);
	});

	it.each([
		['nested', ({ result }: Shown) => result?.tracks?.map(({ image_url: url }) => url)],
		['flat', ({ tracks }: Shown) => tracks?.map(({ picture }) => picture)],
		['lists', ({ image_urls: urls }: Shown) => urls],
	] as const)('%s: takes with pictures', async (record, picturesIn) => {
		const { result, file, load } = await resultOf('generate', {}, { record, pictures: true });
		expect(picturesIn(result)).toEqual([file('-1.png'), file('-2.png')]);
		const { bytes } = await load(file('-2.png'));
		expect(PNG.sync.read(bytes)).toMatchObject({ width: 512, height: 512 });
	});

	it('the request repeated, as with any record that is not shown', async () => {
		const { make, settings } = await openMusic();
		settings.shapes.record.echo = true;
		const { record } = await make('lyrics', { prompt: 'rain' });
		expect(record).toMatchObject({ request: { prompt: 'rain' }, result: {} });
	});
});

/** Where the shapes have their pictures. */
interface Shown {
	result?: Shown;
	tracks?: Array<Record<string, string>>;
	image_urls?: string[];
}
