import { STATUS_FIELD, TASK_ID, TASK_RESULT } from '../answers';
import { choice, more, toggle } from '../field';
import { resource } from '../operation';
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

const FRAMES = `Images ${TO_MAKE_FROM}, if any: first frame, and last frame if there are two`;

/** Section "Family-A video". */
export const VID_A31: VideoFamily = {
	resource: resource('vidA31', 'Family A', 'First and last frame, 8 s, from text or images'),
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
				images('imageUrls', FRAMES, { max: 2 }),
				choice('model', 'Model', 'Speed or quality', MODELS_A),
				ratio('aspectRatio', { ...LANDSCAPE, ...PORTRAIT, Auto: 'Auto' }),
				watermark('watermark'),
				more(
					toggle(
						'enableFallback',
						'Enable Fallback',
						'Whether to fall back to another way for a 99% success rate, which costs more',
						{ byDefault: false },
					),
				),
				more(
					toggle(
						'enableTranslation',
						'Enable Translation',
						'Whether to translate the prompt to English automatically',
						{ start: true },
					),
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
