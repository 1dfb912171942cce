import fc from 'fast-check';

import { jobOutput } from '../../../nodes/shared/output/jobOutput.ts';
import { resultIn, resultUrls, urlsIn } from '../../../nodes/shared/output/resultUrls.ts';
import type { MediaType } from '../../../nodes/shared/spec/operation.ts';
import { webUrls } from '../../support/webUrls.mts';

/** The document does not show the records of music jobs: whatever they are, nothing is lost. */

const song = 'https://cdn.example/a.mp3';
const second = 'https://cdn.example/b.mp3';
const picture = 'https://cdn.example/a.png';
const job = { job_id: 'job-1', status: 'completed' };

const takesOf = (record: Record<string, unknown>) =>
	jobOutput(
		{ id: 'job-1', state: 'completed', record, waitedMs: 0 },
		{ mediaType: 'audio' },
		{ simplify: true, resultField: '' },
	).takes;

const take = (audioId: string | null, mediaUrl: string) => ({
	...(audioId === null ? {} : { audioId }),
	mediaUrl,
});

describe('takes', () => {
	test.each<[name: string, record: Record<string, unknown>, takes: object[]]>([
		[
			'in a list, with audio_id',
			{
				...job,
				tracks: [
					{ audio_id: 'a', audio_url: song },
					{ audio_id: 'b', audio_url: second },
				],
			},
			[take('a', song), take('b', second)],
		],
		[
			'in a list, with id',
			{
				...job,
				result: {
					takes: [
						{ id: 'a', title: 'Song', url: song },
						{ id: 7, title: 'Song', url: second },
					],
				},
			},
			[take('a', song), take('7', second)],
		],
		[
			'with both: audio_id is what operations ask for',
			{ ...job, tracks: [{ id: 'row-1', audio_id: 'a', audio_url: song }] },
			[take('a', song)],
		],
		[
			'with a picture beside the audio',
			{
				...job,
				tracks: [
					{ id: 'a', audio_url: song, image_url: picture },
					{ id: 'b', audio_url: second },
				],
			},
			[take('a', song), take('b', second)],
		],
		['flat in the record', { ...job, audio_id: 'a', audio_url: song }, [take('a', song)]],
		['flat, without an id', { ...job, audio_url: song }, [take(null, song)]],
		[
			'in the record of a job, whose id is not the id of a take',
			{ id: 'other', url: song },
			[take(null, song)],
		],
		[
			'in a record with two identifiers',
			{ ...job, id: 'other', result: { url: song } },
			[take(null, song)],
		],
		[
			'several URLs flat in the record',
			{ ...job, audio_url: song, stream_url: second },
			[take(null, song)],
		],
		[
			'as a list of URLs',
			{ ...job, audio_urls: [song, second] },
			[take(null, song), take(null, second)],
		],
		[
			'with their links deeper inside',
			{
				...job,
				tracks: [
					{ audio_id: 'a', links: { mp3: song, cover: { large: picture } } },
					{ id: 'b', links: { mp3: second } },
				],
			},
			[take('a', song), take('b', second)],
		],
		[
			'with other things in data',
			{ ...job, tracks: [{ id: 'a', url: song, data: { bpm: 120 } }] },
			[take('a', song)],
		],
		[
			'in a list inside something with an id, which is not theirs',
			{ ...job, result: { id: 'r', tracks: [song, second] } },
			[take(null, song), take(null, second)],
		],
		[
			'with a cover and a page of their own, which are none',
			{
				...job,
				cover: { id: 'c', url: picture },
				share: { url: 'https://cdn.example/song' },
				tracks: [{ id: 'a', url: song }],
			},
			[take('a', song)],
		],
		[
			'as lists side by side: the pictures are no takes',
			{ ...job, image_urls: [picture], audio_urls: [song, second] },
			[take(null, song), take(null, second)],
		],
		[
			'by name without an identifier: one, since nothing says that they are several',
			{ ...job, files: { mp3: { url: song }, wav: { url: second } } },
			[take(null, song)],
		],
		['none', { ...job, lyrics: 'La la' }, []],
		['an empty record', {}, []],
	])('%s', (_name, record, takes) => {
		expect(takesOf(record)).toEqual(takes);
	});

	test('every URL is in the item of the job, whatever the record is', () => {
		const anything = fc.letrec((tie) => ({
			value: fc.oneof(
				{ depthSize: 'small', withCrossShrink: true },
				fc.jsonValue(),
				webUrls(),
				fc.constantFrom(song, second, picture),
				fc.array(tie('value'), { maxLength: 3 }),
				fc.dictionary(
					fc.oneof(fc.constantFrom('id', 'audio_id', 'image', 'data'), fc.string()),
					tie('value'),
				),
			),
		})).value;
		fc.assert(
			fc.property(
				fc.dictionary(fc.string(), anything),
				fc.constantFrom('audio' as const, 'video' as const, undefined),
				(record, mediaType) => {
					const { main, others } = resultUrls(
						{ id: 'job-1', state: 'completed', record, waitedMs: 0 },
						{ mediaType },
						'',
					);
					const urls = urlsIn(record).map(({ url }) => url);
					expect([...main, ...others].map(({ url }) => url).sort()).toEqual(urls.sort());
					expect(main.length > 0).toBe(urls.length > 0);
				},
			),
		);
	});
});

