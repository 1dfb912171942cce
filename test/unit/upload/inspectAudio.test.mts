import fc from 'fast-check';

import { inspectAudio } from '../../../nodes/shared/upload/inspectAudio.ts';
import {
	bytesOf,
	id3Tag,
	joined,
	mp3File,
	wavFile,
	type MadeFile,
} from '../../support/audioFiles.mts';
import { inPieces, streamOf } from './chunks.mts';

const KB = 1024;

const look = async (file: MadeFile, size: number | undefined = file.size) => {
	const { format, seconds } = await inspectAudio(streamOf(file), size);
	return [format?.label, seconds];
};

const text = (content: string): MadeFile => ({
	size: content.length,
	chunks: () => [Buffer.from(content, 'latin1')],
});

describe('WAV', () => {
	test.each([0, 1, 12.5, 480, 481])('of %s seconds', async (seconds) => {
		expect(await look(wavFile({ seconds }))).toEqual(['WAV', seconds]);
	});

	test('of any rate, width and number of channels', async () => {
		const options = { sampleRate: 48_000, channels: 2, bits: 24 } as const;
		expect(await look(wavFile({ seconds: 3, ...options }))).toEqual(['WAV', 3]);
	});

	test('with other chunks before the format and the samples, some large, some of odd size', async () => {
		const before = [
			['JUNK', 300 * KB],
			['bext', 603],
			['id3 ', 2000 * KB + 1],
		] as const;
		expect(await look(wavFile({ seconds: 481, before }))).toEqual(['WAV', 481]);
	});

	test.each([0, 0xffff_ffff, 0x7fff_f000, 0x7000_0000])(
		'whose header tells %d bytes of samples has as many as the file has',
		async (toldSize) => {
			expect(await look(wavFile({ seconds: 7, toldSize }))).toEqual(['WAV', 7]);
		},
	);

	test('of unknown size: as its header tells, if it does', async () => {
		const open = { seconds: 7, toldSize: 0xffff_ffff };
		const seen = await inspectAudio(streamOf(wavFile(open)), undefined);
		expect([seen.format?.label, seen.seconds]).toEqual(['WAV', undefined]);
		const told = await inspectAudio(streamOf(wavFile({ seconds: 7 })), undefined);
		expect(told.seconds).toBe(7);
	});

	test('that ends anywhere is a WAV all the same', async () => {
		const whole = bytesOf(wavFile({ seconds: 1, before: [['JUNK', 30]] }));
		for (let end = 12; end < 120; end += 1) {
			const { format } = await inspectAudio(inPieces(whole.subarray(0, end), 7), end);
			expect(format?.label).toBe('WAV');
		}
	});

	test('without a byte rate, or of a thousand chunks without samples, tells no length', async () => {
		const still = bytesOf(wavFile({ seconds: 1 }));
		still.writeUInt32LE(0, 28);
		expect((await inspectAudio(inPieces(still, KB), still.length)).seconds).toBeUndefined();
		const empty = Array.from({ length: 2000 }, () => ['LIST', 0] as const);
		expect(await look(wavFile({ seconds: 1, before: empty }))).toEqual(['WAV', undefined]);
	});
});

describe('MP3', () => {
	const isMp3 = async (file: MadeFile, size: number | undefined = file.size) => {
		const { format, seconds } = await inspectAudio(streamOf(file), size);
		expect([format?.label, seconds]).toEqual(['MP3', undefined]);
	};

	test.each([
		[128, 1, false],
		[32, 1, true],
		[320, 1, false],
		[64, 2, true],
	] as const)('of %d kbit/s (MPEG %d, mono: %s)', async (kbps, version, mono) => {
		await isMp3(mp3File({ seconds: 30, kbps: [kbps], version, mono }));
	});

	test('of a varying bit rate', async () => {
		await isMp3(mp3File({ seconds: 60, kbps: [32, 320] }));
	});

	test('of unknown size', async () => {
		const { format } = await inspectAudio(streamOf(mp3File({ seconds: 60 })));
		expect(format?.label).toBe('MP3');
	});

	test.each([
		['300 KB', [300 * KB]],
		['5 MB', [5000 * KB]],
		['two of them', [20 * KB, 300 * KB]],
	])('behind a tag with a picture: %s', async (_, tags) => {
		await isMp3(joined(...tags.map(id3Tag), mp3File({ seconds: 48 })));
	});

	test('behind a tag that is too large to be passed', async () => {
		const tags = [id3Tag(20_000 * KB), id3Tag(20_000 * KB)];
		await isMp3(joined(...tags, mp3File({ seconds: 1 })));
	});

	test('that starts in the middle of a frame', async () => {
		await isMp3(joined(Buffer.alloc(200, 7), mp3File({ seconds: 5 })));
	});

	test('of one frame', async () => {
		await isMp3(mp3File({ seconds: 0.024 }));
	});
});

