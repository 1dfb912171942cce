import fc from 'fast-check';

import {
	kindOfFile,
	mediaFileName,
	mediaType,
	slugOf,
} from '../../../nodes/shared/output/mediaFormat.ts';
import { webUrls } from '../../support/webUrls.mts';

const MP4 = 'video/mp4';
const UNKNOWN = '';
const named = (path: string, format = MP4) =>
	mediaFileName(`https://cdn.example/${path}`, format, { fallback: 'job-1' });

test.each([
	['clips/lighthouse.mp4', 'lighthouse.mp4'],
	['lighthouse.M4V?sig=a/b.png#c', 'lighthouse.m4v'],
	['lighthouse', 'lighthouse.mp4'],
	['lighthouse.png', 'lighthouse.mp4'],
	['take%201.2', 'take 1.mp4'],
	['render.php', 'render.mp4'],
	['%E6%B5%B7%E8%BE%BA.mp4', '海辺.mp4'],
	['100%25.mp4', '100_.mp4'],
	['bad%escape.mp4', 'bad_escape.mp4'],
	['..%2F..%2Fetc%2Fpasswd', 'etc_passwd.mp4'],
	['a%5Cb%00c%0D%0Ad.mp4', 'a_b_c_d.mp4'],
	['.mp4', 'mp4.mp4'],
	['%20.%20', 'job-1.mp4'],
	['clips/', 'job-1.mp4'],
	['', 'job-1.mp4'],
])('%j is called %j', (path, name) => {
	expect(named(path)).toBe(name);
});

test('where the format is not known, the name stays as it is', () => {
	expect(named('notes.xyz', UNKNOWN)).toBe('notes.xyz');
	expect(named('notes', UNKNOWN)).toBe('notes');
});

test.each([
	['clips/x9.m4v', MP4, '03-a-sourdough-loaf.m4v'],
	['clips/x9.png', MP4, '03-a-sourdough-loaf.mp4'],
	['clips/x9.xyz', UNKNOWN, '03-a-sourdough-loaf.xyz'],
	['', UNKNOWN, '03-a-sourdough-loaf'],
])('what %s shows gives it its name', (path, format, name) => {
	const names = { stem: '03-a-sourdough-loaf', fallback: 'job-1' };
	expect(mediaFileName(`https://cdn.example/${path}`, format, names)).toBe(name);
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

test('a name that is all unsafe, and an ID that is, too', () => {
	expect(mediaFileName('https://cdn.example/', MP4, { fallback: '../..' })).toBe('media.mp4');
});

test('no URL and no ID make a name that leaves its folder', () => {
	fc.assert(
		fc.property(webUrls({ withQueryParameters: true }), fc.string(), (url, id) => {
			const name = mediaFileName(url, MP4, { fallback: id });
			expect(name).toMatch(/^[^/\\:*?"<>|\p{C}]{1,120}\.(mp4|m4v)$/iu);
			expect(name).not.toMatch(/^\./);
		}),
	);
});

test('a long name is cut, its extension is not', () => {
	const name = named(`${'ü'.repeat(300)}.mp4`);
	expect(name).toBe(`${'ü'.repeat(100)}.mp4`);
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
	const kinds = ['jpeg', 'MID', 'php', ''].map(kindOfFile);
	expect(kinds).toEqual(['image', 'audio', undefined, undefined]);
});
