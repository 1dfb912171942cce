import { more, number, payload, required, shownValue, toggle } from '../field';
import { resource } from '../operation';
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
	SQUARE,
	TEXT_TO_VIDEO,
	TO_MAKE_FROM,
	UNPUBLISHED,
	type VideoFamily,
} from './family';

const B30_MODE = 'What the video is made from; there is an image mode, too';
const B30_QUALITY = 'Quality of the video; there is a cheaper standard tier, too';
const B30_FURTHER = 'Fields that the image mode needs; the service does not document them';
const B30_SHOTS = 'Whether the prompt describes several shots';

/** Section "Family-B video, version 3.0". */
export const VID_B30: VideoFamily = {
	resource: resource('vidB30', 'Family B 3.0', 'Any length, several shots, with or without sound'),
	creations: [
		{
			...GENERATE,
			path: '/vidB30/api/generate/',
			fields: [
				PROMPT,
				shownValue('generationMode', 'Generation Mode', B30_MODE, 'text_to_video'),
				number('durationSeconds', 'Duration (Seconds)', 'Length of the video', {
					min: 3,
					max: 15,
					isWhole: true,
					start: 5,
				}),
				shownValue('qualityMode', 'Quality', B30_QUALITY, 'pro'),
				shownValue('aspectRatio', 'Aspect Ratio', 'Width to height', '16:9'),
				sound('sound'),
				optin(),
				more(toggle('multiShots', 'Multi Shots', B30_SHOTS, { start: true })),
				more(payload('payload', 'Further Fields', B30_FURTHER)),
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
	ratio('aspectRatio', { ...LANDSCAPE, ...PORTRAIT, ...SQUARE }),
	sound('sound', { byDefault: false }),
	optin(),
];

/** What both modes of version 2.6 have in common. */
const B26 = {
	path: '/vidB26/api/generate/',
	price: {
		rows: [
			[{ duration: ['5'], sound: [false] }, 55],
			[{ duration: ['10'], sound: [false] }, 110],
			[{ duration: ['5'], sound: [true] }, 110],
			[{ duration: ['10'], sound: [true] }, 220],
		],
		extras: [optinDiscount(10)],
	},
} as const;

/** Section "Family-B video, version 2.6". */
export const VID_B26: VideoFamily = {
	resource: resource(
		'vidB26',
		'Family B 2.6',
		'Landscape, portrait or square, from text or images, with or without sound',
	),
	creations: [
		{
			...B26,
			...TEXT_TO_VIDEO,
			fixed: { generationMode: 'text_to_video' },
			fields: [PROMPT, ...FIELDS_B26],
		},
		{
			...B26,
			...IMAGE_TO_VIDEO,
			fixed: { generationMode: 'image_to_video' },
			fields: [required(images('imageUrls', `Images ${TO_MAKE_FROM}`)), PROMPT, ...FIELDS_B26],
		},
	],
};
