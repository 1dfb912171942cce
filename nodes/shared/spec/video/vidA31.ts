import { STATUS_FIELD, TASK_ID, TASK_RESULT } from '../answers';
import { choice, more, toggle } from '../field';
import {
	GENERATE,
	images,
	LANDSCAPE,
	MODELS_A,
	PORTRAIT,
	PROMPT,
	ratio,
	TO_MAKE_FROM,
	type VideoFamily,
	watermark,
} from './family';

/** Section "Family-A video". */
export const VID_A31: VideoFamily = {
	resource: {
		value: 'vidA31',
		label: 'Family A',
		description: 'First and last frame, 8 s, from text or images',
	},
	status: {
		path: `/vidA31/api/status/{${TASK_ID}}/`,
		idField: TASK_ID,
		stateField: STATUS_FIELD,
		urlFields: { video: 'video_url' },
	},
	creations: [
		{
			...GENERATE,
			path: '/vidA31/api/generate/',
			fields: [
				PROMPT,
				images('imageUrls', {
					max: 2,
					description: `Images ${TO_MAKE_FROM}, if any: first frame, and last frame if there are two`,
				}),
				choice('model', 'Model', MODELS_A, { description: 'Speed or quality' }),
				ratio('aspectRatio', LANDSCAPE, PORTRAIT, { value: 'Auto' }),
				watermark('watermark'),
				more(
					toggle('enableFallback', 'Enable Fallback', {
						byDefault: false,
						description:
							'Whether to fall back to another way for a 99% success rate, which costs more',
					}),
				),
				more(
					toggle('enableTranslation', 'Enable Translation', {
						start: true,
						description: 'Whether to translate the prompt to English automatically',
					}),
				),
			],
			price: {
				rows: [
					[{ model: ['modelA_fast'] }, 100],
					[{ model: ['modelA'] }, 250],
				],
				extras: [{ when: { enableFallback: [true] }, credits: 200 }],
			},
			result: TASK_RESULT,
			takes: [
				[{ model: ['modelA_fast'] }, 30, 45],
				[{ model: ['modelA'] }, 45, 60],
			],
		},
	],
};
