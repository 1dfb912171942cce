import { createHash } from 'node:crypto';
import { PNG } from 'pngjs';

import type { Ratio } from './ratio.mts';

/** Shorter side of a picture, pixels. */
const SHORTER_SIDE = 256;
/** Longer side at most, pixels, whatever ratio is asked for. */
const LONGEST_SIDE = 1024;

const DISCS = 5;
const OPAQUE = 255;

/** Bytes of a PNG of a gradient with discs; the same text gives the same picture. */
export function drawPicture(text: string, ratio: Ratio): Buffer {
	const [width, height] = sizeOf(ratio);
	const picture = new PNG({ width, height });
	const pixelAt = painter(createHash('sha512').update(text).digest(), width, height);
	for (let y = 0; y < height; y++) {
		for (let x = 0; x < width; x++) {
			const [red, green, blue] = pixelAt(x, y);
			const at = (y * width + x) * 4;
			picture.data.writeUInt32BE(((red << 24) | (green << 16) | (blue << 8) | OPAQUE) >>> 0, at);
		}
	}
	// One filter for all lines: trying each of them takes ten times as long.
	return PNG.sync.write(picture, { filterType: 1 });
}

function sizeOf([width, height]: Ratio): [number, number] {
	const scale = SHORTER_SIDE / Math.min(width, height);
	const pixels = (side: number) => Math.min(LONGEST_SIDE, Math.round(side * scale));
	return [pixels(width), pixels(height)];
}

type Colour = [red: number, green: number, blue: number];

function painter(hash: Buffer, width: number, height: number): (x: number, y: number) => Colour {
	const byte = (index: number) => hash[index % hash.length] ?? 0;
	const colour = (index: number): Colour => [byte(index), byte(index + 1), byte(index + 2)];
	const [from, to] = [colour(0), colour(3)];
	const discs = Array.from({ length: DISCS }, (_, disc) => ({
		x: (byte(6 + disc * 6) / 255) * width,
		y: (byte(7 + disc * 6) / 255) * height,
		radius: SHORTER_SIDE * (0.08 + (byte(8 + disc * 6) / 255) * 0.2),
		colour: colour(9 + disc * 6),
	}));
	return (x, y) => {
		const disc = discs.find((at) => (at.x - x) ** 2 + (at.y - y) ** 2 < at.radius ** 2);
		return disc?.colour ?? mix(from, to, (x + y) / (width + height));
	};
}

function mix(from: Colour, to: Colour, share: number): Colour {
	const part = (index: 0 | 1 | 2) => from[index] + (to[index] - from[index]) * share;
	return [part(0), part(1), part(2)];
}
