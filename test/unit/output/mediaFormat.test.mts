import fc from 'fast-check';

import { kindOfFile, mediaFormat } from '../../../nodes/shared/output/mediaFormat.ts';

const head = (text: string) => Buffer.from(text.padEnd(64, '\0'), 'latin1');

test.each([
	['\x89PNG\r\n\x1a\n', 'image/png', 'png'],
	['\xff\xd8\xff\xe0\0\x10JFIF', 'image/jpeg', 'jpg'],
	['GIF89a', 'image/gif', 'gif'],
	['RIFF\x24\x00\x00\x00WEBPVP8 ', 'image/webp', 'webp'],
	['\0\0\0\x20ftypavif', 'image/avif', 'avif'],
	['\0\0\0\x20ftypheic', 'image/heic', 'heic'],
	['\0\0\0\x20ftypisom', 'video/mp4', 'mp4'],
	['\0\0\0\x1cftypmp42', 'video/mp4', 'mp4'],
	['\0\0\0\x14ftypqt  ', 'video/quicktime', 'mov'],
	['\0\0\0\x20ftypM4A ', 'audio/mp4', 'm4a'],
	[
		'\x1a\x45\xdf\xa3\x9f\x42\x86\x81\x01\x42\xf7\x81\x01\x42\xf2\x81\x04\x42\xf3\x81\x08\x42\x82\x84webm',
		'video/webm',
		'webm',
	],
	['\x1a\x45\xdf\xa3\xa3\x42\x86\x81\x01\x42\x82\x88matroska', 'video/x-matroska', 'mkv'],
	['\0\0\0\x08free\0\0\0\x10mdat', 'video/quicktime', 'mov'],
	['FLV\x01\x05\0\0\0\x09', 'video/x-flv', 'flv'],
	['\x30\x26\xb2\x75\x8e\x66\xcf\x11', 'video/x-ms-wmv', 'wmv'],
	['\0\0\0\x0cjP  \r\n\x87\n', 'image/jp2', 'jp2'],
	['\xff\x0a\x7a\x43', 'image/jxl', 'jxl'],
	['\0\0\0\x0cJXL \r\n\x87\n', 'image/jxl', 'jxl'],
	['ID3\x04\0\0', 'audio/mpeg', 'mp3'],
	['\xff\xfb\x90\x64', 'audio/mpeg', 'mp3'],
	['\xff\xf3\x40\xc4', 'audio/mpeg', 'mp3'],
	['RIFF\x24\x00\x00\x00WAVEfmt ', 'audio/wav', 'wav'],
	['fLaC\0\0\0\x22', 'audio/flac', 'flac'],
	['OggS\0\x02', 'audio/ogg', 'ogg'],
	['MThd\0\0\0\x06', 'audio/midi', 'mid'],
])('%j is %s', (start, mime, extension) => {
	const found = mediaFormat(head(start), 'text/html');
	expect(found.mime).toBe(mime);
	expect(found.extensions[0]).toBe(extension);
});

test.each([
	['ADTS AAC', '\xff\xf1\x50\x80'],
	['MPEG audio with a forbidden bit rate', '\xff\xfb\xf0\x64'],
	['UTF-16', '\xff\xfe<\0'],
	['RIFF of another kind', 'RIFF\x24\x00\x00\x00sfbk'],
	['text', 'ftyp is not at its place'],
	['nothing', ''],
])('%s is not taken for something else', (_, start) => {
	expect(mediaFormat(head(start)).mime).toBe('application/octet-stream');
});

test.each([
	['image/png; charset=binary', 'image/png', ['png']],
	['Audio/MPEG', 'audio/mpeg', ['mp3']],
	['image/svg+xml', 'image/svg+xml', []],
	['', 'application/octet-stream', []],
	['image', 'application/octet-stream', []],
	['text/html\r\nX: y', 'application/octet-stream', []],
])('where the bytes say nothing, Content-Type %j counts', (contentType, mime, extensions) => {
	expect(mediaFormat(head('?'), contentType)).toEqual({ mime, extensions });
});

test('a file shorter than any signature, and any bytes at all, are of some type', () => {
	fc.assert(
		fc.property(fc.uint8Array({ maxLength: 64 }), fc.string(), (bytes, contentType) => {
			expect(mediaFormat(Buffer.from(bytes), contentType).mime).toMatch(/^[\w.+-]+\/[\w.+-]+$/);
		}),
	);
});

test('extensions of ours', () => {
	const kinds = ['jpeg', 'MID', 'php', ''].map(kindOfFile);
	expect(kinds).toEqual(['image', 'audio', undefined, undefined]);
});
