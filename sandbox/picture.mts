import { createHash } from 'node:crypto';

import type { Values } from '../nodes/shared/spec/conditions.ts';

export type Ratio = readonly [width: number, height: number];

export const SQUARE: Ratio = [1, 1];
export const LANDSCAPE: Ratio = [16, 9];
const PORTRAIT: Ratio = [9, 16];

/** Words for a ratio (section "Family-C video"). */
const WORDS = new Map<unknown, Ratio>([
	['landscape', LANDSCAPE],
	['portrait', PORTRAIT],
	['square', SQUARE],
]);

/**
 * The ratio that a request asks for, whatever its family calls the field: `size: 3:2`,
 * `aspect_ratio: portrait`.
 *
 * @param otherwise the ratio where the request asks for none, or leaves it open (`Auto`)
 */
export function ratioOf(request: Values, otherwise: Ratio): Ratio {
	const asked = request.size ?? request.aspectRatio ?? request.aspect_ratio;
	const [, width, height] = /^(\d+):(\d+)$/.exec(String(asked)) ?? [];
	const ratio: Ratio = [Number(width), Number(height)];
	return WORDS.get(asked) ?? (ratio[0] > 0 && ratio[1] > 0 ? ratio : otherwise);
}

/** The shorter side of a picture and of a thumbnail, and the longest that the other may be, in pixels. */
const SIDE = 512;
export const THUMBNAIL = SIDE / 2;
const LONGEST_SIDE = 1024;

/** Shares of the shorter side: a caption's height with its margins, at most, and each margin. */
const CAPTION_SHARE = 0.45;
const MARGIN_SHARE = 0.06;

/** Longest caption, in characters: more would be illegible. */
const MOST_TEXT = 400;

interface Drawing {
	/** Written on the picture; decides the colours and discs, too. */
	text: string;
	ratio: Ratio;
}

/** Bytes of a PNG of a text on a gradient with discs; the same drawing gives the same picture. */
export async function drawPicture({ text, ratio }: Drawing, side = SIDE): Promise<Buffer> {
	// Loaded only when needed: most sandboxes never draw a picture.
	const { default: sharp } = await import('sharp');
	const scale = side / Math.min(...ratio);
	const [width, height] = ratio.map((length) =>
		Math.min(LONGEST_SIDE, Math.round(length * scale)),
	) as [number, number];
	const margin = Math.round(side * MARGIN_SHARE);
	const words = text.replace(/\s+/g, ' ').trim().slice(0, MOST_TEXT) || '–';
	const escaped = words.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);
	const caption = {
		text: `<span foreground="white">${escaped}</span>`,
		font: 'sans bold',
		width: width - 2 * margin,
		height: Math.round(side * CAPTION_SHARE) - 2 * margin,
		wrap: 'word-char',
		rgba: true,
	} as const;
	const drawn = await sharp({ text: caption }).png().toBuffer({ resolveWithObject: true });
	const top = height - margin - drawn.info.height;
	return await sharp(background(text, width, height, top - margin))
		.composite([{ input: drawn.data, left: margin, top }])
		.png({ palette: true })
		.toBuffer();
}

/** @param band where the dark band begins, in pixels from the top */
function background(seed: string, width: number, height: number, band: number): Buffer {
	const hash = createHash('sha512').update(seed).digest();
	const colour = (at: number) => `#${hash.toString('hex', at, at + 3)}`;
	const discs = [6, 12, 18, 24, 30].map((at) => {
		const [x, y, size] = [...hash.subarray(at, at + 3)].map((byte) => byte / 255);
		const radius = Math.min(width, height) * (0.08 + 0.2 * size!);
		return `<circle cx="${x! * width}" cy="${y! * height}" r="${radius}" fill="${colour(at + 3)}"/>`;
	});
	return Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
		<linearGradient id="light" x2="1" y2="1">
			<stop stop-color="${colour(0)}"/><stop offset="1" stop-color="${colour(3)}"/>
		</linearGradient>
		<rect width="100%" height="100%" fill="url(#light)"/>${discs.join('')}
		<rect y="${band}" width="100%" height="100%" fill-opacity="0.65"/>
	</svg>`);
}
