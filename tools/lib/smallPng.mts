import { PNG } from 'pngjs';

import { indexedPng, type Colour } from '../../sandbox/indexedPng.mts';

/** Colours that a PNG with a palette can have. */
const MOST = 256;

/** Of those, the ones that are kept as they are: what an editor is painted with. */
const EXACT = 96;

/** Bits of a channel by which the other colours are taken together. */
const COARSE_BITS = 4;

/**
 * A picture of a screen with a palette of 256 colours: less than half of its bytes, and hardly another sight.
 *
 * @param bytes a PNG without transparency
 */
export function smallPng(bytes: Buffer): Buffer {
	const { width, height, data } = PNG.sync.read(bytes);
	const colours = new Uint32Array(width * height);
	for (let at = 0; at < colours.length; at++) colours[at] = data.readUInt32BE(at * 4) >>> 8;
	const counts = new Map<number, number>();
	for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1);
	const palette = paletteOf(counts);
	const numbers = new Map([...counts.keys()].map((colour) => [colour, nearest(colour, palette)]));
	const pixels = Uint8Array.from(colours, (colour) => numbers.get(colour)!);
	return indexedPng(width, height, pixels, palette);
}

function paletteOf(counts: ReadonlyMap<number, number>): Colour[] {
	const byCount = [...counts].sort(([, one], [, other]) => other - one);
	if (byCount.length <= MOST) return byCount.map(([colour]) => channels(colour));
	const exact = byCount.slice(0, EXACT).map(([colour]) => channels(colour));
	return [...exact, ...averages(byCount.slice(EXACT)).slice(0, MOST - EXACT)];
}

/** The average of those that are much alike, the most frequent first. */
function averages(counted: ReadonlyArray<[colour: number, count: number]>): Colour[] {
	const sums = new Map<number, [red: number, green: number, blue: number, count: number]>();
	for (const [colour, count] of counted) {
		const [red, green, blue] = channels(colour);
		const key = [red, green, blue].reduce(
			(bits, channel) => (bits << COARSE_BITS) | (channel >> (8 - COARSE_BITS)),
			0,
		);
		const sum = sums.get(key) ?? [0, 0, 0, 0];
		sums.set(key, [
			sum[0] + red * count,
			sum[1] + green * count,
			sum[2] + blue * count,
			sum[3] + count,
		]);
	}
	return [...sums.values()]
		.sort((one, other) => other[3] - one[3])
		.map(([red, green, blue, count]): Colour => {
			return [Math.round(red / count), Math.round(green / count), Math.round(blue / count)];
		});
}

function nearest(colour: number, palette: readonly Colour[]): number {
	const [red, green, blue] = channels(colour);
	let best = 0;
	let least = Infinity;
	palette.forEach((other, index) => {
		const distance = (other[0] - red) ** 2 + (other[1] - green) ** 2 + (other[2] - blue) ** 2;
		if (distance >= least) return;
		least = distance;
		best = index;
	});
	return best;
}

function channels(colour: number): Colour {
	return [colour >> 16, (colour >> 8) & 0xff, colour & 0xff];
}
