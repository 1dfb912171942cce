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
	expect(mediaUrlsIn(record, { request: { source_image_urls: [other] } })).toMatchObject([
		{ path: 'url', url },
	]);
});

test('the same URL in two fields is one result', () => {
	expect(mediaUrlsIn({ url, images: [{ url }, { url: other }] }, {})).toMatchObject([
		{ path: 'url', url },
		{ path: 'images[1].url', url: other },
	]);
});

test('the documented field comes first', () => {
	const record = { thumbnail: other, video_url: url };
	expect(mediaUrlsIn(record, { urlField: 'video_url' })).toMatchObject([
		{ path: 'video_url', url },
	]);
	expect(mediaUrlsIn({ thumbnail: other }, { urlField: 'video_url' })).toHaveLength(1);
});

test('the field that the user pinned comes before that', () => {
	const record = { video_url: url, out: { list: [other, url] } };
	const search = { urlField: 'video_url', resultField: 'out.list' };
	expect(mediaUrlsIn(record, search)).toMatchObject([
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

describe('a URL with a space', () => {
	const spaced = 'https://cdn.example/my cat.png?name=a b';
	const encoded = 'https://cdn.example/my%20cat.png?name=a%20b';

	test.each<[string, Record<string, unknown>]>([
		['in a field that is called after it', { image_url: spaced }],
		['in a list that is', { urls: [spaced] }],
		['that ends like a file', { picture: 'https://cdn.example/my cat.png' }],
		['with space around it', { file: ' https://cdn.example/cat.png\n' }],
	])('%s is found, and can be used', (_, record) => {
		const [found] = mediaUrlsIn(record, {});
		expect(found?.url).toBe(new URL(found?.url ?? '').href);
		expect(found?.url).toMatch(/^https:\/\/cdn\.example\/(my%20)?cat\.png/);
	});

	test('is found where it is documented, and where it is pinned', () => {
		const record = { video_url: spaced, answer: spaced };
		expect(mediaUrlsIn(record, { urlField: 'video_url' })).toMatchObject([{ url: encoded }]);
		expect(mediaUrlsIn(record, { resultField: 'answer' })).toMatchObject([{ url: encoded }]);
	});

	test('is known for an echo of the request', () => {
		const request = { source_image_urls: [spaced] };
		expect(mediaUrlsIn({ source_image_url: spaced }, { request })).toEqual([]);
	});

	test.each([
		`${url} is a picture of a cat`,
		`${url} and ${other}`,
		'https:// a.png',
		'https://my host/a.png',
	])('%j in a prompt is none', (prompt) => {
		expect(mediaUrlsIn({ prompt }, {})).toEqual([]);
	});
});
