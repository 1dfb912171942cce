import { PNG } from 'pngjs';

import { smallPng } from '../../../tools/lib/smallPng.mts';

/** A picture of so many pixels in a row, by their red, green and blue. */
function picture(width: number, colourAt: (x: number) => [number, number, number]): Buffer {
	const png = new PNG({ width, height: 2 });
	for (let at = 0; at < width * 2; at++) {
		png.data.set([...colourAt(at % width), 255], at * 4);
	}
	return PNG.sync.write(png);
}

const pixels = (bytes: Buffer) => PNG.sync.read(bytes);

test('a picture of few colours keeps them', () => {
	const before = picture(200, (x) => [x, 255 - x, 7]);
	const after = smallPng(before);
	expect(pixels(after)).toMatchObject({ width: 200, height: 2 });
	expect(pixels(after).data.equals(pixels(before).data)).toBe(true);
});

test('of many colours, the most frequent are kept, and the others nearly', () => {
	const many = (x: number): [number, number, number] => [x % 256, (x >> 2) % 256, 128];
	const before = pixels(picture(1000, (x) => (x < 300 ? [250, 250, 250] : many(x)))).data;
	const after = pixels(smallPng(picture(1000, (x) => (x < 300 ? [250, 250, 250] : many(x))))).data;
	expect(after.subarray(0, 1200).equals(before.subarray(0, 1200))).toBe(true);
	const differences = [...after].map((value, at) => Math.abs(value - before[at]!));
	expect(Math.max(...differences)).toBeLessThanOrEqual(32);
});
