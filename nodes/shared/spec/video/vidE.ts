import { IMAGE_TO_VIDEO, TEXT_TO_VIDEO, VIDEO_TO_VIDEO, type VideoFamily } from './family';
import { choice, PROMPT, seconds } from './fields';

/** Section "Family-E video, version 2.6". */
export const VID_E26: VideoFamily = {
	resource: { value: 'vidE26', label: 'Family E 2.6 (vidE26)' },
	status: { setting: 'vidE26StatusPath', of: 'Family E 2.6' },
	creations: [
		{
			path: '/vidE26/generate/',
			modes: [
				{ ...TEXT_TO_VIDEO, fixed: { mode: 'text-to-video' } },
				{ ...IMAGE_TO_VIDEO, fixed: { mode: 'image-to-video' } },
				{ ...VIDEO_TO_VIDEO, fixed: { mode: 'video-to-video' } },
			],
			fields: [
				PROMPT,
				{
					name: 'image_url',
					label: 'Image URL',
					type: 'url',
					presence: 'optional',
					requiredWhen: { mode: ['image-to-video'] },
				},
				{
					name: 'video_url',
					label: 'Video URL',
					type: 'url',
					presence: 'optional',
					requiredWhen: { mode: ['video-to-video'] },
				},
				choice('duration', 'Duration', seconds('5', '10', '15')),
				choice('resolution', 'Resolution', ['720p', '1080p']),
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
	resource: { value: 'vidE', label: 'Family E, Further Version' },
	status: { setting: 'vidEStatusPath', of: 'Family E, Further Version' },
	creations: [
		{
			path: { setting: 'vidEPath', of: 'Family E, Further Version' },
			modes: [
				{ ...TEXT_TO_VIDEO, label: 'Text to Video (T2V)' },
				{ ...IMAGE_TO_VIDEO, label: 'Image to Video (I2V)' },
				{ operation: 'videoEdit', label: 'Video Edit', from: 'a video by editing it' },
				{
					operation: 'referenceToVideo',
					label: 'Reference to Video (R2V)',
					from: 'references',
				},
			],
			fields: [
				{
					name: 'payload',
					label: 'Payload',
					type: 'fields',
					presence: 'required',
					description:
						'The body of the request, its mode included; the service does not document it',
				},
			],
			price: { shown: false },
		},
	],
};
