import type { Field, Option } from '../types';

/** Section "Music catalog", model entries, with their remarks. */
export const MUSIC_MODELS: readonly Option[] = [
	{ value: 'V5_5', help: 'Newest; supports a custom duration' },
	{ value: 'V5', help: 'Better expression, faster generation' },
	{ value: 'V4_5PLUS', help: 'Richer sound, tracks up to 8 minutes' },
	{ value: 'V4_5ALL', help: 'Smart prompts, faster generations' },
	{ value: 'V4_5', help: 'Smart prompts, faster generations' },
	{ value: 'V4', help: 'Improved vocals, tracks up to 4 minutes' },
];

/** The field `model`; required in most operations, each with its default. */
export const model = (value: string, more: Partial<Field> = {}): Field => ({
	name: 'model',
	label: 'Model',
	type: 'select',
	presence: 'required',
	default: value,
	description: 'Version of the music model',
	options: MUSIC_MODELS,
	...more,
});
