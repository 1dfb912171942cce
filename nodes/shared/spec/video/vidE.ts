import {
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
	resource: { value: 'vidE26', label: 'Family E 2.6', description: 'Also changes a video' },
	status: { openPoint: 'vidE26StatusPath', of: 'Family E 2.6' },
	creations: [
		{
			path: '/vidE26/generate/',
			modes: [
				{ ...TEXT_TO_VIDEO, fixed: { mode: 'text-to-video' } },
				{
					...IMAGE_TO_VIDEO,
					action: 'Make a video from an image',
					from: 'an image',
					fixed: { mode: 'image-to-video' },
				},
				{ ...VIDEO_TO_VIDEO, fixed: { mode: 'video-to-video' } },
			],
			fields: [
				PROMPT,
				{
					name: 'image_url',
					label: 'Image URL',
					type: 'url',
					media: 'image',
					presence: 'optional',
					requiredWhen: { mode: ['image-to-video'] },
					placeholder: 'https://example.com/first.png',
					description: `Image ${TO_MAKE_FROM}`,
				},
				{
					name: 'video_url',
					label: 'Video URL',
					type: 'url',
					media: 'video',
					presence: 'optional',
					requiredWhen: { mode: ['video-to-video'] },
					placeholder: 'https://example.com/clip.mp4',
					description: `Video ${TO_MAKE_FROM}`,
				},
				lengths('5', '10', '15'),
				resolution('720p', '1080p'),
			],
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
		description: 'Another version; requests are not documented',
	},
	status: { openPoint: 'vidEStatusPath', of: 'Family E' },
	creations: [
		{
			path: { openPoint: 'vidEPath', of: 'Family E' },
			modes: [
				{ ...TEXT_TO_VIDEO, label: 'Text to Video (T2V)' },
				{ ...IMAGE_TO_VIDEO, label: 'Image to Video (I2V)' },
				{
					operation: 'videoEdit',
					label: 'Video Edit',
					action: 'Edit a video',
					from: 'a video by editing it',
				},
				{
					operation: 'referenceToVideo',
					label: 'Reference to Video (R2V)',
					action: 'Make a video from references',
					from: 'references',
				},
			],
			fields: [REQUEST_FIELDS],
			price: { shown: false },
		},
	],
};
