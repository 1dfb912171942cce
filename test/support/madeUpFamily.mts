import { TASK_RESULT } from '../../nodes/shared/spec/answers.ts';
import { choice, shownValue } from '../../nodes/shared/spec/fields.ts';
import {
	directoryOptin,
	IMAGE_TO_VIDEO,
	imageUrls,
	optinDiscount,
	PROMPT,
	sound,
	TEXT_TO_VIDEO,
	type VideoFamily,
} from '../../nodes/shared/spec/video/family.ts';

/** Made up, with every kind of rule that a family can have. */
export const VID_Z: VideoFamily = {
	resource: { value: 'vidZ', label: 'Family Z', description: 'Two styles' },
	// Where it is not documented: { openPoint: 'vidZStatusPath', of: 'Family Z' }. Then its jobs are
	// looked for, and the credential has a setting for the path.
	status: {
		path: '/vidZ/status/{task_id}/',
		enveloped: true,
		idField: 'task_id',
		stateField: 'status',
		urlFields: { video: 'video_url' },
	},
	creations: [
		{
			path: '/vidZ/generate/',
			// Each is an operation of the node. Both send this request, each with its own `mode`.
			modes: [
				{ ...TEXT_TO_VIDEO, fixed: { mode: 'text' } },
				{ ...IMAGE_TO_VIDEO, fixed: { mode: 'image' } },
			],
			// Names as the service has them, in the order of the form. Optional fields are in Additional
			// Fields unless they say `upFront: true`; the others are above.
			fields: [
				{ ...PROMPT, maxLength: 40 },
				choice('model', 'Model', ['fast', 'fine']),
				{
					name: 'seconds',
					label: 'Seconds',
					type: 'integer',
					presence: 'required',
					min: 3,
					max: 15,
				},
				{ name: 'image_url', label: 'Image URL', type: 'url', presence: 'optional' },
				imageUrls('frames', {
					label: 'Frames',
					minItems: 1,
					maxItems: 2,
					appliesWhen: { model: ['fine'] },
				}),
				choice('style', 'Style', ['plain', 'custom'], { presence: 'optional' }),
				{
					name: 'style_text',
					label: 'Style in Words',
					type: 'text',
					presence: 'optional',
					requiredWhen: { style: ['custom'] },
				},
				// Only one of its values is documented: a text that starts with it.
				shownValue('tempo', 'Tempo', 'calm', { description: 'How fast things move' }),
				{
					name: 'weight',
					label: 'Weight',
					type: 'number',
					presence: 'optional',
					min: 0,
					max: 1,
					step: 0.01,
				},
				sound('sound', { default: false }),
				{ name: 'loop_from', label: 'Loop From', type: 'number', presence: 'optional', min: 0 },
				{ name: 'loop_to', label: 'Loop To', type: 'number', presence: 'optional', min: 0 },
				directoryOptin(),
			],
			rules: [
				{ kind: 'oneOf', fields: ['image_url', 'frames'], when: { mode: ['image'] } },
				{ kind: 'with', field: 'loop_to', given: 'loop_from' },
				{ kind: 'after', later: 'loop_to', earlier: 'loop_from' },
			],
			// In credits; exactly one of the rates holds for a request.
			price: {
				shown: true,
				rates: [
					{ when: { model: ['fast'] }, credits: 20 },
					{ when: { model: ['fine'] }, credits: 27 },
				],
				perUnitOf: 'seconds',
				surcharges: [{ when: { sound: [true] }, credits: 200 }],
				discounts: [optinDiscount(10, 70)],
			},
			modelField: 'model',
			// The answer, where it is documented.
			result: TASK_RESULT,
			// How long it takes, where that is documented: the first poll waits for it.
			typicalSeconds: [
				{ when: { model: ['fast'] }, from: 5, to: 20 },
				{ when: { model: ['fine'] }, from: 20, to: 60 },
			],
		},
		{
			// Not documented: a setting of the credential carries the path, and the user gives the
			// names and values of the fields.
			path: { openPoint: 'vidZEditPath', of: 'Family Z Video Edit' },
			modes: [
				{
					operation: 'videoEdit',
					label: 'Video Edit',
					action: 'Edit a video',
				},
			],
			fields: [{ name: 'payload', label: 'Payload', type: 'fields', presence: 'required' }],
			price: { shown: false },
		},
	],
};