describe('no audio file', () => {
	test.each([
		['a text', text('Never gonna give you up\n'.repeat(1000)), 'application/octet-stream'],
		[
			'a text that starts as a tag',
			text('ID3 tags are explained here.'),
			'application/octet-stream',
		],
		['a PNG', text(`\x89PNG\r\n\x1a\n${'\xff\xfb\x90\x64'.repeat(100)}`), 'image/png'],
		['a FLAC', text('fLaC\0\0\0\x22'), 'audio/flac'],
		['a FLAC behind a tag', joined(id3Tag(KB), text('fLaC\0\0\0\x22')), 'audio/flac'],
		[
			'a sync word without frames',
			text(`\xff\xfb\x90\x64${'x'.repeat(5000)}`),
			'application/octet-stream',
		],
		['nothing but a tag', joined(id3Tag(KB)), 'application/octet-stream'],
		['a WebP', text('RIFF\x24\0\0\0WEBPVP8 '), 'image/webp'],
		['a MIDI file', text('MThd\0\0\0\x06'), 'audio/midi'],
	])('%s', async (_, file, mime) => {
		const facts = await inspectAudio(streamOf(file), file.size);
		expect(facts).toMatchObject({ mime, format: undefined, isEmpty: false });
	});

	test('nothing', async () => {
		expect((await inspectAudio(streamOf(text('')), 0)).isEmpty).toBe(true);
	});
});

test('a file of nothing but small tags is given up soon, and is no MP3', async () => {
	let read = 0;
	async function* tags() {
		for (; read < 100_000; read++) yield Buffer.from('ID3\x04\0\0\0\0\0\x01x', 'latin1');
	}
	expect((await inspectAudio(tags())).format).toBeUndefined();
	expect(read).toBeLessThan(10_000);
});

test('a file is let go of when enough of it has been read', async () => {
	let read = 0;
	let isClosed = false;
	async function* long() {
		try {
			for (const chunk of wavFile({ seconds: 480 }).chunks()) {
				read += chunk.length;
				yield chunk;
			}
		} finally {
			isClosed = true;
		}
	}
	await inspectAudio(long(), 7_680_044);
	expect(isClosed).toBe(true);
	expect(read).toBeLessThan(100 * KB);
});

describe('whatever the bytes are, it comes to an end without an error', () => {
	const starts = [
		'',
		'ID3\x04\0\0',
		'RIFF\0\0\0\0WAVE',
		'RIFF\0\0\0\0WAVEfmt ',
		'\xff\xfb\x90\x64',
	];

	test.each(starts)('after %j', async (start) => {
		await fc.assert(
			fc.asyncProperty(
				fc.uint8Array({ maxLength: 3000 }),
				fc.integer({ min: 1, max: 700 }),
				fc.option(fc.nat({ max: 2 ** 33 }), { nil: undefined }),
				async (bytes, piece, size) => {
					const file = Buffer.concat([Buffer.from(start, 'latin1'), bytes]);
					const facts = await inspectAudio(inPieces(file, piece), size);
					expect(Number.isFinite(facts.seconds ?? 0)).toBe(true);
				},
			),
		);
	});

	test('bytes of which many are those of frames and chunks', async () => {
		const word = fc.constantFrom(
			'ID3\x04\0\0\0\0\0\x05',
			'RIFF',
			'WAVE',
			'fmt ',
			'data',
			'\0\0\0\0',
			'\xff\xff\xff\xff',
			'\xff\xfb\x90\x64',
			'\xff\xf3\x14\xc0',
			'x',
		);
		await fc.assert(
			fc.asyncProperty(fc.array(word, { maxLength: 200 }), async (words) => {
				const file = Buffer.from(words.join(''), 'latin1');
				await inspectAudio(inPieces(file, 11), file.length);
			}),
		);
	});

	test('a part of a good file with one byte changed', async () => {
		const files = [wavFile({ seconds: 0.1 }), mp3File({ seconds: 0.1 })].map(bytesOf);
		await fc.assert(
			fc.asyncProperty(
				fc.constantFrom(...files),
				fc.nat(120),
				fc.nat(255),
				fc.nat(2000),
				async (good, at, byte, end) => {
					const file = Buffer.from(good.subarray(0, end));
					if (at < file.length) file[at] = byte;
					await inspectAudio(inPieces(file, 64), file.length);
				},
			),
		);
	});
});
