import fc from 'fast-check';

import { kindOfFile, mediaFileName, mediaType, slugOf } from '../../../nodes/shared/files/media.ts';
import { webUrls } from '../../support/webUrls.mts';

const named = (path: string, type: string) =>
	mediaFileName('03-a-kite', type, `https://cdn.example/${path}`);

test.each([
	['image/png', 'png'],
	['image/jpeg', 'jpg'],
	['image/webp', 'webp'],
	['image/svg+xml', 'svg'],
	['video/mp4', 'mp4'],
	['video/quicktime', 'mov'],
	['video/webm', 'webm'],
	['audio/mpeg', 'mp3'],
	['audio/wav', 'wav'],
	['audio/x-wav', 'wav'],
	['audio/vnd.wave', 'wav'],
	['audio/flac', 'flac'],
	['audio/mp4', 'm4a'],
	['audio/midi', 'midi'],
])('a file of type %s has the extension %s, whatever its URL says', (type, extension) => {
	expect(named('clips/x9.php', type)).toBe(`03-a-kite.${extension}`);
});

test.each([
	['clips/x9.XYZ?sig=a/b.png#c', '', '03-a-kite.xyz'],
	['clips/x9.zip', 'application/x-zip-compressed', '03-a-kite.zip'],
	['clips/', '', '03-a-kite'],
	['notes', 'constructor', '03-a-kite'],
])('where the type does not tell, that of its URL: %s, %s', (path, type, name) => {
	expect(named(path, type)).toBe(name);
});

test('no URL and no type make a name that leaves its folder', () => {
	fc.assert(
		fc.property(webUrls({ withQueryParameters: true }), fc.string(), (url, type) => {
			expect(mediaFileName('a', type, url)).toMatch(/^a(\.\w+)?$/);
		}),
	);
});

test.each([
	['A sourdough loaf, on a table!', 'a-sourdough-loaf-on-a-table'],
	['  Ein Käse/../etc/passwd ', 'ein-käse-etc-passwd'],
	['海辺の灯台', '海辺の灯台'],
	['…!? ', ''],
	[`${'word '.repeat(20)}`, 'word-word-word-word-word-word-word-word'],
	['x'.repeat(500), 'x'.repeat(40)],
])('%j is named %j', (prompt, slug) => {
	expect(slugOf(prompt)).toBe(slug);
});

test('no prompt makes a name that leaves its folder', () => {
	fc.assert(
		fc.property(
			fc.string(),
			(prompt) => void expect(slugOf(prompt)).toMatch(/^[\p{L}\p{M}\p{N}-]{0,60}$/u),
		),
	);
});

test.each([
	['image/png; charset=binary', 'image/png'],
	['Audio/MPEG', 'audio/mpeg'],
	['application/octet-stream', ''],
	[undefined, ''],
])('Content-Type %j says %j', (contentType, type) => {
	expect(mediaType(contentType)).toBe(type);
});

test('extensions of ours', () => {
	const kinds = ['a.jpeg', 'b.MID', 'c.php', 'jpeg', ''].map(kindOfFile);
	expect(kinds).toEqual(['image', 'audio', undefined, undefined, undefined]);
});