describe('results that are no media', () => {
	const timings = [
		{ word: 'La', start_s: 0.1, end_s: 0.4 },
		{ word: 'la', start_s: 0.5, end_s: 0.9 },
	];

	test.each<[name: string, own: Record<string, unknown>]>([
		['lyrics', { title: 'The sea', lyrics: '[Verse]\nLa la' }],
		['a style', { style: 'Calm piano, soft strings' }],
		['timestamped lyrics', { words: timings }],
		['a phrase to read aloud', { phrase: 'The quiet harbour wakes.' }],
		['a voice', { voice_id: 'voice-1', voice_name: 'Mine' }],
		['notes', { midi: { tempo: 96, tracks: [{ notes: [{ pitch: 60 }] }] } }],
		['values that are empty', { lyrics: '', words: [], found: false, count: 0, more: null }],
	])('%s: the record without its bookkeeping', (_name, own) => {
		const bookkeeping = {
			generation_id: 'job-1',
			task_id: 'job-1',
			job_id: 'job-1',
			id: 'job-1',
			status: 'completed',
			credits_used: 1,
			credits_charged: 1,
			credits_remaining: 99,
			created_at: '2026-01-01T00:00:00Z',
			completed_at: '2026-01-01T00:00:09Z',
			model: 'V5',
		};
		expect(resultIn({ ...bookkeeping, ...own })).toEqual(own);
	});

	test('a record that has only bookkeeping leaves nothing', () => {
		expect(resultIn(job)).toEqual({});
	});
});

describe('in the item of a job', () => {
	const record = { ...job, tracks: [{ audio_id: 'a', audio_url: song }], lyrics: 'La la' };

	const itemOf = (mediaType?: MediaType, state = 'completed') =>
		jobOutput(
			{ id: 'job-1', state, record, waitedMs: 0 },
			{ mediaType, operation: 'generate' },
			{ simplify: true, resultField: '' },
		);

	test('audio has takes', () => {
		const item = itemOf('audio');
		expect(item).toMatchObject({
			jobId: 'job-1',
			details: { operation: 'generate' },
			mediaUrl: song,
			mediaUrls: [song],
			audioId: 'a',
			takes: [take('a', song)],
		});
		expect(item).not.toHaveProperty('result');
	});

	test('a text has a result', () => {
		const item = itemOf('text');
		expect(item.result).toEqual({ tracks: record.tracks, lyrics: 'La la' });
		expect(item.mediaUrl).toBe(song);
		expect(item).not.toHaveProperty('takes');
	});

	test('a text without a file has no place for one', () => {
		const seen = { id: 'job-1', state: 'completed', record: { ...job, lyrics: 'La' }, waitedMs: 0 };
		const item = jobOutput(seen, { mediaType: 'text' }, { simplify: true, resultField: '' });
		expect(item).toEqual({
			status: 'completed',
			jobId: 'job-1',
			mediaType: 'text',
			result: { lyrics: 'La' },
			details: { waitedMs: 0 },
		});
	});

	test('two takes: mediaUrl is that of the first, and each has its own', () => {
		const tracks = [
			{ audio_id: 'a', audio_url: song, stream_url: `${song}?stream`, image_url: picture },
			{ audio_id: 'b', audio_url: second },
		];
		const seen = {
			id: 'job-1',
			state: 'completed',
			record: { ...job, result: { tracks } },
			waitedMs: 0,
		};
		const others = [
			{ path: 'result.tracks[0].stream_url', url: `${song}?stream` },
			{ path: 'result.tracks[0].image_url', url: picture },
		];
		expect(jobOutput(seen, { mediaType: 'audio' }, { simplify: true, resultField: '' })).toEqual({
			mediaUrl: song,
			status: 'completed',
			jobId: 'job-1',
			mediaType: 'audio',
			audioId: 'a',
			mediaUrls: [song, second],
			takes: [
				{ audioId: 'a', mediaUrl: song },
				{ audioId: 'b', mediaUrl: second },
			],
			details: { otherUrls: others, waitedMs: 0 },
		});
	});

	test('a job of an operation that is not known has both', () => {
		expect(itemOf()).toMatchObject({ takes: [take('a', song)], result: { lyrics: 'La la' } });
	});

	test.each(['image', 'video'] as const)('%s has neither', (mediaType) => {
		const item = itemOf(mediaType);
		expect(item).not.toHaveProperty('takes');
		expect(item).not.toHaveProperty('result');
	});

	test('before it is completed there is neither', () => {
		const item = itemOf('audio', 'processing');
		expect(item).toMatchObject({ mediaUrl: null, mediaUrls: [] });
		expect(item).not.toHaveProperty('takes');
	});
});

test('a result that is wrapped once more is unwrapped', () => {
	expect(resultIn({ ...job, result: { phrase: 'Read me' } })).toEqual({ phrase: 'Read me' });
	expect(resultIn({ ...job, result: 'text' })).toEqual({ result: 'text' });
	expect(resultIn({ ...job, result: { a: 1 }, b: 2 })).toEqual({ result: { a: 1 }, b: 2 });
});
