import { GENERATE, IMAGE_TO_VIDEO, TEXT_TO_VIDEO, type VideoFamily } from './family';
import {
	choice,
	directoryOptin,
	imageUrls,
	optinDiscount,
	PROMPT,
	seconds,
	switchField,
} from './fields';

const STANDARD_TIER_DOUBT = 'The value that names the standard tier is not documented';

/** Section "Family-B video, version 3.0". */
export const VID_B30: VideoFamily = {
	resource: { value: 'vidB30', label: 'Family B 3.0 (vidB30)' },
	status: { setting: 'vidB30StatusPath', of: 'Family B 3.0' },
	creations: [
		{
			path: '/vidB30/api/generate/',
			modes: [GENERATE],
			fields: [
				PROMPT,
				choice('generationMode', 'Generation Mode', ['text_to_video'], {
					openValues: true,
					description: 'An image-to-video mode exists; the service does not document its value',
				}),
				{
					name: 'durationSeconds',
					label: 'Duration',
					type: 'integer',
					presence: 'expected',
					min: 3,
					max: 15,
					description: 'Seconds',
				},
				choice('qualityMode', 'Quality Mode', ['pro'], {
					openValues: true,
					description:
						'A standard tier exists, with lower prices; the service does not document its value',
				}),
				choice('aspectRatio', 'Aspect Ratio', ['16:9'], { openValues: true }),
				switchField('sound', 'Sound', {
					presence: 'expected',
					description: 'Whether the video has native audio',
				}),
				switchField('multiShots', 'Multi Shots', {
					description: 'Whether the prompt describes several shots',
				}),
				{
					name: 'payload',
					label: 'Fields of the Mode',
					type: 'fields',
					presence: 'expected',
					appliesWhen: { generationMode: { not: ['text_to_video'] } },
					description:
						'Further fields, such as the images of image-to-video; the service does not document them',
				},
				directoryOptin(),
			],
			price: {
				shown: true,
				rates: [
					{ when: { qualityMode: ['pro'], sound: [false] }, credits: 27 },
					{ when: { qualityMode: ['pro'], sound: [true] }, credits: 40 },
					{
						when: { qualityMode: { not: ['pro'] }, sound: [false] },
						credits: 20,
						doubt: STANDARD_TIER_DOUBT,
					},
					{
						when: { qualityMode: { not: ['pro'] }, sound: [true] },
						credits: 30,
						doubt: STANDARD_TIER_DOUBT,
					},
				],
				perUnitOf: 'durationSeconds',
				discounts: [optinDiscount(null)],
			},
		},
	],
};

/** Section "Family-B video, version 2.6". */
export const VID_B26: VideoFamily = {
	resource: { value: 'vidB26', label: 'Family B 2.6 (vidB26)' },
	status: { setting: 'vidB26StatusPath', of: 'Family B 2.6' },
	creations: [
		{
			path: '/vidB26/api/generate/',
			modes: [
				{ ...TEXT_TO_VIDEO, fixed: { generationMode: 'text_to_video' } },
				{ ...IMAGE_TO_VIDEO, fixed: { generationMode: 'image_to_video' } },
			],
			fields: [
				PROMPT,
				imageUrls('imageUrls', { requiredWhen: { generationMode: ['image_to_video'] } }),
				choice('duration', 'Duration', seconds('5', '10')),
				choice('aspectRatio', 'Aspect Ratio', ['16:9', '9:16', '1:1']),
				switchField('sound', 'Sound', {
					default: false,
					description: 'Whether the video has native audio, which doubles the cost',
				}),
				directoryOptin(),
			],
			price: {
				shown: true,
				rates: [
					{ when: { duration: ['5'], sound: [false] }, credits: 55 },
					{ when: { duration: ['10'], sound: [false] }, credits: 110 },
					{ when: { duration: ['5'], sound: [true] }, credits: 110 },
					{ when: { duration: ['10'], sound: [true] }, credits: 220 },
				],
				discounts: [optinDiscount(10)],
			},
		},
	],
};
