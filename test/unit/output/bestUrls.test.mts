import fc from 'fast-check';

import { bestUrls, mediaUrlsIn } from '../../../nodes/shared/output/mediaUrls.ts';

const at = (name: string) => `https://cdn.example/${name}`;

const bestOf = (record: Record<string, unknown>, mediaType: string | null) => {
	const { series, rivals } = bestUrls(mediaUrlsIn(record, {}), mediaType);
	return { series: series.map(({ path }) => path), rivals: rivals.map(({ path }) => path) };
};

describe('the result among several URLs', () => {
	test.each<[name: string, type: string | null, record: Record<string, unknown>, path: string]>([
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
		expect(bestOf(record, type)).toEqual({ series: [path], rivals: [] });
	});

	test('where nothing tells them apart: the first, and the others are named', () => {
		const record = { a: at('1'), b: at('2'), image: at('3') };
		expect(bestOf(record, 'video')).toEqual({ series: ['a'], rivals: ['b'] });
		expect(bestOf({ wav: at('1.wav'), mp3: at('2.mp3') }, 'audio')).toEqual({
			series: ['wav'],
			rivals: ['mp3'],
		});
	});
});

describe('a series', () => {
	test.each<[Record<string, unknown>, string[]]>([
		[{ images: [at('1.png'), at('2.png')] }, ['images[0]', 'images[1]']],
		[{ list: [{ url: at('1.png') }, { url: at('2') }] }, ['list[0].url', 'list[1].url']],
		[{ list: [[at('1.png')], [at('2.png')]] }, ['list[0][0]', 'list[1][0]']],
	])('is at the same path but for its index: %j', (record, paths) => {
		expect(bestOf(record, 'image')).toEqual({ series: paths, rivals: [] });
	});

	test('has none of another type', () => {
		const record = { urls: [at('1.png'), at('2.mp3'), at('3')] };
		expect(bestOf(record, 'audio')).toEqual({ series: ['urls[1]', 'urls[2]'], rivals: [] });
	});
});

test('whatever the record is, there is a best one where there is a URL', () => {
	const url = fc.constantFrom(at('a.mp3'), at('b.png'), at('c'), at('d.mp4'), 'https://e.example');
	const name = fc.constantFrom('url', 'video', 'thumbnail', 'image_url', 'tracks', 'audio[0]');
	const value = fc.letrec((tie) => ({
		value: fc.oneof(
			{ depthSize: 'small' },
			url,
			fc.array(tie('value'), { maxLength: 3 }),
			fc.dictionary(name, tie('value')),
		),
	})).value;
	const types = fc.constantFrom('image', 'video', 'audio', 'text', null);
	fc.assert(
		fc.property(fc.dictionary(name, value), types, (record, type) => {
			const found = mediaUrlsIn(record as Record<string, unknown>, {});
			const { series, rivals, likely } = bestUrls(found, type);
			expect(series.length > 0).toBe(found.length > 0);
			expect(new Set([...series, ...rivals]).size).toBe(series.length + rivals.length);
			for (const each of [...series, ...rivals, ...likely]) expect(found).toContain(each);
		}),
	);
});

test('none of none', () => {
	expect(bestOf({}, 'image')).toEqual({ series: [], rivals: [] });
});
