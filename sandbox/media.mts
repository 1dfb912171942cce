import { readFileSync } from 'node:fs';
import path from 'node:path';

import { SUCCESS } from '../test/document.mts';
import type { Job } from './jobs.mts';
import { takesOf } from './music/takes.mts';
import { LANDSCAPE, ratioOf, SQUARE, type Ratio } from './ratio.mts';
import type { Answer, RoutedCall } from './service.mts';
import { ServiceError } from './serviceError.mts';
import type { SandboxState } from './state.mts';
import { songWav } from './wav.mts';

export const resultFile = (job: Job) => `${job.id}.${isVideo(job) ? 'mp4' : 'png'}`;
export const thumbnailFile = ({ id }: Job) => `${id}-thumbnail.png`;

const isVideo = ({ operation }: Job) => operation.mediaType === 'video';

const TYPES: Record<string, string> = {
	'.mp4': 'video/mp4',
	'.png': 'image/png',
	'.wav': 'audio/wav',
};

/**
 * A file of a completed job: its result, or a picture of the result. Anyone who knows the address can get it, as on
 * a CDN.
 *
 * @throws ServiceError 404 while there is no such file
 */
export function answerMedia({ jobs }: SandboxState, { match }: RoutedCall): Answer {
	const [file = ''] = match.parameters;
	const job = jobs.find(file.slice(0, UUID_LENGTH));
	const bytesOf =
		job?.state === 'completed' ? filesOf(job, jobs.list.indexOf(job)).get(file) : undefined;
	if (!bytesOf) throw new ServiceError(404);
	const headers = { 'content-type': TYPES[path.extname(file)]! };
	return { status: SUCCESS.read, body: bytesOf(), headers };
}

const UUID_LENGTH = 36;

/** The files of a job by name, each read when it is asked for. */
function filesOf(job: Job, index: number): Map<string, () => Buffer> {
	const files = new Map<string, () => Buffer>();
	const picture = (ratio: Ratio) => () => stored(ratio, `-${(index % PICTURES) + 1}.png`);
	if (job.operation.mediaType === 'image' || isVideo(job)) {
		const ratio = ratioOf(job.body, isVideo(job) ? LANDSCAPE : SQUARE);
		const result = isVideo(job) ? () => stored(ratio, '.mp4') : picture(ratio);
		files.set(resultFile(job), result).set(thumbnailFile(job), picture(ratio));
	}
	// A take sounds the same in every file, even after a conversion or when its link is renewed.
	for (const take of takesOf(job)) {
		files.set(take.audio, () => songWav(take.id)).set(take.picture, picture(SQUARE));
	}
	return files;
}

/** There are so many pictures of each shape; jobs take turns, so that neighbours differ. */
const PICTURES = 4;

/**
 * Bytes of a file that is landscape, portrait or square, as the ratio is. A video has one second; it was made with
 * ffmpeg 5.1.9, for example (portrait has 180x320 and 0x201040 0xe04070 0xf0c060; square 240x240 and 0x0a3030 0x40b080
 * 0xf0e090):
 *
 *     ffmpeg -f lavfi -i "gradients=size=320x180:rate=12:duration=1:speed=0.05:seed=1:nb_colors=3:c0=0x102040:\
 *     c1=0xf08040:c2=0x40a0c0:x0=0:y0=0:x1=320:y1=180" -c:v libx264 -profile:v main -pix_fmt yuv420p -preset veryslow \
 *     -crf 30 -bf 0 -threads 1 -map_metadata -1 -fflags +bitexact -movflags +faststart landscape.mp4
 */
function stored([width, height]: Ratio, ending: string): Buffer {
	const upright = width < height ? 'portrait' : 'square';
	const shape = width > height ? 'landscape' : upright;
	return readFileSync(path.join(import.meta.dirname, 'media', `${shape}${ending}`));
}
