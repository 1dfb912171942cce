import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { flat } from '../../support/flat.mts';
import { ALL } from '../../support/sampled.mts';
import { BASE_URL } from '../../support/virtualNetwork.mts';
import { answered, type NodeName } from './answered.mts';

/** Where the result is in a record whose fields the document does not show: nothing that it has is lost. */

const at = (name: string) => `https://cdn.example/${name}`;

const [URL_1, URL_2, SONG, SECOND] = ['a.png', 'b.png', 'a.mp3', 'b.mp3'].map(at) as [
	...[string, string, string, string],
];

const DONE = { status: 'completed' };

interface Told {
	mediaUrl: unknown;
	mediaUrls: string[];
	/** Paths of the others. */
	others: string[];
	hints: string;
}

async function told(
	node: NodeName,
	record: object,
	given: Parameters<typeof answered>[2] = {},
): Promise<Told> {
	const { json, hints } = await answered(node, { ...DONE, ...record }, given);
	const { mediaUrl, mediaUrls, otherUrls = [] } = flat(json) as Record<string, never[]>;
	return {
		mediaUrl,
		mediaUrls: mediaUrls ?? [],
		others: otherUrls.map(({ path }) => path),
		hints,
	};
}

describe('the URLs of a record', () => {
	test.each<[object, string[]]>([
		[{ image_url: URL_1 }, [URL_1]],
		[{ result: { url: URL_1 } }, [URL_1]],
		[{ file: ` ${URL_1}\n` }, [URL_1]],
		[{ url: URL_1, images: [{ url: URL_1 }] }, [URL_1]],
		[{ title: `a picture like ${URL_1}`, words: `${URL_1} is a picture` }, []],
		[{ url: 'https://' }, []],
		// What the request had, and what n8n gave a file, is no result.
		[
			{ url: URL_1, echo: { image: 'https://n8n.example/rest/binary-data/signed?token=***' } },
			[URL_1],
		],
	])('%j', async (record, urls) => {
		expect(await told('video', record)).toMatchObject({
			mediaUrl: urls[0] ?? null,
			mediaUrls: urls,
			others: [],
		});
	});

	test('that the request had are none', async () => {
		const record = { video_url: URL_1, source: { picture: URL_2 } };
		const more = { resource: 'vidE26', operation: 'imageToVideo', image_url: URL_2 };
		Object.assign(more, { duration: 5, resolution: '720p' });
		expect(await told('video', record, more)).toMatchObject({ mediaUrls: [URL_1], others: [] });
	});
});

describe('the field of the result', () => {
	const list = { out: { list: [URL_2, URL_1] }, video_url: at('c.mp4') };
	const SPACED = 'https://cdn.example/my cat.png?name=a b';

	test.each<[NodeName, object, { resultField?: string; resultUrl?: string }, string[]]>([
		// The documented one.
		['standard', { thumbnail: URL_2, video_url: URL_1 }, {}, [URL_1]],
		['standard', { thumbnail: URL_2 }, {}, [URL_2]],
		['standard', { video_url: SPACED }, {}, ['https://cdn.example/my%20cat.png?name=a%20b']],
		// That of Result Field goes before it, and hides nothing where it has none.
		['standard', list, { resultField: 'out.list' }, [URL_2, URL_1]],
		['standard', list, { resultField: 'out.list[1]' }, [URL_1]],
		['standard', list, { resultField: 'missing' }, []],
		// That of the credential goes after both.
		['standard', list, { resultUrl: 'out.list[1]' }, [at('c.mp4')]],
		['video', { url: URL_2, output: { x: URL_1 } }, { resultUrl: 'output.x' }, [URL_1]],
		['video', { url: URL_2, output: { x: URL_1 } }, { resultUrl: 'output' }, [URL_1]],
		['video', { url: URL_2, output: { x: URL_1 } }, { resultUrl: 'data.output.x' }, [URL_1]],
		['video', { url: URL_2, o: URL_1 }, { resultUrl: 'o', resultField: 'url' }, [URL_2]],
		['video', { url: URL_2, thumbnail: URL_1 }, { resultUrl: 'video' }, [URL_2]],
	])('%s, %j, %j', async (node, record, { resultField = '', resultUrl }, urls) => {
		const given = { options: { resultField }, credential: { resultUrlField: resultUrl } };
		const { mediaUrl, mediaUrls, others, hints } = await told(node, record, given);
		expect({ mediaUrl, mediaUrls }).toEqual({ mediaUrl: urls[0] ?? null, mediaUrls: urls });
		const all = JSON.stringify(record).match(/https:/g)!.length;
		expect(mediaUrls.length + others.length).toBe(all);
		if (urls.length === 0) expect(hints).toContain('missing');
	});
});

