import fc from 'fast-check';

import { jobOutput } from '../../../nodes/shared/output/jobOutput.ts';
import { mediaUrlsIn } from '../../../nodes/shared/output/mediaUrls.ts';
import { resultIn, takesIn } from '../../../nodes/shared/output/musicResult.ts';
import type { MediaType } from '../../../nodes/shared/spec/types.ts';

/** The document does not show the records of music jobs: whatever they are, nothing is lost. */

const song = 'https://cdn.example/a.mp3';
const second = 'https://cdn.example/b.mp3';
const picture = 'https://cdn.example/a.png';
const job = { job_id: 'job-1', status: 'completed' };

const takesOf = (record: Record<string, unknown>) => takesIn(record, mediaUrlsIn(record, {}));

const take = (audioId: string | null, ...mediaUrls: string[]) => ({
	audioId,
	mediaUrl: mediaUrls.length === 1 ? mediaUrls[0] : null,
	mediaUrls,
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
			[take('a', song, picture), take('b', second)],
		],
		['flat in the record', { ...job, audio_id: 'a', audio_url: song }, [take('a', song)]],
		['flat, without an id', { ...job, audio_url: song }, [take(null, song)]],
		[
			'in the record of a job, whose id is not the id of a take',
			{ id: 'job-1', url: song },
			[take(null, song)],
		],
		['in a record with an id of its own', { ...job, id: 'a', url: song }, [take('a', song)]],
		[
			'several URLs flat in the record',
			{ ...job, audio_url: song, stream_url: second },
			[take(null, song, second)],
		],
		[
			'as a list of URLs',
			{ ...job, audio_urls: [song, second] },
			[take(null, song), take(null, second)],
		],
		[
			'by name',
			{
				...job,
				stems: { vocals: { id: 'v', url: song }, instrumental: { id: 'i', url: second } },
			},
			[take('v', song), take('i', second)],
		],
		[
			'with their links deeper inside',
			{
				...job,
				tracks: [
					{ audio_id: 'a', links: { mp3: song, cover: { large: picture } } },
					{ id: 'b', urls: [second] },
				],
			},
			[take('a', song, picture), take('b', second)],
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
		['none', { ...job, lyrics: 'La la' }, []],
		['an empty record', {}, []],
	])('%s', (_name, record, takes) => {
		expect(takesOf(record)).toEqual(takes);
	});

	test('every URL is in one take, whatever the record is', () => {
		const anything = fc.letrec((tie) => ({
			value: fc.oneof(
				{ depthSize: 'small', withCrossShrink: true },
				fc.jsonValue(),
				fc.webUrl(),
				fc.array(tie('value'), { maxLength: 3 }),
				fc.dictionary(
					fc.oneof(fc.constantFrom('id', 'audio_id', 'data'), fc.string()),
					tie('value'),
				),
			),
		})).value;
		fc.assert(
			fc.property(fc.dictionary(fc.string(), anything), (record) => {
				const urls = mediaUrlsIn(record, {});
				const takes = takesIn(record, urls);
				expect(takes.flatMap(({ mediaUrls }) => mediaUrls).sort()).toEqual(
					urls.map(({ url }) => url).sort(),
				);
				for (const { audioId, mediaUrl, mediaUrls } of takes) {
					expect(audioId === null || typeof audioId === 'string').toBe(true);
					expect(mediaUrl).toBe(mediaUrls.length === 1 ? mediaUrls[0] : null);
				}
			}),
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
			operation: 'generate',
			mediaUrl: song,
			takes: [take('a', song)],
		});
		expect(item).not.toHaveProperty('result');
	});

	test('a text has a result', () => {
		const item = itemOf('text');
		expect(item.result).toEqual({ tracks: record.tracks, lyrics: 'La la' });
		expect(item).not.toHaveProperty('takes');
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
