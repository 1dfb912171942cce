import { shownValue, toggle } from '../fields';
import type { Rate, RateCondition } from '../types';
import {
	directoryOptin,
	GENERATE,
	IMAGE_TO_VIDEO,
	imageUrls,
	lengths,
	optinDiscount,
	PROMPT,
	ratio,
	RATIOS,
	shownRatio,
	sound,
	TEXT_TO_VIDEO,
	type VideoFamily,
} from './family';

/** Credits for a second, without and with sound. */
const STANDARD = [20, 30] as const;
const PRO = [27, 40] as const;

const perSecond = (when: RateCondition, [silent, withSound]: readonly [number, number]): Rate[] => [
	{ when: { ...when, sound: [false] }, credits: silent },
	{ when: { ...when, sound: [true] }, credits: withSound },
];

const IS_PRO = { qualityMode: ['pro'] };

/** As far as is documented, any other value may name either tier. */
const IS_OTHER = { qualityMode: { not: ['pro'] } };
const STANDARD_TIER_DOUBT = 'The value that names the standard tier is not documented';

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
			path: '/vidB30/api/generate/',
			modes: [GENERATE],
			fields: [
				PROMPT,
				shownValue('generationMode', 'Generation Mode', 'text_to_video', {
					description: 'What the video is made from; there is an image mode, too',
				}),
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
					min: 3,
					max: 15,
					start: 5,
					description: 'Length of the video',
				},
				shownValue('qualityMode', 'Quality', 'pro', {
					description: 'Quality of the video; there is a cheaper standard tier, too',
				}),
				shownRatio('aspectRatio'),
				sound('sound', { presence: 'expected' }),
				directoryOptin(),
				toggle('multiShots', 'Multi Shots', {
					start: true,
					description: 'Whether the prompt describes several shots',
				}),
			],
			price: {
				shown: true,
				rates: [
					...perSecond(IS_PRO, PRO),
					...[...perSecond(IS_OTHER, STANDARD), ...perSecond(IS_OTHER, PRO)].map((rate) => ({
						...rate,
						doubt: STANDARD_TIER_DOUBT,
					})),
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
		description: 'Landscape, portrait or square, from text or images, with or without sound',
	},
	status: { openPoint: 'vidB26StatusPath', of: 'Family B 2.6' },
	creations: [
		{
			path: '/vidB26/api/generate/',
			modes: [
				{ ...TEXT_TO_VIDEO, fixed: { generationMode: 'text_to_video' } },
				{
					...IMAGE_TO_VIDEO,
					fixed: { generationMode: 'image_to_video' },
					fields: [imageUrls('imageUrls', { presence: 'required' })],
				},
			],
			fields: [
				PROMPT,
				lengths('5', '10'),
				ratio('aspectRatio', [...RATIOS, { value: '1:1', label: '1:1 (Square)' }]),
				sound('sound', { default: false, upFront: true }),
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
