import type { Adjustment, Field, Option } from '../types';

/** Fields that several model families have, each with its own name in the service. */

export const PROMPT: Field = {
	name: 'prompt',
	label: 'Prompt',
	type: 'textarea',
	presence: 'required',
	description: 'What happens in the video, in words',
};

/** Watermark text of standard video and family A (section "Limits"). */
export const watermark = (name: string): Field => ({
	name,
	label: 'Watermark Text',
	type: 'text',
	presence: 'optional',
	maxLength: 50,
	description: 'Text that is shown in the video',
});

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
	...more,
});

export const seconds = (...values: string[]): Option[] =>
	values.map((value) => ({ value, label: `${value} Seconds` }));

const DIRECTORY_OPTIN = 'prompt_directory_optin';

/** Publishes the prompt for a discount. */
export const directoryOptin = (more: Partial<Field> = {}): Field => ({
	name: DIRECTORY_OPTIN,
	label: 'Publish in Prompt Directory',
	type: 'toggle',
	presence: 'optional',
	description: 'Whether the video may be shared in a public prompt directory',
	warning: 'When on, everybody can read your prompt',
	...more,
});

/** @param credits what it saves; `null` where the document does not tell */
export const optinDiscount = (credits: number | null, from?: number): Adjustment => ({
	when: { [DIRECTORY_OPTIN]: [true] },
	credits,
	...(from === undefined ? {} : { from }),
});
