import { TASK_RESULT } from '../../nodes/shared/spec/answers.ts';
import {
	area,
	asked,
	choice,
	more,
	number,
	payload,
	required,
} from '../../nodes/shared/spec/field.ts';
import { links } from '../../nodes/shared/spec/file.ts';
import { resource } from '../../nodes/shared/spec/operation.ts';
import {
	mode,
	sound,
	TEXT_TO_VIDEO,
	type VideoFamily,
} from '../../nodes/shared/spec/video/family.ts';

const FINE = { model: ['fine'] };

/** Made up. Where the document shows no `status` path, leave it out: the credential then has a setting for it. */
export const VID_Z: VideoFamily = {
	resource: resource('vidZ', 'Family Z', 'Two styles, 3 to 15 s'),
	status: { path: '/vidZ/status/{task_id}/', idField: 'task_id', urlFields: { video: 'url' } },
	creations: [
		{
			...TEXT_TO_VIDEO,
			path: '/vidZ/generate/',
			fixed: { mode: 'text' },
			fields: [
				required(area('prompt', 'Prompt', 'What happens', { max: 300 })),
				choice('model', 'Model', 'Speed or quality', ['fast', 'fine']),
				asked(number('seconds', 'Seconds', '', { min: 3, max: 15, isWhole: true })),
				links('frames', 'Frames', '', 'image', { max: 2, when: FINE }),
				...more(sound('sound', { byDefault: false })),
			],
			price: {
				rows: [
					[{ model: ['fast'] }, 20],
					[FINE, 27],
				],
				times: 'seconds',
				extras: [{ when: { sound: [true] }, credits: 200 }],
			},
			result: TASK_RESULT, // with `task_id` and `credits_charged`
			takes: [[{ model: ['fast'] }, 5, 20]],
		},
		{
			...mode('videoEdit', 'Video Edit', 'Edit a video'),
			path: { openPoint: 'vidZEditPath' },
			fields: [required(payload('payload', 'Payload', 'All fields'))],
		},
	],
};