describe('the result among several URLs', () => {
	test.each<[name: string, node: NodeName, record: object, field: string]>([
		['by file name', 'video', { a: at('a.png'), b: at('b.mp4') }, 'b'],
		['by file name, with a query', 'audio', { a: at('a.jpg?x=.mp3'), b: at('b.mp3?k=1') }, 'b'],
		['by its field', 'video', { image_url: at('1'), video_url: at('2') }, 'video_url'],
		['by an outer field', 'audio', { image: { url: at('1') }, song: at('2') }, 'song'],
		['a thumbnail goes last', 'image', { thumbnail: at('1.png'), url: at('2.png') }, 'url'],
		['a picture, where the type is not known', 'read', { image: at('1'), url: at('2') }, 'url'],
		[
			'a type in the words of the record',
			...(['read', { generation_type: 'image-to-video', a: at('1.png'), b: at('2.mp4') }] as const),
			'b',
		],
		['the only one, whatever it is called', 'audio', { thumbnail: at('1.png') }, 'thumbnail'],
	])('%s', async (_, node, record, field) => {
		const { mediaUrl, mediaUrls, hints } = await told(node, record);
		const url = (record as Record<string, string>)[field];
		expect({ mediaUrl, mediaUrls }).toEqual({ mediaUrl: url, mediaUrls: [url] });
		expect(hints).not.toContain('several URLs');
	});

	test.each<[NodeName, object, string]>([
		[
			'video',
			{ a: at('1'), b: at('2'), image: at('3') },
			'at a; details.otherUrls has those at b.',
		],
		[
			'audio',
			{ wav: at('1.wav'), mp3: at('2.mp3') },
			'at wav; details.otherUrls has those at mp3.',
		],
	])('where nothing tells them apart, the first; a hint names the others: %j', async (...row) => {
		const [node, record, words] = row;
		const { mediaUrls, hints } = await told(node, record);
		expect(mediaUrls).toEqual([Object.values(record)[0]]);
		expect(hints).toContain(words);
	});

	test.each<[NodeName, object, string[]]>([
		['image', { images: [at('1.png'), at('2.png')] }, ['1.png', '2.png']],
		['image', { list: [{ url: at('1.png') }, { url: at('2') }] }, ['1.png', '2']],
		['image', { list: [[at('1.png')], [at('2.png')]] }, ['1.png', '2.png']],
		['audio', { urls: [at('1.png'), at('2.mp3'), at('3')] }, ['2.mp3', '3']],
	])('a series is at the same path but for its index: %s, %j', async (node, record, names) => {
		const { mediaUrls, hints } = await told(node, record);
		expect(mediaUrls).toEqual(names.map(at));
		expect(hints).not.toContain('several URLs');
	});
});

describe('a completed record without its URL is no silent success', () => {
	test('it is in the item, and a warning has id, field and option', async () => {
		const { json, hints } = await answered('standard', { ...DONE, note: 'soon' });
		expect(json).toMatchObject({ mediaUrl: null, status: 'completed', result: { note: 'soon' } });
		expect(hints).toContain(`job ${String(json.jobId)} is completed`);
		expect(hints).toContain('no URL at video_url');
		expect(hints).toContain('Options > Result Field');
	});

	test.each([
		['/media/x.mp4?sig=1', `${BASE_URL}/media/x.mp4?sig=1`],
		['//cdn.example/x.mp4', 'https://cdn.example/x.mp4'],
	])('%s is resolved against the Base URL', async (video_url, whole) => {
		const { mediaUrls } = await told('standard', { video_url });
		expect(mediaUrls).toEqual([whole]);
	});

	test.each(['cdn.example/x.mp4', '/\\evil.example/x.mp4', '/\t/evil/x'])(
		'%j is not guessed at',
		async (video_url) => {
			const { mediaUrl, hints } = await told('standard', { video_url });
			expect(mediaUrl).toBeNull();
			expect(hints).toContain('no URL at video_url');
		},
	);
});

describe('the takes of a song', () => {
	const take = (audioId: string | null, mediaUrl: string) => ({
		...(audioId !== null && { audioId }),
		mediaUrl,
	});

	const TRACKS = [
		{ audio_id: 'a', audio_url: SONG },
		{ audio_id: 'b', audio_url: SECOND },
	];

	test.each<[name: string, record: object, takes: object[]]>([
		['in a list, with audio_id', { tracks: TRACKS }, [take('a', SONG), take('b', SECOND)]],
		[
			'in a list, with id',
			{
				result: {
					takes: [
						{ id: 'a', url: SONG },
						{ id: 7, url: SECOND },
					],
				},
			},
			[take('a', SONG), take('7', SECOND)],
		],
		[
			'with a picture beside the audio',
			{
				tracks: [
					{ id: 'a', audio_url: SONG, image_url: URL_1 },
					{ id: 'b', audio_url: SECOND },
				],
			},
			[take('a', SONG), take('b', SECOND)],
		],
		['flat in the record', { audio_id: 'a', audio_url: SONG }, [take('a', SONG)]],
		['flat, without an id', { audio_url: SONG }, [take(null, SONG)]],
		['as a list of URLs', { audio_urls: [SONG, SECOND] }, [take(null, SONG), take(null, SECOND)]],
		[
			'with a cover and a page of their own, which are none',
			{
				cover: { id: 'c', url: URL_1 },
				share: { url: at('song') },
				tracks: [{ id: 'a', url: SONG }],
			},
			[take('a', SONG)],
		],
	])('%s', async (_name, record, takes) => {
		const { json } = await answered('audio', { ...DONE, ...record });
		const [first] = takes as Array<{ audioId?: string; mediaUrl: string }>;
		expect(json).toMatchObject({ takes, mediaUrl: first?.mediaUrl ?? null });
		expect(json.audioId).toBe(first?.audioId);
		expect(json.mediaUrls).toEqual(takes.map((one) => (one as IDataObject).mediaUrl));
	});
});

