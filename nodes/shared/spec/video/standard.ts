import { GENERATION_RESULT, GENERATION_STATUS } from '../answers';
import { choice } from '../fields';
import {
	directoryOptin,
	GENERATE,
	imageUrls,
	MODELS_A,
	optinDiscount,
	PROMPT,
	ratio,
	RATIOS,
	type VideoFamily,
	watermark,
} from './family';

/** Section "Standard video". */
export const STANDARD_VIDEO: VideoFamily = {
	resource: {
		value: 'standardVideo',
		label: 'Standard Video',
		description: 'Start here: fully documented, from text or images',
	},
	short: 'Standard',
	status: GENERATION_STATUS,
	creations: [
		{
			path: '/api/v1/generate/video/',
			modes: [GENERATE],
			fields: [
				PROMPT,
				imageUrls('source_image_urls'),
				choice('video_model', 'Model', MODELS_A, { description: 'Speed or quality' }),
				ratio('aspect_ratio', RATIOS),
				directoryOptin({ presence: 'expected', default: true }),
				watermark('watermark_text'),
			],
			price: {
				shown: true,
				rates: [
					{ when: { video_model: ['modelA_fast'], aspect_ratio: ['16:9'] }, credits: 130 },
					{ when: { video_model: ['modelA_fast'], aspect_ratio: ['9:16'] }, credits: 150 },
					{ when: { video_model: ['modelA'] }, credits: 300 },
				],
				discounts: [optinDiscount(10)],
			},
			modelField: 'video_model',
			result: GENERATION_RESULT,
		},
	],
};
