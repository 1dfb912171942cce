import { STATUS_FIELD, TASK_ID, TASK_RESULT } from '../records';
import { GENERATE, type VideoFamily } from './family';
import { choice, imageUrls, PROMPT, switchField, watermark } from './fields';

/** Section "Family-A video". */
export const VID_A31: VideoFamily = {
	resource: { value: 'vidA31', label: 'Family A (vidA31)' },
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
				choice('model', 'Model', [
					{ value: 'modelA_fast', label: 'Fast (modelA_fast)' },
					{ value: 'modelA', label: 'Quality (modelA)' },
				]),
				choice('aspectRatio', 'Aspect Ratio', ['16:9', '9:16', 'Auto']),
				imageUrls('imageUrls', {
					label: 'Frame Image URLs',
					description: 'First frame, and last frame if there are two',
					minItems: 1,
					maxItems: 2,
				}),
				watermark('watermark'),
				switchField('enableFallback', 'Enable Fallback', {
					default: false,
					description: 'Whether to fall back for a 99% success rate',
				}),
				switchField('enableTranslation', 'Enable Translation', {
					description: 'Whether the prompt is translated to English automatically',
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
