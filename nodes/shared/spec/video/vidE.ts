import type { Field } from '../field';
import { required } from '../field';
import { link } from '../file';
import type { Price } from '../operation';
import {
	GENERATE,
	IMAGE_TO_VIDEO,
	lengths,
	PROMPT,
	REQUEST_FIELDS,
	resolution,
	TEXT_TO_VIDEO,
	TO_MAKE_FROM,
	VIDEO_TO_VIDEO,
	type VideoFamily,
} from './family';

const FIELDS: readonly Field[] = [PROMPT, lengths('5', '10', '15'), resolution('720p', '1080p')];

const PRICE: Price = {
	rows: [
		[{ resolution: ['720p'], duration: ['5'] }, 70],
		[{ resolution: ['720p'], duration: ['10'] }, 140],
		[{ resolution: ['720p'], duration: ['15'] }, 210],
		[{ resolution: ['1080p'], duration: ['5'] }, 105],
		[{ resolution: ['1080p'], duration: ['10'] }, 210],
		[{ resolution: ['1080p'], duration: ['15'] }, 315],
	],
};

/** Section "Family-E video, version 2.6". */
export const VID_E26: VideoFamily = {
	resource: {
		value: 'vidE26',
		label: 'Family E 2.6',
		description: 'From text, an image or a video',
	},
	status: { openPoint: 'vidE26StatusPath', of: 'Family E 2.6' },
	creations: [
		{
			...TEXT_TO_VIDEO,
			path: '/vidE26/generate/',
			fixed: { mode: 'text-to-video' },
			fields: FIELDS,
			price: PRICE,
		},
		{
			...IMAGE_TO_VIDEO,
			action: 'Generate a video from an image',
			path: '/vidE26/generate/',
			fixed: { mode: 'image-to-video' },
			fields: [
				required(
					link('image_url', 'Image', 'image', {
						placeholder: 'data or https://example.com/first.png',
						description: `Image ${TO_MAKE_FROM}`,
					}),
				),
				...FIELDS,
			],
			price: PRICE,
		},
		{
			...VIDEO_TO_VIDEO,
			path: '/vidE26/generate/',
			fixed: { mode: 'video-to-video' },
			fields: [
				required(
					link('video_url', 'Video', 'video', {
						placeholder: 'data or https://example.com/clip.mp4',
						description: `Video ${TO_MAKE_FROM}`,
					}),
				),
				...FIELDS,
			],
			price: PRICE,
		},
	],
};

/** The other version, of which the document shows only that it exists, and its modes. */
export const VID_E: VideoFamily = {
	resource: {
		value: 'vidE',
		label: 'Family E',
		description: 'Another version; needs an address from the support of the service',
	},
	status: { openPoint: 'vidEStatusPath', of: 'Family E' },
	creations: [
		{
			...GENERATE,
			description:
				'Generate a video in one of the modes t2v, i2v, video edit and r2v; the fields of a mode are not documented',
			path: { openPoint: 'vidEPath', of: 'Family E' },
			fields: [REQUEST_FIELDS],
		},
	],
};
