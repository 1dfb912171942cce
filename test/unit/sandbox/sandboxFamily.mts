import type { Catalog, CreateOperation } from '../../../nodes/shared/spec/types.ts';

const RESOURCE = { value: 'vidZ99', label: 'Video Z 9.9' };

const shared = {
	kind: 'create',
	resource: RESOURCE.value,
	method: 'POST',
	path: '/vidZ99/generate/',
	mediaType: 'video',
	modelField: 'model',
	result: {
		idField: 'task_id',
		creditsField: 'credits_charged',
		fields: ['status', 'model', 'estimated_time'],
	},
	status: {
		route: {
			path: '/vidZ99/status/{task_id}/',
			enveloped: true,
			idField: 'task_id',
			urlFields: { video: 'video_url' },
		},
	},
} as const;

const prompt = {
	name: 'prompt',
	label: 'Prompt',
	type: 'textarea',
	presence: 'required',
	maxLength: 20,
} as const;

/** Text to video: priced by the second, with a surcharge, a discount and a field for one model. */
const FROM_TEXT: CreateOperation = {
	...shared,
	operation: 'textToVideo',
	label: 'Text to Video',
	action: 'Make a video from text',
	description: 'Make a video from text',
	fixed: { mode: 'text' },
	fields: [
		prompt,
		{
			name: 'model',
			label: 'Model',
			type: 'select',
			presence: 'optional',
			default: 'fast',
			options: [{ value: 'fast' }, { value: 'fine' }],
		},
		{
			name: 'seconds',
			label: 'Seconds',
			type: 'integer',
			presence: 'required',
			min: 3,
			max: 15,
		},
		{
			name: 'weight',
			label: 'Weight',
			type: 'number',
			presence: 'optional',
			min: 0,
			max: 1,
			step: 0.01,
		},
		{ name: 'sound', label: 'Sound', type: 'toggle', presence: 'optional', default: false },
		{
			name: 'grain',
			label: 'Grain',
			type: 'text',
			presence: 'optional',
			appliesWhen: { model: ['fine'] },
		},
		{
			name: 'share',
			label: 'Share',
			type: 'toggle',
			presence: 'optional',
			default: false,
			warning: 'The video is published',
		},
	],
	price: {
		shown: true,
		perUnitOf: 'seconds',
		rates: [
			{ when: { model: ['fast'] }, credits: 20 },
			{ when: { model: ['fine'] }, credits: 27 },
		],
		surcharges: [{ when: { sound: [true] }, credits: 200 }],
		discounts: [{ when: { share: [true] }, credits: 10 }],
	},
};

/** Image to video at the same path: lists of URLs and rules over several fields. */
const FROM_IMAGES: CreateOperation = {
	...shared,
	operation: 'imageToVideo',
	label: 'Image to Video',
	action: 'Make a video from images',
	description: 'Make a video from images',
	fixed: { mode: 'images' },
	fields: [
		prompt,
		{
			name: 'urls',
			label: 'Images',
			type: 'urlList',
			presence: 'optional',
			minItems: 1,
			maxItems: 2,
		},
		{ name: 'sketch', label: 'Sketch', type: 'url', presence: 'optional' },
		{
			name: 'style',
			label: 'Style',
			type: 'select',
			presence: 'expected',
			options: [{ value: 'plain' }, { value: 'painted' }],
			openValues: true,
		},
		{
			name: 'painter',
			label: 'Painter',
			type: 'text',
			presence: 'optional',
			requiredWhen: { style: ['painted'] },
		},
		{ name: 'start', label: 'Start', type: 'number', presence: 'optional', min: 0 },
		{ name: 'end', label: 'End', type: 'number', presence: 'optional', min: 0 },
	],
	rules: [
		{ kind: 'oneOf', fields: ['urls', 'sketch'] },
		{ kind: 'with', field: 'end', given: 'start' },
		{ kind: 'after', later: 'end', earlier: 'start' },
	],
	price: { shown: true, rates: [{ credits: 55 }] },
};

/** A model family that the service does not have, with every kind of field and rule. */
export const MADE_UP_FAMILY: Catalog = {
	resources: [RESOURCE],
	operations: [FROM_TEXT, FROM_IMAGES],
};
