import { statusOperations } from '../jobs';
import { STATUS_FIELD, TASK_ID, TASK_RESULT } from '../records';
import type { Operation, Resource, StatusRoute } from '../types';
import { creationsOf, GENERATE } from './families';
import { choice, imageUrls, PROMPT, switchField, watermark } from './fields';

/** Section "Family-A video". */
export const VID_A31: Resource = { value: 'vidA31', label: 'Family A (vidA31)' };

/** `GET /vidA31/api/status/{task_id}/`; answers `{ success, data }`. */
export const VID_A31_STATUS: StatusRoute = {
	path: `/vidA31/api/status/{${TASK_ID}}/`,
	enveloped: true,
	idField: TASK_ID,
	stateField: STATUS_FIELD,
	urlFields: { video: 'video_url' },
};

export const VID_A31_OPERATIONS: readonly Operation[] = [
	...creationsOf(
		{
			resource: VID_A31,
			path: '/vidA31/api/generate/',
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
			status: { route: VID_A31_STATUS },
			typicalSeconds: [
				{ when: { model: ['modelA_fast'] }, from: 30, to: 45 },
				{ when: { model: ['modelA'] }, from: 45, to: 60 },
			],
		},
		[GENERATE],
	),
	...statusOperations(VID_A31.value, VID_A31_STATUS),
];
