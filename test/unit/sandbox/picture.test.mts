import { PNG } from 'pngjs';

import { drawPicture } from '../../../sandbox/picture.mts';
import type { Ratio } from '../../../sandbox/ratio.mts';

const SQUARE: Ratio = [1, 1];

const pixelsOf = (bytes: Buffer) => PNG.sync.read(bytes);

/** How many pixels of a picture are white, of its upper rows or of all: the text alone is. */
function white(bytes: Buffer, rows = Infinity): number {
	const { data, width } = pixelsOf(bytes);
	let count = 0;
	for (let at = 0; at < Math.min(data.length, rows * width * 4); at += 4) {
		if (data.readUInt32BE(at) >>> 8 > 0xfafafa) count++;
	}
	return count;
}

describe('a picture', () => {
	it('is the same for the same prompt, and another for another', async () => {
		const cat = await drawPicture({ text: 'a cat', ratio: SQUARE });
		expect((await drawPicture({ text: 'a cat', ratio: SQUARE })).equals(cat)).toBe(true);
		expect((await drawPicture({ text: 'a dog', ratio: SQUARE })).equals(cat)).toBe(false);
	});

	it.each(['Rain', 'Café “Øre” & <b>', '水'])('shows its text: %s', async (text) => {
		const drawing = { text: ' ', seed: 'Rain', ratio: SQUARE };
		expect(white(await drawPicture(drawing))).toBe(0);
		expect(white(await drawPicture({ ...drawing, text }))).toBeGreaterThan(100);
	});

	it.each([
		['a long prompt', 'A lighthouse at dusk, seen from the sea. '.repeat(200)],
		['a long word', 'x'.repeat(5000)],
		['many lines', 'line\n'.repeat(1000)],
	])('%s leaves a part of it free', async (_, text) => {
		const picture = await drawPicture({ text, seed: 'Rain', ratio: SQUARE });
		expect(white(picture)).toBeGreaterThan(100);
		expect(white(picture, 250)).toBe(0);
	});

	it.each<[Ratio, number, number]>([
		[[1, 1], 512, 512],
		[[16, 9], 910, 512],
		[[9, 16], 512, 910],
		[[1, 9999], 512, 1024],
	])('of the ratio %j', async (ratio, width, height) => {
		expect(pixelsOf(await drawPicture({ text: 'a', ratio }))).toMatchObject({ width, height });
	});
});
