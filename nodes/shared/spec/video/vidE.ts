import { required } from '../field';
import { link } from '../file';
import { resource } from '../operation';
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

const FIELDS = [PROMPT, lengths('5', '10', '15'), resolution('720p', '1080p')];

/** What all modes have in common. */
const E26 = {
	path: '/vidE26/generate/',
	price: {
		rows: [
			[{ resolution: ['720p'], duration: ['5'] }, 70],
			[{ resolution: ['720p'], duration: ['10'] }, 140],
			[{ resolution: ['720p'], duration: ['15'] }, 210],
			[{ resolution: ['1080p'], duration: ['5'] }, 105],
			[{ resolution: ['1080p'], duration: ['10'] }, 210],
			[{ resolution: ['1080p'], duration: ['15'] }, 315],
		],
	},
} as const;

const IMAGE = required(
	link('image_url', 'Image', `Image ${TO_MAKE_FROM}`, 'image', {
		placeholder: 'data or https://example.com/first.png',
	}),
);

const VIDEO = required(
	link('video_url', 'Video', `Video ${TO_MAKE_FROM}`, 'video', {
		placeholder: 'data or https://example.com/clip.mp4',
	}),
);

/** Section "Family-E video, version 2.6". */
export const VID_E26: VideoFamily = {
	resource: resource('vidE26', 'Family E 2.6', 'From text, an image or a video'),
	creations: [
		{ ...E26, ...TEXT_TO_VIDEO, fixed: { mode: 'text-to-video' }, fields: FIELDS },
		{
			...E26,
			...IMAGE_TO_VIDEO,
			action: 'Generate a video from an image',
			description: 'Generate a video from an image',
			fixed: { mode: 'image-to-video' },
			fields: [IMAGE, ...FIELDS],
		},
		{
			...E26,
			...VIDEO_TO_VIDEO,
			fixed: { mode: 'video-to-video' },
			fields: [VIDEO, ...FIELDS],
		},
	],
};

/** The other version, of which the document shows only that it exists, and its modes. */
export const VID_E: VideoFamily = {
	resource: resource(
		'vidE',
		'Family E',
		'Another version; needs an address from the support of the service',
	),
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
