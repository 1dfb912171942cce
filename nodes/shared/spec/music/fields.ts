import type { Field } from '../types';

/** Fields that several operations have (section "Music catalog", "Fields per operation"). */

type More = Partial<Field>;

export const text = (name: string, label: string, maxLength?: number, more: More = {}): Field => ({
	name,
	label,
	type: 'text',
	presence: 'optional',
	...(maxLength === undefined ? {} : { maxLength }),
	...more,
});

export const area = (name: string, label: string, maxLength?: number, more: More = {}): Field => ({
	...text(name, label, maxLength, more),
	type: 'textarea',
});

export const toggle = (name: string, label: string, value?: boolean, more: More = {}): Field => ({
	name,
	label,
	type: 'toggle',
	presence: 'optional',
	...(value === undefined ? {} : { default: value }),
	...more,
});

export const number = (name: string, label: string, more: More = {}): Field => ({
	name,
	label,
	type: 'number',
	presence: 'optional',
	...more,
});

/** A point in a track, in seconds; required wherever it occurs. */
export const secondsFromStart = (name: string, label: string, description: string): Field =>
	number(name, label, { presence: 'required', min: 0, description });

export const REQUIRED: More = { presence: 'required' };

export const prompt = (maxLength = 5000, more: More = {}) =>
	area('prompt', 'Prompt', maxLength, more);
export const title = (more: More = {}) => text('title', 'Title', 80, more);
export const style = (more: More = {}) => area('style', 'Style', 1000, more);
export const tags = (more: More = {}) =>
	area('tags', 'Tags', 1000, { description: 'Style of the music', ...more });
export const instrumental = (value?: boolean) =>
	toggle('instrumental', 'Instrumental', value, {
		description: 'Whether the track is without vocals',
	});
export const customMode = (value: boolean) =>
	toggle('custom_mode', 'Custom Mode', value, {
		description: 'Whether style, title and lyrics are set by you',
	});
export const defaultParams = toggle('default_param_flag', 'Own Parameters', true, {
	description:
		'Whether style and lyrics are set here; when off they are inherited from the original take',
});
export const continueAt = secondsFromStart(
	'continue_at',
	'Continue At',
	'Where the track is continued, in seconds from its start',
);

export const audioId = (more: More = {}) => text('audio_id', 'Audio ID', undefined, more);

/** A custom length. */
export const duration = (more: More = {}) =>
	number('duration', 'Duration', {
		min: 10,
		max: 360,
		description: 'Length in seconds; left out, the length is automatic',
		...more,
	});

/** A file field; which file is said by the name of a binary property or by a URL. */
export const upload = (name: string, label: string, more: More = {}): Field => ({
	name,
	label,
	type: 'upload',
	presence: 'required',
	...more,
});

export const source = (more: More = {}): Field => ({
	name: 'source',
	label: 'Source Job ID',
	type: 'source',
	presence: 'optional',
	description: 'The earlier job whose result this works on (jobId in its output)',
	...more,
});

export const negativeTags = text('negative_tags', 'Negative Tags', 500, {
	description: 'What the music must not sound like',
});
export const vocalGender: Field = {
	name: 'vocal_gender',
	label: 'Vocal Gender',
	type: 'select',
	presence: 'optional',
	options: [
		{ value: 'm', label: 'Male' },
		{ value: 'f', label: 'Female' },
	],
	description: 'A preference, not a guarantee',
};

const weight = (name: string, label: string) => number(name, label, { min: 0, max: 1, step: 0.01 });

export const WEIGHTS = [
	weight('style_weight', 'Style Weight'),
	weight('weirdness_constraint', 'Weirdness Constraint'),
	weight('audio_weight', 'Audio Weight'),
];

/** The shared tuning fields, TUNING in the document. */
export const TUNING: readonly Field[] = [negativeTags, vocalGender, ...WEIGHTS];
