import { PNG } from 'pngjs';

import { drawPicture, drawThumbnail } from '../../../sandbox/picture.mts';
import type { Ratio } from '../../../sandbox/ratio.mts';

const SQUARE: Ratio = [1, 1];

const pixelsOf = (bytes: Buffer) => PNG.sync.read(bytes);

/** How many pixels of a picture are white: the text alone is. */
function white(bytes: Buffer): number {
	const { data } = pixelsOf(bytes);
	let count = 0;
	for (let at = 0; at < data.length; at += 4) {
		if (data.readUInt32BE(at) === 0xffffffff) count++;
	}
	return count;
}

describe('a picture', () => {
	it('is the same for the same prompt, and another for another', () => {
		const cat = drawPicture({ text: 'a cat', ratio: SQUARE });
		expect(drawPicture({ text: 'a cat', ratio: SQUARE }).equals(cat)).toBe(true);
		expect(drawPicture({ text: 'a dog', ratio: SQUARE }).equals(cat)).toBe(false);
	});

	it('shows its text', () => {
		const blank = { text: '', seed: 'Rain', ratio: SQUARE };
		expect(white(drawPicture(blank))).toBe(0);
		const dot = 8 ** 2;
		// Dots of the letters: a dot of the largest text is a square of eight pixels.
		expect(white(drawPicture({ ...blank, text: 'I' }))).toBe(11 * dot);
		expect(white(drawPicture({ ...blank, text: 'II' }))).toBe(22 * dot);
		expect(white(drawThumbnail({ ...blank, text: 'I' }))).toBe(11 * 4 ** 2);
	});

	it('writes letters with accents without them, and unknown characters as boxes', () => {
		const picture = (text: string) => drawPicture({ text, seed: 'x', ratio: SQUARE });
		expect(picture('Café “Øre”').equals(picture('Cafe "Ore"'))).toBe(true);
		expect(picture('水').equals(picture('山'))).toBe(true);
		expect(white(picture('水'))).toBeGreaterThan(0);
	});

	it.each([
		['a long prompt', 'A lighthouse at dusk, seen from the sea. '.repeat(200)],
		['a long word', 'x'.repeat(5000)],
		['many lines', 'line\n'.repeat(1000)],
	])('%s leaves a part of it free', (_, text) => {
		const { data, width, height } = pixelsOf(drawPicture({ text, ratio: SQUARE }));
		const free = data.subarray(0, width * Math.round(height * 0.4) * 4);
		const blank = pixelsOf(drawPicture({ text: '', seed: text, ratio: SQUARE })).data;
		expect(free.equals(blank.subarray(0, free.length))).toBe(true);
		expect(data.equals(blank)).toBe(false);
	});

	it.each<[Ratio, number, number]>([
		[[1, 1], 512, 512],
		[[16, 9], 910, 512],
		[[9, 16], 512, 910],
		[[1, 9999], 512, 1024],
	])('of the ratio %j', (ratio, width, height) => {
		expect(pixelsOf(drawPicture({ text: 'a', ratio }))).toMatchObject({ width, height });
	});
});
