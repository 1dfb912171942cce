import fc from 'fast-check';

import { resultUrls, type UrlOrigin, urlsIn } from '../../../nodes/shared/output/resultUrls.ts';

const at = (name: string) => `https://cdn.example/${name}`;
const url = at('a.png');
const other = at('b.png');

type Data = Record<string, unknown>;

const resultOf = (record: Data, origin: UrlOrigin = {}, resultField = '') => {
	const job = { id: 'j', state: 'completed', record, waitedMs: 0 };
	const { main, ...rest } = resultUrls(job, origin, resultField);
	return { ...rest, path: main[0]?.path, main: main.map((found) => found.url) };
};

const bestOf = (record: Data, type: string | null) => {
	const { path, main, rivals } = resultOf({ ...record, generation_type: type });
	return { path, main, rivals: rivals.map((rival) => rival.path) };
};

describe('the URLs of a record', () => {
	test.each([
		[{ image_url: url }, ['image_url']],
		[{ result: { url } }, ['result.url']],
		[{ images: [{ url }, { url: other }] }, ['images[0].url', 'images[1].url']],
		[{ file: ` ${url}\n` }, ['file']],
		[{ prompt: `a picture like ${url}` }, []],
		[{ prompt: `${url} is a picture of a cat` }, []],
		[{ url: 'file:///etc/passwd', link: 'javascript:alert(1)', ftp: 'ftp://x/y' }, []],
		[{ url: 'https://' }, []],
	])('of %j are at %j', (record, paths) => {
		expect(urlsIn(record).map(({ path }) => path)).toEqual(paths);
	});

	test('what the request had is no result', () => {
		const record = { source_image_urls: [other], request: { imageUrl: other }, url };
		expect(urlsIn(record, { source_image_urls: [other] })).toMatchObject([{ path: 'url', url }]);
	});

	test('an address that n8n gave a file is no result', () => {
		const record = { image: 'https://n8n.example/rest/binary-data/signed?token=***', url };
		expect(urlsIn(record)).toMatchObject([{ path: 'url', url }]);
	});

	test('the same URL in two fields is one result', () => {
		expect(urlsIn({ url, images: [{ url }, { url: other }] })).toMatchObject([
			{ path: 'url', url },
			{ path: 'images[1].url', url: other },
		]);
	});

	test('no record makes it throw, however deep', () => {
		const deep = JSON.parse('{"a":'.repeat(5000) + '1' + '}'.repeat(5000)) as Data;
		expect(urlsIn(deep)).toEqual([]);
		fc.assert(
			fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (record) => {
				expect(urlsIn(record).every(({ url: found }) => /^https?:/i.test(found))).toBe(true);
			}),
		);
	});
});

describe('the field of the result', () => {
	const origin: UrlOrigin = { mediaType: 'video', route: { urlFields: { video: 'video_url' } } };

	test('the documented one comes first', () => {
		expect(resultOf({ thumbnail: other, video_url: url }, origin).main).toEqual([url]);
		expect(resultOf({ thumbnail: other }, origin).main).toEqual([other]);
	});

	test('the one that the user pinned comes before that', () => {
		const record = { video_url: url, out: { list: [other, url] } };
		expect(resultOf(record, origin, 'out.list').main).toEqual([other, url]);
		expect(resultOf(record, origin, 'out.list[1]').main).toEqual([url]);
		expect(resultOf(record, origin, 'missing')).toMatchObject({ main: [], missing: 'missing' });
	});

	test('a URL with spaces counts there, and can be used', () => {
		const spaced = 'https://cdn.example/my cat.png?name=a b';
		const main = ['https://cdn.example/my%20cat.png?name=a%20b'];
		const record = { video_url: spaced, answer: spaced };
		expect(resultOf(record, origin).main).toEqual(main);
		expect(resultOf(record, origin, 'answer').main).toEqual(main);
	});
});

