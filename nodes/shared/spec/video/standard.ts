import { GENERATION_STATUS } from '../jobs';
import { GENERATION_RESULT } from '../records';
import { GENERATE, type VideoFamily } from './family';
import { choice, directoryOptin, imageUrls, optinDiscount, PROMPT, watermark } from './fields';

/** Section "Standard video". */
export const STANDARD_VIDEO: VideoFamily = {
	resource: { value: 'standardVideo', label: 'Standard Video' },
	status: GENERATION_STATUS,
	creations: [
		{
			path: '/api/v1/generate/video/',
			modes: [GENERATE],
			fields: [
				PROMPT,
				choice('video_model', 'Model', ['modelA_fast', 'modelA']),
				choice('aspect_ratio', 'Aspect Ratio', ['16:9', '9:16']),
				// On by default at the service: shown up front, so that nobody publishes unawares.
				directoryOptin({ presence: 'expected', default: true }),
				imageUrls('source_image_urls', { description: 'Images to make the video from' }),
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
