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
import { sound, TEXT_TO_VIDEO, type VideoFamily } from '../../nodes/shared/spec/video/family.ts';

/** Made up. */
export const VID_Z: VideoFamily = {
	resource: { value: 'vidZ', label: 'Family Z', description: 'Two styles, 3 to 15 s' },
	// Where the path is not shown: { openPoint: 'vidZStatusPath', of: 'Family Z' }, a setting of the credential.
	status: {
		path: '/vidZ/status/{task_id}/',
		idField: 'task_id',
		stateField: 'status',
		urlFields: { video: 'video_url' },
	},
	creations: [
		{
			...TEXT_TO_VIDEO,
			path: '/vidZ/generate/',
			fixed: { mode: 'text' },
			fields: [
				required(
					area('prompt', 'Prompt', {
						max: 300,
						placeholder: 'A paper boat',
						description: 'What happens',
					}),
				),
				choice('model', 'Model', ['fast', 'fine'], { description: 'Speed or quality' }),
				asked(number('seconds', 'Seconds', { min: 3, max: 15, isWhole: true })),
				links('frames', 'Frames', 'image', {
					max: 2,
					place: 'optional',
					when: { model: ['fine'] },
				}),
				more(sound('sound', { byDefault: false })),
			],
			price: {
				rows: [
					[{ model: ['fast'] }, 20],
					[{ model: ['fine'] }, 27],
				],
				times: 'seconds',
				extras: [{ when: { sound: [true] }, credits: 200 }],
			},
			// The answer has `task_id` and `credits_charged`.
			result: TASK_RESULT,
			takes: [[{ model: ['fast'] }, 5, 20]],
		},
		{
			operation: 'videoEdit',
			label: 'Video Edit',
			action: 'Edit a video',
			path: { openPoint: 'vidZEditPath', of: 'Family Z Video Edit' },
			fields: [required(payload('payload', 'Payload', { description: 'All fields' }))],
		},
	],
};
