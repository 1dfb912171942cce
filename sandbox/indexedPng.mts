import { crc32, deflateSync } from 'node:zlib';

/** pngjs writes no palettes; with one, a picture is small and quickly made. */

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
const BITS = 8;
const INDEXED = 3;
const UNFILTERED = 0;

/** Red, green and blue, 0 to 255 each. */
export type Colour = readonly [red: number, green: number, blue: number];

/**
 * Bytes of a PNG.
 *
 * @param pixels of each, row by row, the number of its colour in the palette
 */
export function indexedPng(
	width: number,
	height: number,
	pixels: Uint8Array,
	palette: readonly Colour[],
): Buffer {
	const header = Buffer.alloc(13);
	header.writeUInt32BE(width, 0);
	header.writeUInt32BE(height, 4);
	header.set([BITS, INDEXED], 8);
	const rows = Buffer.alloc(height * (width + 1), UNFILTERED);
	for (let y = 0; y < height; y++) {
		rows.set(pixels.subarray(y * width, (y + 1) * width), y * (width + 1) + 1);
	}
	return Buffer.concat([
		SIGNATURE,
		chunk('IHDR', header),
		chunk('PLTE', Buffer.from(palette.flat())),
		chunk('IDAT', deflateSync(rows)),
		chunk('IEND', Buffer.alloc(0)),
	]);
}

function chunk(type: string, data: Buffer): Buffer {
	const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
	const framed = Buffer.alloc(4 + named.length + 4);
	framed.writeUInt32BE(data.length, 0);
	framed.set(named, 4);
	framed.writeUInt32BE(crc32(named), 4 + named.length);
	return framed;
}
