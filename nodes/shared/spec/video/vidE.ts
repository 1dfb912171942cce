import {
	choice,
	IMAGE_TO_VIDEO,
	lengths,
	PROMPT,
	REQUEST_FIELDS,
	TEXT_TO_VIDEO,
	VIDEO_TO_VIDEO,
	type VideoFamily,
} from './family';

/** Section "Family-E video, version 2.6". */
export const VID_E26: VideoFamily = {
	resource: { value: 'vidE26', label: 'Family E 2.6', description: 'From text, images or a video' },
	status: { setting: 'vidE26StatusPath', of: 'Family E 2.6' },
	creations: [
		{
			path: '/vidE26/generate/',
			modes: [
				{ ...TEXT_TO_VIDEO, fixed: { mode: 'text-to-video' } },
				{ ...IMAGE_TO_VIDEO, from: 'an image', fixed: { mode: 'image-to-video' } },
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
					description: 'The image to make the video from',
				},
				{
					name: 'video_url',
					label: 'Video URL',
					type: 'url',
					media: 'video',
					presence: 'optional',
					requiredWhen: { mode: ['video-to-video'] },
					placeholder: 'https://example.com/clip.mp4',
					description: 'The video to make another one from',
				},
				lengths('5', '10', '15'),
				choice('resolution', 'Resolution', ['720p', '1080p'], {
					description: 'Size of the picture',
				}),
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

/** The further version: that it exists, and its modes, is all that is shown. */
export const VID_E: VideoFamily = {
	resource: {
		value: 'vidE',
		label: 'Family E (Other Version)',
		description: 'Its requests are not documented',
	},
	short: 'Family E',
	status: { setting: 'vidEStatusPath', of: 'Family E (Other Version)' },
	creations: [
		{
			path: { setting: 'vidEPath', of: 'Family E (Other Version)' },
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
					action: 'Reference to video',
					from: 'references',
				},
			],
			fields: [REQUEST_FIELDS],
			price: { shown: false },
		},
	],
};
