import { GENERATE, IMAGE_TO_VIDEO, TEXT_TO_VIDEO, type VideoFamily } from './family';
import {
	choice,
	directoryOptin,
	imageUrls,
	optinDiscount,
	PROMPT,
	RATIOS,
	seconds,
	SHOWN_RATIO,
	switchField,
} from './fields';

const STANDARD_TIER_DOUBT = 'The value that names the standard tier is not documented';

/** Section "Family-B video, version 3.0". */
export const VID_B30: VideoFamily = {
	resource: {
		value: 'vidB30',
		label: 'Family B 3.0',
		description: 'With or without sound',
	},
	status: { setting: 'vidB30StatusPath', of: 'Family B 3.0' },
	creations: [
		{
			path: '/vidB30/api/generate/',
			modes: [GENERATE],
			fields: [
				PROMPT,
				choice(
					'generationMode',
					'Generation Mode',
					[{ value: 'text_to_video', label: 'Text to Video' }],
					{
						openValues: true,
						description: 'The service does not document the value of its image mode',
					},
				),
				{
					name: 'payload',
					label: 'Fields of the Mode',
					type: 'fields',
					presence: 'expected',
					appliesWhen: { generationMode: { not: ['text_to_video'] } },
					description: 'Further fields of the mode, such as images; they are not documented',
				},
				{
					name: 'durationSeconds',
					label: 'Duration (Seconds)',
					type: 'integer',
					presence: 'expected',
					length: true,
					min: 3,
					max: 15,
					start: 5,
					description: 'Length of the video',
				},
				choice('qualityMode', 'Quality Mode', [{ value: 'pro', label: 'Pro' }], {
					openValues: true,
					description: 'A cheaper standard tier exists; the service does not document its value',
				}),
				choice('aspectRatio', 'Aspect Ratio', SHOWN_RATIO, {
					openValues: true,
					description: 'Width to height',
				}),
				switchField('sound', 'Sound', {
					presence: 'expected',
					description: 'Whether the video has sound',
				}),
				directoryOptin(),
				switchField('multiShots', 'Multi Shots', {
					start: true,
					description: 'Whether the prompt describes several shots',
				}),
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
	resource: {
		value: 'vidB26',
		label: 'Family B 2.6',
		description: 'With or without sound',
	},
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
				imageUrls('imageUrls', {
					requiredWhen: { generationMode: ['image_to_video'] },
					description: 'Images to make the video from',
				}),
				choice('duration', 'Duration (Seconds)', seconds('5', '10'), {
					length: true,
					description: 'Length of the video',
				}),
				choice(
					'aspectRatio',
					'Aspect Ratio',
					[...RATIOS, { value: '1:1', label: '1:1 (Square)' }],
					{
						description: 'Width to height',
					},
				),
				switchField('sound', 'Sound', {
					default: false,
					upFront: true,
					description: 'Whether the video has sound',
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
