import { GENERATION_RESULT, GENERATION_ROUTE } from '../answers';
import { choice } from '../field';
import { resource } from '../operation';
import {
	GENERATE,
	images,
	LANDSCAPE,
	MODELS_A,
	optin,
	optinDiscount,
	PORTRAIT,
	PROMPT,
	ratio,
	type VideoFamily,
	watermark,
} from './family';

/** Section "Standard video". */
export const STANDARD_VIDEO: VideoFamily = {
	resource: resource(
		'standardVideo',
		'Standard Video',
		'Start here: fully documented, from text or images',
	),
	short: 'Standard',
	status: GENERATION_ROUTE,
	creations: [
		{
			...GENERATE,
			path: '/api/v1/generate/video/',
			fields: [
				PROMPT,
				images('source_image_urls'),
				choice('video_model', 'Model', 'Speed or quality', MODELS_A),
				ratio('aspect_ratio', { ...LANDSCAPE, ...PORTRAIT }),
				optin({ byDefault: true }),
				watermark('watermark_text'),
			],
			price: {
				rows: [
					[{ video_model: ['modelA_fast'], aspect_ratio: ['16:9'] }, 130],
					[{ video_model: ['modelA_fast'], aspect_ratio: ['9:16'] }, 150],
					[{ video_model: ['modelA'] }, 300],
				],
				extras: [optinDiscount(10)],
			},
			result: GENERATION_RESULT,
		},
	],
};
