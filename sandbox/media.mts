import { readFileSync } from 'node:fs';
import path from 'node:path';

import { SUCCESS } from '../test/document.mts';
import type { Job } from './jobs.mts';
import {
	drawPicture,
	drawThumbnail,
	LANDSCAPE,
	ratioOf,
	SQUARE,
	type Drawing,
	type Ratio,
} from './picture.mts';
import { takesOf, titleOf } from './music/takes.mts';
import type { Answer, RoutedCall } from './service.mts';
import { ServiceError } from './serviceError.mts';
import type { SandboxState } from './state.mts';
import { songWav } from './wav.mts';

export function resultFile(job: Job): string {
	return `${job.id}.${isVideo(job) ? 'mp4' : 'png'}`;
}

export function thumbnailFile(job: Job): string {
	return `${job.id}-thumbnail.png`;
}

/** A file whose bytes are made when it is asked for. */
interface MediaFile {
	contentType: string;
	bytes: () => Buffer | Promise<Buffer>;
}

/**
 * A file of a completed job: its result, or a picture of the result. Anyone who knows the address can get it, as on
 * a CDN.
 *
 * @throws ServiceError 404 while there is no such file
 */
export function answerMedia({ jobs }: SandboxState, { match }: RoutedCall): Answer {
	const [file = ''] = match.parameters;
	const job = jobs.find(file.slice(0, UUID_LENGTH));
	const found = job?.state === 'completed' ? filesOf(job).get(file) : undefined;
	if (!found) throw new ServiceError(404);
	return {
		status: SUCCESS.read,
		body: found.bytes(),
		headers: { 'content-type': found.contentType },
	};
}

const UUID_LENGTH = 36;

function filesOf(job: Job): Map<string, MediaFile> {
	const { mediaType } = job.operation;
	const files = mediaType === 'image' || mediaType === 'video' ? resultFiles(job) : [];
	return new Map([...files, ...takeFiles(job)]);
}

function resultFiles(job: Job): Array<[string, MediaFile]> {
	const ratio = ratioOf(job.body, isVideo(job) ? LANDSCAPE : SQUARE);
	const drawing = { ...captionOf(job), ratio };
	const video = { contentType: 'video/mp4', bytes: () => videoOf(ratio) };
	return [
		[resultFile(job), isVideo(job) ? video : png(() => drawPicture(drawing))],
		[thumbnailFile(job), png(() => drawThumbnail(drawing))],
	];
}

/** The README there says how they were made. */
const VIDEOS = path.join(import.meta.dirname, 'media');

/** Bytes of an MP4 of one second: landscape, portrait or square, as the ratio is. */
function videoOf([width, height]: Ratio): Buffer {
	const upright = width < height ? 'portrait' : 'square';
	const file = width > height ? 'landscape' : upright;
	return readFileSync(path.join(VIDEOS, `${file}.mp4`));
}

/** What a picture of a job shows: its prompt or, without one, the title of its source, if any, or its own. */
function captionOf(job: Job): Pick<Drawing, 'text' | 'seed'> {
	const { prompt } = job.body;
	if (typeof prompt === 'string' && prompt !== '') return { text: prompt };
	return { text: titleOf(job.source ?? job), seed: job.id };
}

/** A take sounds the same in every file, even after a conversion or when its link is renewed. */
function takeFiles(job: Job): Array<[string, MediaFile]> {
	return takesOf(job).flatMap(
		({ id, title, audio, picture }): Array<[string, MediaFile]> => [
			[audio, { contentType: 'audio/wav', bytes: () => songWav(id) }],
			[picture, png(() => drawPicture({ text: title, seed: id, ratio: SQUARE }))],
		],
	);
}

function png(bytes: () => Promise<Buffer>): MediaFile {
	return { contentType: 'image/png', bytes };
}

function isVideo({ operation }: Job): boolean {
	return operation.mediaType === 'video';
}