describe('a result that is no media', () => {
	const words = [{ word: 'La', start_s: 0.1, end_s: 0.4 }];

	test.each<[name: string, own: object]>([
		['lyrics', { title: 'The sea', lyrics: '[Verse]\nLa la' }],
		['a style', { style: 'Calm piano, soft strings' }],
		['timestamped lyrics', { words }],
		['a voice', { voice_id: 'voice-1', voice_name: 'Mine' }],
		['nothing', {}],
	])('%s: the record without its bookkeeping', async (_, own) => {
		const bookkeeping = {
			...{ generation_id: 'j', task_id: 'j', job_id: 'j', id: 'j', status: 'completed' },
			...{ credits_used: 1, credits_charged: 1, credits_remaining: 99, model: 'V5' },
			...{ created_at: '2026-01-01T00:00:00Z', completed_at: '2026-01-01T00:00:09Z' },
		};
		const { json } = await answered('text', { ...bookkeeping, ...own });
		expect(json.result).toEqual(own);
		// A text without a file has no place for one.
		for (const name of ['mediaUrl', 'mediaUrls', 'takes']) expect(json).not.toHaveProperty(name);
	});

	test.each<[object, object]>([
		[{ result: { phrase: 'Read me' } }, { phrase: 'Read me' }],
		[{ result: 'text' }, { result: 'text' }],
		[
			{ result: { a: 1 }, b: 2 },
			{ result: { a: 1 }, b: 2 },
		],
	])('%j: wrapped once more, it is unwrapped', async (own, result) => {
		expect((await answered('text', { ...DONE, ...own })).json.result).toEqual(result);
	});

	test('what it has is told by what was made', async () => {
		const record = { ...DONE, tracks: [{ audio_id: 'a', audio_url: SONG }], lyrics: 'La la' };
		const has = async (node: NodeName, more: object = {}) => {
			const { json } = await answered(node, { ...record, ...more });
			return ['takes', 'result'].filter((name) => name in json);
		};
		expect(await has('audio')).toEqual(['takes']);
		expect(await has('text')).toEqual(['result']);
		expect(await has('image')).toEqual([]);
		expect(await has('video')).toEqual([]);
		expect(await has('readMusic')).toEqual(['takes', 'result']);
	});
});

/** Every http(s) URL in a value, once. */
function urlsIn(value: unknown): string[] {
	if (typeof value === 'object' && value !== null) {
		return [...new Set(Object.values(value).flatMap(urlsIn))];
	}
	return typeof value === 'string' && /^https?:\/\/\S+$/.test(value) ? [value] : [];
}

test('whatever the record is, every URL of it is in the item, and there is a result where there is one', async () => {
	const link = fc.constantFrom(at('a.mp3'), at('b.png'), at('c'), at('d.mp4'), 'https://e.example');
	const name = fc.constantFrom(
		'url',
		'video',
		'thumbnail',
		'image_url',
		'tracks',
		'audio_id',
		'[0]',
	);
	const { value } = fc.letrec((tie) => ({
		value: fc.oneof(
			{ depthSize: 'small' },
			...[link, link, fc.jsonValue({ maxDepth: 1 })],
			fc.array(tie('value'), { maxLength: 3 }),
			fc.dictionary(name, tie('value')),
		),
	}));
	const nodes = fc.constantFrom<NodeName>('image', 'video', 'audio', 'read');
	await fc.assert(
		fc.asyncProperty(fc.dictionary(name, value), nodes, async (record, node) => {
			const { json } = await answered(node, { ...DONE, more: record });
			const { mediaUrls, otherUrls = [] } = flat(json) as Record<string, never[]>;
			const others = otherUrls.map(({ url }) => url);
			expect([...(mediaUrls ?? []), ...others].sort()).toEqual(urlsIn(record).sort());
			expect(json.mediaUrl ?? null).toBe(mediaUrls?.[0] ?? null);
			expect((mediaUrls ?? []).length > 0).toBe(urlsIn(record).length > 0);
		}),
		{ numRuns: ALL ? 1000 : 60 },
	);
});
