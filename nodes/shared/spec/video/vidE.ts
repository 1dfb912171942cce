import type { Operation, Resource } from '../types';
import { creationsOf, IMAGE_TO_VIDEO, openStatus, TEXT_TO_VIDEO, VIDEO_TO_VIDEO } from './families';
import { choice, PROMPT, seconds } from './fields';
import { openStatusOperations } from './openStatus';

/** Section "Family-E video, version 2.6". */
export const VID_E26: Resource = { value: 'vidE26', label: 'Family E 2.6 (vidE26)' };

export const VID_E26_OPERATIONS: readonly Operation[] = [
	...creationsOf(
		{
			resource: VID_E26,
			path: '/vidE26/generate/',
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
			status: openStatus('vidE26StatusPath'),
		},
		[
			{ ...TEXT_TO_VIDEO, fixed: { mode: 'text-to-video' } },
			{ ...IMAGE_TO_VIDEO, fixed: { mode: 'image-to-video' } },
			{ ...VIDEO_TO_VIDEO, fixed: { mode: 'video-to-video' } },
		],
	),
	...openStatusOperations(VID_E26.value, 'vidE26StatusPath'),
];

/** The further version: that it exists, and its modes, is all that is shown. */
export const VID_E: Resource = { value: 'vidE', label: 'Family E, Further Version' };

export const VID_E_OPERATIONS: readonly Operation[] = [
	...creationsOf(
		{
			resource: VID_E,
			path: { openPoint: 'vidEPath' },
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
			status: openStatus('vidEStatusPath'),
		},
		[
			{ ...TEXT_TO_VIDEO, label: 'Text to Video (T2V)' },
			{ ...IMAGE_TO_VIDEO, label: 'Image to Video (I2V)' },
			{ operation: 'videoEdit', label: 'Video Edit', from: 'a video by editing it' },
			{
				operation: 'referenceToVideo',
				label: 'Reference to Video (R2V)',
				from: 'references',
			},
		],
	),
	...openStatusOperations(VID_E.value, 'vidEStatusPath'),
];
