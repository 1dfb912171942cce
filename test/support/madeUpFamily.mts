import type { Catalog, CreateOperation, Field, Price } from '../../nodes/shared/spec/types.ts';
import { GENERATION_RESULT } from '../../nodes/shared/spec/records.ts';
import { GENERATION_STATUS } from '../../nodes/shared/spec/jobs.ts';

/**
 * A model family that no service has: one table, with every kind of rule the document knows.
 * Tests that use it prove that a table is all a new family needs.
 */

const select = (
	name: string,
	label: string,
	values: string[],
	more: Partial<Field> = {},
): Field => ({
	name,
	label,
	type: 'select',
	presence: 'expected',
	options: values.map((value) => ({ value })),
	...more,
});

const fields: Field[] = [
	{ name: 'prompt', label: 'Prompt', type: 'textarea', presence: 'required', maxLength: 40 },
	select('mode', 'Mode', ['text', 'image']),
	select('resolution', 'Resolution', ['low', 'high'], { presence: 'required' }),
	{ name: 'seconds', label: 'Seconds', type: 'integer', presence: 'required', min: 3, max: 15 },
	{
		name: 'image_url',
		label: 'Image URL',
		type: 'url',
		presence: 'optional',
		requiredWhen: { mode: ['image'] },
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
	{
		name: 'boost',
		label: 'Boost',
		type: 'toggle',
		presence: 'optional',
		default: false,
	},
	{
		name: 'share',
		label: 'Share',
		type: 'toggle',
		presence: 'optional',
		warning: 'Publishes the prompt',
	},
	{
		name: 'frames',
		label: 'Frames',
		type: 'urlList',
		presence: 'optional',
		minItems: 1,
		maxItems: 2,
		appliesWhen: { resolution: ['high'] },
	},
	select('style', 'Style', ['plain'], { presence: 'optional', openValues: true }),
	{ name: 'from_s', label: 'From', type: 'number', presence: 'optional', min: 0 },
	{ name: 'to_s', label: 'To', type: 'number', presence: 'optional', min: 0 },
];

const price: Price = {
	shown: true,
	rates: [
		{ when: { resolution: ['low'] }, credits: 2 },
		{ when: { resolution: ['high'] }, credits: 5 },
	],
	perUnitOf: 'seconds',
	surcharges: [{ when: { boost: [true] }, credits: 20 }],
	discounts: [{ when: { share: [true] }, credits: 10, from: 28 }],
};

export const MADE_UP_OPERATION: CreateOperation = {
	kind: 'create',
	resource: 'madeUp',
	operation: 'generate',
	label: 'Generate',
	action: 'Generate a made up video',
	description: 'Make a video that does not exist',
	method: 'POST',
	path: '/madeUp/api/generate/',
	fields,
	rules: [{ kind: 'after', later: 'to_s', earlier: 'from_s' }],
	mediaType: 'video',
	price,
	result: GENERATION_RESULT,
	status: { route: GENERATION_STATUS },
};

export const MADE_UP_CATALOG: Catalog = {
	resources: [{ value: 'madeUp', label: 'Made Up' }],
	operations: [MADE_UP_OPERATION],
};
