import { createHash } from 'node:crypto';

import { eachDot, layOut, type Caption } from './caption.mts';
import { indexedPng, type Colour } from './indexedPng.mts';
import type { Ratio } from './ratio.mts';

/** Shorter side of a picture and of a thumbnail, pixels. */
const PICTURE_SIDE = 512;
const THUMBNAIL_SIDE = 256;

/** Longer side at most, pixels, whatever ratio is asked for. */
const LONGEST_SIDE = 1024;

const DISCS = 5;

/** The palette: the gradient, the discs, and from DARK on the same in dark, then the text. */
const GRADIENT_STEPS = 120;
const DARK = 128;
const TEXT = 255;
const DARKNESS = 0.3;
const WHITE: Colour = [255, 255, 255];

/** What a picture shows. */
export interface Drawing {
	/** Written on it. */
	text: string;
	/** Decides the colours; the text does when left out. */
	seed?: string;
	ratio: Ratio;
}

/** Bytes of a PNG of a text on a gradient with discs; the same drawing gives the same picture. */
export function drawPicture(drawing: Drawing): Buffer {
	return draw(drawing, PICTURE_SIDE);
}

/** The same, smaller. */
export function drawThumbnail(drawing: Drawing): Buffer {
	return draw(drawing, THUMBNAIL_SIDE);
}

function draw({ text, seed = text, ratio }: Drawing, side: number): Buffer {
	const [width, height] = sizeOf(ratio, side);
	const hash = createHash('sha512').update(seed).digest();
	const byte = (index: number) => hash[index % hash.length] ?? 0;
	const colour = (index: number): Colour => [byte(index), byte(index + 1), byte(index + 2)];
	const canvas = new Canvas(width, height);
	canvas.fillGradient();
	const discs = Array.from({ length: DISCS }, (_, disc) => 6 + disc * 6);
	discs.forEach((at, disc) => {
		const radius = side * (0.08 + (byte(at + 2) / 255) * 0.2);
		const [x, y] = [(byte(at) / 255) * width, (byte(at + 1) / 255) * height];
		canvas.fillDisc(x, y, radius, GRADIENT_STEPS + disc);
	});
	const caption = layOut(text, width, height);
	if (caption) canvas.write(caption);
	const discColours = discs.map((at) => colour(at + 3));
	return indexedPng(width, height, canvas.pixels, paletteOf(colour(0), colour(3), discColours));
}

function sizeOf([width, height]: Ratio, side: number): [number, number] {
	const scale = side / Math.min(width, height);
	const pixels = (length: number) => Math.min(LONGEST_SIDE, Math.round(length * scale));
	return [pixels(width), pixels(height)];
}

/** Pixels as numbers of colours in the palette, row by row. */
class Canvas {
	readonly pixels: Uint8Array;

	constructor(
		private readonly width: number,
		private readonly height: number,
	) {
		this.pixels = new Uint8Array(width * height);
	}

	/** From the upper left corner to the lower right one: each row is that above it, shifted by a pixel. */
	fillGradient(): void {
		const { width, height } = this;
		const diagonal = Uint8Array.from({ length: width + height }, (_, at) => {
			return Math.floor((at * GRADIENT_STEPS) / (width + height));
		});
		for (let y = 0; y < height; y++) {
			this.pixels.set(diagonal.subarray(y, y + width), y * width);
		}
	}

	fillDisc(x: number, y: number, radius: number, colour: number): void {
		const last = Math.min(this.height - 1, Math.floor(y + radius));
		for (let row = Math.max(0, Math.ceil(y - radius)); row <= last; row++) {
			const half = Math.sqrt(radius ** 2 - (row - y) ** 2);
			const from = Math.max(0, Math.ceil(x - half));
			const to = Math.min(this.width, Math.floor(x + half) + 1);
			if (from < to) this.pixels.fill(colour, row * this.width + from, row * this.width + to);
		}
	}

	write(caption: Caption): void {
		for (let at = Math.max(0, caption.band) * this.width; at < this.pixels.length; at++) {
			this.pixels[at]! += DARK;
		}
		eachDot(caption, (x, y) => {
			for (let row = y; row < y + caption.dot; row++) {
				this.pixels.fill(TEXT, row * this.width + x, row * this.width + x + caption.dot);
			}
		});
	}
}

function paletteOf(from: Colour, to: Colour, discs: readonly Colour[]): Colour[] {
	const palette = Array.from({ length: TEXT + 1 }, () => WHITE);
	const light = [
		...Array.from({ length: GRADIENT_STEPS }, (_, step) => mix(from, to, step / GRADIENT_STEPS)),
		...discs,
	];
	light.forEach((colour, index) => {
		palette[index] = colour;
		palette[DARK + index] = mix([0, 0, 0], colour, DARKNESS);
	});
	return palette;
}

function mix(from: Colour, to: Colour, share: number): Colour {
	const part = (index: 0 | 1 | 2) => Math.round(from[index] + (to[index] - from[index]) * share);
	return [part(0), part(1), part(2)];
}
