import { readFileSync } from 'node:fs';
import path from 'node:path';

import type { Ratio } from './ratio.mts';

/** How they were made is told there. */
const FOLDER = path.join(import.meta.dirname, 'media');

/** Bytes of an MP4 of one second, as wide or high as the ratio is. */
export function videoOf([width, height]: Ratio): Buffer {
	const upright = width < height ? 'portrait' : 'square';
	const file = width > height ? 'landscape' : upright;
	return readFileSync(path.join(FOLDER, `${file}.mp4`));
}
