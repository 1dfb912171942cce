import type { Adjustment, Field, Option } from '../types';

/** Fields that several model families have, each with its own name in the service. */

export const PROMPT: Field = {
	name: 'prompt',
	label: 'Prompt',
	type: 'textarea',
	presence: 'required',
	placeholder: 'A paper boat drifts down a rainy street, camera close to the water',
	description: 'What happens in the video',
};

/** The whole request, where the document shows none of its fields. */
export const REQUEST_FIELDS: Field = {
	name: 'payload',
	label: 'Request Fields',
	type: 'fields',
	presence: 'required',
	description:
		'All fields of the request, with the names that the service has for them; it does not document them',
};

/** Watermark text of standard video and family A (section "Limits"). */
export const watermark = (name: string): Field => ({
	name,
	label: 'Watermark Text',
	type: 'text',
	presence: 'optional',
	maxLength: 50,
	placeholder: '© Example Studio',
	description: 'Text to show in the video',
});

/** The models of standard video and family A. */
export const MODELS_A: readonly Option[] = [
	{ value: 'modelA_fast', label: 'Fast (modelA_fast)' },
	{ value: 'modelA', label: 'Quality (modelA)' },
];

const LANDSCAPE: Option = { value: '16:9', label: '16:9 (Landscape)' };

/** Ratios of width to height that several families have. */
export const RATIOS: readonly Option[] = [LANDSCAPE, { value: '9:16', label: '9:16 (Portrait)' }];

/** The only ratio that is shown, where there may be others. */
export const SHOWN_RATIO: readonly Option[] = [LANDSCAPE];

/** A field that takes one of several values. */
export const choice = (
	name: string,
	label: string,
	values: ReadonlyArray<string | Option>,
	more: Partial<Field> = {},
): Field => ({
	name,
	label,
	type: 'select',
	presence: 'expected',
	options: values.map((value) => (typeof value === 'string' ? { value } : value)),
	...more,
});

/** Values whose labels are the same words, each with a capital. */
export const named = (...values: string[]): Option[] =>
	values.map((value) => ({ value, label: value.charAt(0).toUpperCase() + value.slice(1) }));

export const switchField = (name: string, label: string, more: Partial<Field> = {}): Field => ({
	name,
	label,
	type: 'toggle',
	presence: 'optional',
	...more,
});

export const imageUrls = (name: string, more: Partial<Field> = {}): Field => ({
	name,
	label: 'Image URLs',
	type: 'urlList',
	presence: 'optional',
	upFront: true,
	placeholder: 'https://example.com/first.png',
	...more,
});

export const seconds = (...values: string[]): Option[] =>
	values.map((value) => ({ value, label: `${value} s` }));

const DIRECTORY_OPTIN = 'prompt_directory_optin';

/**
 * Publishes the prompt for a discount. Up front, so that nobody publishes unawares; what the form
 * says is sent.
 */
export const directoryOptin = (more: Partial<Field> = {}): Field => ({
	name: DIRECTORY_OPTIN,
	label: 'Publish in Prompt Directory',
	type: 'toggle',
	presence: 'optional',
	upFront: true,
	description: 'Whether the service may share prompt and video in its public directory',
	warning: "Your prompt and video become public in the service's directory.",
	...more,
});

/** @param credits what it saves; `null` where the document does not tell */
export const optinDiscount = (credits: number | null, from?: number): Adjustment => ({
	when: { [DIRECTORY_OPTIN]: [true] },
	credits,
	...(from === undefined ? {} : { from }),
});
