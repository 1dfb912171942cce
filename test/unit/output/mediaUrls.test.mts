import fc from 'fast-check';

import { mediaUrlsIn } from '../../../nodes/shared/output/mediaUrls.ts';

const url = 'https://cdn.example/a.png';
const other = 'https://cdn.example/b.png';

test.each([
	[{ image_url: url }, ['image_url']],
	[{ result: { url } }, ['result.url']],
	[{ images: [{ url }, { url: other }] }, ['images[0].url', 'images[1].url']],
	[{ prompt: `a picture like ${url}` }, []],
	[{ url: 'file:///etc/passwd', link: 'javascript:alert(1)', ftp: 'ftp://x/y' }, []],
	[{ url: 'https://' }, []],
])('the URLs of %j are at %j', (record, paths) => {
	expect(mediaUrlsIn(record, {}).map(({ path }) => path)).toEqual(paths);
});

test('what the request had is no result', () => {
	const record = { source_image_urls: [other], request: { imageUrl: other }, url };
	expect(mediaUrlsIn(record, { request: { source_image_urls: [other] } })).toEqual([
		{ path: 'url', url },
	]);
});

test('the same URL in two fields is one result', () => {
	expect(mediaUrlsIn({ url, images: [{ url }, { url: other }] }, {})).toEqual([
		{ path: 'url', url },
		{ path: 'images[1].url', url: other },
	]);
});

test('the documented field comes first', () => {
	const record = { thumbnail: other, video_url: url };
	expect(mediaUrlsIn(record, { urlField: 'video_url' })).toEqual([{ path: 'video_url', url }]);
	expect(mediaUrlsIn({ thumbnail: other }, { urlField: 'video_url' })).toHaveLength(1);
});

test('the field that the user pinned comes before that', () => {
	const record = { video_url: url, out: { list: [other, url] } };
	const search = { urlField: 'video_url', resultField: 'out.list' };
	expect(mediaUrlsIn(record, search)).toEqual([
		{ path: 'out.list[0]', url: other },
		{ path: 'out.list[1]', url },
	]);
	expect(mediaUrlsIn(record, { resultField: 'out.list[1]' })).toHaveLength(1);
	expect(mediaUrlsIn(record, { resultField: 'missing' })).toEqual([]);
});

test('no record makes it throw, however deep', () => {
	const deep = JSON.parse('{"a":'.repeat(5000) + '1' + '}'.repeat(5000));
	expect(mediaUrlsIn(deep, {})).toEqual([]);
	fc.assert(
		fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (record) => {
			expect(mediaUrlsIn(record, {}).every(({ url: found }) => /^https?:/i.test(found))).toBe(true);
		}),
	);
});
