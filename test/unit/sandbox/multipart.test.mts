import fc from 'fast-check';

import { readForm } from '../../../sandbox/multipart.mts';
import { bytesOf, sha256Of, wavFile } from '../../support/audioFiles.mts';
import { inPieces } from '../files/chunks.mts';

const BOUNDARY = 'x-boundary';
const TYPE = `multipart/form-data; boundary=${BOUNDARY}`;

const part = (disposition: string, content: string | Buffer, more = '') =>
	Buffer.concat([
		Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; ${disposition}\r\n${more}\r\n`),
		Buffer.from(content),
		Buffer.from('\r\n'),
	]);

const END = Buffer.from(`--${BOUNDARY}--\r\n`);

const read = async (bytes: Buffer, piece = 1000) => await readForm(inPieces(bytes, piece), TYPE);

test('fields and files, in whatever pieces they arrive', async () => {
	const wav = bytesOf(wavFile({ seconds: 0.5 }));
	const form = Buffer.concat([
		part('name="title"', 'Größe\r\nof --x-bound'),
		part('name="upload"; filename="a.wav"', wav, 'Content-Type: audio/wav\r\n'),
		part('name="empty"', ''),
		END,
	]);
	for (const piece of [1, 2, 3, 7, 64, 1000, 100_000]) {
		const { fields, files } = (await read(form, piece)) ?? { fields: {}, files: {} };
		expect(fields).toEqual({ title: 'Größe\r\nof --x-bound', empty: '' });
		expect({ ...files.upload }).toEqual({
			fileName: 'a.wav',
			contentType: 'audio/wav',
			size: wav.length,
			sha256: sha256Of(wavFile({ seconds: 0.5 })),
		});
		expect(files.upload?.problem).toBeUndefined();
	}
});

test.each([
	['nothing', ''],
	['no form', 'hello'],
	['no end', part('name="a"', 'b')],
	['a part without a name', Buffer.concat([part('filename="b"', 'b'), END])],
	['a field that is too large', Buffer.concat([part('name="a"', 'b'.repeat(2_000_000)), END])],
	['something behind the delimiter', Buffer.from(`--${BOUNDARY}??`)],
])('%s', async (_, bytes) => {
	expect(await read(Buffer.from(bytes))).toBeUndefined();
});

test('no boundary', async () => {
	expect(await readForm(inPieces(END, 10), 'multipart/form-data')).toBeUndefined();
});

test('a form that breaks off anywhere is none', async () => {
	const form = Buffer.concat([part('name="a"', 'b'), part('name="f"; filename="c"', 'd'), END]);
	const whole = form.length - '\r\n'.length;
	for (let end = 0; end < whole; end += 1) {
		expect(await read(form.subarray(0, end), 5)).toBeUndefined();
	}
	expect(await read(form.subarray(0, whole))).toBeDefined();
});

test('whatever the bytes are, it comes to an end', async () => {
	const word = fc.constantFrom(`--${BOUNDARY}`, '\r\n', '--', 'name="a"', '; filename="b"', 'x');
	await fc.assert(
		fc.asyncProperty(fc.array(word), fc.integer({ min: 1, max: 50 }), async (words, piece) => {
			await read(Buffer.from(words.join('')), piece);
		}),
	);
});