describe('the result among several URLs', () => {
	test.each<[name: string, type: string | null, record: Data, path: string]>([
		['by file name', 'video', { a: at('a.png'), b: at('b.mp4') }, 'b'],
		['by file name, with a query', 'audio', { a: at('a.jpg?x=.mp3'), b: at('b.mp3?k=1') }, 'b'],
		['by file name in upper case', 'image', { a: at('a.MP4'), b: at('b.PNG') }, 'b'],
		['by its field', 'video', { image_url: at('1'), video_url: at('2') }, 'video_url'],
		['by an outer field', 'audio', { image: { url: at('1') }, song: { url: at('2') } }, 'song.url'],
		['by the last word', 'video', { video_cover: at('1'), music_video: at('2') }, 'music_video'],
		['by both', 'image', { small: at('1.png'), image_url: at('2.png') }, 'image_url'],
		[
			'a field without a word goes before one for another type',
			'video',
			{ image: at('1'), url: at('2') },
			'url',
		],
		['a thumbnail goes last', 'image', { thumbnail: at('1.png'), url: at('2.png') }, 'url'],
		['a preview, too', 'video', { preview_url: at('1.mp4'), url: at('2.mp4') }, 'url'],
		[
			'of a cover, the cover',
			'image',
			{ cover_url: at('1.png'), audio_url: at('2.mp3') },
			'cover_url',
		],
		[
			'a picture goes last where the type is not known',
			null,
			{ image_url: at('1'), url: at('2') },
			'url',
		],
		[
			'a type in the words of the record',
			'image-to-video',
			{ a: at('1.png'), b: at('2.mp4') },
			'b',
		],
		[
			'a host or a folder is no file name',
			'video',
			{ a: 'https://a.mp4', b: at('x.mp4/a'), c: at('c.mp4') },
			'c',
		],
		['the only one, whatever speaks against it', 'audio', { thumbnail: at('1.png') }, 'thumbnail'],
	])('%s', (_, type, record, path) => {
		expect(bestOf(record, type)).toEqual({ path, main: [expect.any(String)], rivals: [] });
	});

	test('where nothing tells them apart: the first, and the others are named', () => {
		const record = { a: at('1'), b: at('2'), image: at('3') };
		expect(bestOf(record, 'video')).toEqual({ path: 'a', main: [at('1')], rivals: ['b'] });
		expect(bestOf({ wav: at('1.wav'), mp3: at('2.mp3') }, 'audio')).toEqual({
			path: 'wav',
			main: [at('1.wav')],
			rivals: ['mp3'],
		});
	});
});

describe('a series', () => {
	test.each<[Data, string[]]>([
		[{ images: [at('1.png'), at('2.png')] }, [at('1.png'), at('2.png')]],
		[{ list: [{ url: at('1.png') }, { url: at('2') }] }, [at('1.png'), at('2')]],
		[{ list: [[at('1.png')], [at('2.png')]] }, [at('1.png'), at('2.png')]],
	])('is at the same path but for its index: %j', (record, main) => {
		expect(bestOf(record, 'image')).toMatchObject({ main, rivals: [] });
	});

	test('has none of another type', () => {
		const record = { urls: [at('1.png'), at('2.mp3'), at('3')] };
		expect(bestOf(record, 'audio')).toMatchObject({ main: [at('2.mp3'), at('3')], rivals: [] });
	});
});

test('whatever the record is, there is a result where there is a URL', () => {
	const link = fc.constantFrom(at('a.mp3'), at('b.png'), at('c'), at('d.mp4'), 'https://e.example');
	const name = fc.constantFrom('url', 'video', 'thumbnail', 'image_url', 'tracks', 'audio[0]');
	const value = fc.letrec((tie) => ({
		value: fc.oneof(
			{ depthSize: 'small' },
			link,
			fc.array(tie('value'), { maxLength: 3 }),
			fc.dictionary(name, tie('value')),
		),
	})).value;
	const types = fc.constantFrom('image' as const, 'video' as const, 'audio' as const, undefined);
	fc.assert(
		fc.property(fc.dictionary(name, value), types, (record, mediaType) => {
			const found = urlsIn(record);
			const { main, rivals, others } = resultOf(record, { mediaType });
			expect(main.length > 0).toBe(found.length > 0);
			expect(main.length + others.length).toBe(found.length);
			for (const rival of rivals) expect(others).toContainEqual(rival);
		}),
	);
});
