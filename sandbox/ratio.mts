import type { Values } from '../nodes/shared/spec/values.ts';

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
