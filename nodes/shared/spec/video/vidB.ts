import { more, number, payload, required, shownValue, toggle } from '../field';
import type { Price } from '../operation';
import {
	GENERATE,
	IMAGE_TO_VIDEO,
	images,
	LANDSCAPE,
	lengths,
	optin,
	optinDiscount,
	PORTRAIT,
	PROMPT,
	ratio,
	sound,
	TEXT_TO_VIDEO,
	TO_MAKE_FROM,
	UNPUBLISHED,
	type VideoFamily,
} from './family';

/** Section "Family-B video, version 3.0". */
export const VID_B30: VideoFamily = {
	resource: {
		value: 'vidB30',
		label: 'Family B 3.0',
		description: 'Any length, several shots, with or without sound',
	},
	status: { openPoint: 'vidB30StatusPath', of: 'Family B 3.0' },
	creations: [
		{
			...GENERATE,
			path: '/vidB30/api/generate/',
			fields: [
				PROMPT,
				shownValue('generationMode', 'Generation Mode', 'text_to_video', {
					description: 'What the video is made from; there is an image mode, too',
				}),
				number('durationSeconds', 'Duration (Seconds)', {
					min: 3,
					max: 15,
					isWhole: true,
					start: 5,
					description: 'Length of the video',
				}),
				shownValue('qualityMode', 'Quality', 'pro', {
					description: 'Quality of the video; there is a cheaper standard tier, too',
				}),
				shownValue('aspectRatio', 'Aspect Ratio', '16:9', { description: 'Width to height' }),
				sound('sound'),
				optin(),
				more(
					toggle('multiShots', 'Multi Shots', {
						start: true,
						description: 'Whether the prompt describes several shots',
					}),
				),
				more(
					payload('payload', 'Further Fields', {
						description: 'Fields that the image mode needs; the service does not document them',
					}),
				),
			],
			price: {
				rows: [
					[{ sound: [false] }, 27],
					[{ sound: [true] }, 40],
				],
				times: 'durationSeconds',
				exactWhen: { qualityMode: ['pro'], ...UNPUBLISHED },
				doubt:
					'less in the standard tier (20, with Sound 30), whose name is not documented, and by an unknown amount if published',
			},
		},
	],
};

const FIELDS_B26 = [
	lengths('5', '10'),
	ratio('aspectRatio', LANDSCAPE, PORTRAIT, { value: '1:1', label: '1:1 (Square)' }),
	sound('sound', { byDefault: false }),
	optin(),
];

const PRICE_B26: Price = {
	rows: [
		[{ duration: ['5'], sound: [false] }, 55],
		[{ duration: ['10'], sound: [false] }, 110],
		[{ duration: ['5'], sound: [true] }, 110],
		[{ duration: ['10'], sound: [true] }, 220],
	],
	extras: [optinDiscount(10)],
};

/** Section "Family-B video, version 2.6". */
export const VID_B26: VideoFamily = {
	resource: {
		value: 'vidB26',
		label: 'Family B 2.6',
		description: 'Landscape, portrait or square, from text or images, with or without sound',
	},
	status: { openPoint: 'vidB26StatusPath', of: 'Family B 2.6' },
	creations: [
		{
			...TEXT_TO_VIDEO,
			path: '/vidB26/api/generate/',
			fixed: { generationMode: 'text_to_video' },
			fields: [PROMPT, ...FIELDS_B26],
			price: PRICE_B26,
		},
		{
			...IMAGE_TO_VIDEO,
			path: '/vidB26/api/generate/',
			fixed: { generationMode: 'image_to_video' },
			fields: [
				required(images('imageUrls', { description: `Images ${TO_MAKE_FROM}` })),
				PROMPT,
				...FIELDS_B26,
			],
			price: PRICE_B26,
		},
	],
};
