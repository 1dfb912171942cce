import { STATUS_FIELD, TASK_ID, TASK_RESULT } from '../answers';
import { choice, toggle } from '../fields';
import {
	GENERATE,
	imageUrls,
	MODELS_A,
	PROMPT,
	ratio,
	RATIOS,
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
		enveloped: true,
		idField: TASK_ID,
		stateField: STATUS_FIELD,
		urlFields: { video: 'video_url' },
	},
	creations: [
		{
			path: '/vidA31/api/generate/',
			modes: [GENERATE],
			fields: [
				PROMPT,
				imageUrls('imageUrls', {
					description: `Images ${TO_MAKE_FROM}, if any: first frame, and last frame if there are two`,
					minItems: 1,
					maxItems: 2,
				}),
				choice('model', 'Model', MODELS_A, { description: 'Speed or quality' }),
				ratio('aspectRatio', [...RATIOS, { value: 'Auto' }]),
				watermark('watermark'),
				toggle('enableFallback', 'Enable Fallback', {
					default: false,
					description:
						'Whether to fall back to another way for a 99% success rate, which costs more',
				}),
				toggle('enableTranslation', 'Enable Translation', {
					start: true,
					description: 'Whether to translate the prompt to English automatically',
				}),
			],
			price: {
				shown: true,
				rates: [
					{ when: { model: ['modelA_fast'] }, credits: 100 },
					{ when: { model: ['modelA'] }, credits: 250 },
				],
				surcharges: [{ when: { enableFallback: [true] }, credits: 200 }],
			},
			modelField: 'model',
			result: TASK_RESULT,
			typicalSeconds: [
				{ when: { model: ['modelA_fast'] }, from: 30, to: 45 },
				{ when: { model: ['modelA'] }, from: 45, to: 60 },
			],
		},
	],
};
