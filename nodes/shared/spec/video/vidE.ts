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
			path: '/vidE26/generate/',
			modes: [
				{ ...TEXT_TO_VIDEO, fixed: { mode: 'text-to-video' } },
				{
					...IMAGE_TO_VIDEO,
					action: 'Generate a video from an image',
					fixed: { mode: 'image-to-video' },
					fields: [
						{
							name: 'image_url',
							label: 'Image',
							type: 'url',
							media: 'image',
							presence: 'required',
							placeholder: 'data or https://example.com/first.png',
							description: `Image ${TO_MAKE_FROM}`,
						},
					],
				},
				{
					...VIDEO_TO_VIDEO,
					fixed: { mode: 'video-to-video' },
					fields: [
						{
							name: 'video_url',
							label: 'Video',
							type: 'url',
							media: 'video',
							presence: 'required',
							placeholder: 'data or https://example.com/clip.mp4',
							description: `Video ${TO_MAKE_FROM}`,
						},
					],
				},
			],
			fields: [PROMPT, lengths('5', '10', '15'), resolution('720p', '1080p')],
			price: {
				shown: true,
				rates: [
					{ when: { resolution: ['720p'], duration: ['5'] }, credits: 70 },
					{ when: { resolution: ['720p'], duration: ['10'] }, credits: 140 },
					{ when: { resolution: ['720p'], duration: ['15'] }, credits: 210 },
					{ when: { resolution: ['1080p'], duration: ['5'] }, credits: 105 },
					{ when: { resolution: ['1080p'], duration: ['10'] }, credits: 210 },
					{ when: { resolution: ['1080p'], duration: ['15'] }, credits: 315 },
				],
			},
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
			path: { openPoint: 'vidEPath', of: 'Family E' },
			modes: [
				{
					...GENERATE,
					description:
						'Generate a video in one of the modes t2v, i2v, video edit and r2v; the fields of a mode are not documented',
				},
			],
			fields: [REQUEST_FIELDS],
			price: { shown: false },
		},
	],
};
