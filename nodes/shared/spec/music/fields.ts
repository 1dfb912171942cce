import { listInWords } from '../conditions';
import { area, choice, number, text, toggle } from '../fields';
import type { Field, Option } from '../types';

/** Uploaded audio files (sections "Music catalog" and "Limits"). */

/** A format of files that the service takes. */
interface UploadFormat {
	label: string;
	/** MIME types that it is called by. */
	types: readonly string[];
	/** Extension of file names, without the dot. */
	extension: string;
}

export const UPLOAD_FORMATS: readonly UploadFormat[] = [
	{ label: 'MP3', types: ['audio/mpeg', 'audio/mp3'], extension: 'mp3' },
	{
		label: 'WAV',
		types: ['audio/wav', 'audio/x-wav', 'audio/wave', 'audio/vnd.wave'],
		extension: 'wav',
	},
];

/** `MP3 or WAV`. */
export const UPLOAD_FORMATS_IN_WORDS = listInWords(UPLOAD_FORMATS.map(({ label }) => label));

/** Ways to send a file, since the document shows none; the first applies unless the credential says otherwise. */
export const UPLOAD_MODES = [
	{
		value: 'multipart',
		label: 'Multipart Form',
		description: 'The file itself, in a form with the other fields as text',
	},
	{
		value: 'url',
		label: 'JSON with URL',
		description: 'The address of the file as a JSON text; the service fetches it',
	},
	{
		value: 'base64',
		label: 'JSON with Base64',
		description: 'The file itself as a JSON text in base64',
	},
] as const;

export type UploadMode = (typeof UPLOAD_MODES)[number]['value'];

/** The credential's property that says how a file is sent. */
export const UPLOAD_SETTING = { name: 'uploadAs', label: 'Upload Files As' } as const;

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

/** Fields that several operations have (section "Music catalog", "Fields per operation"). */

type More = Partial<Field>;

/** A point in a track, in seconds; required wherever it occurs, and known only to the user. */
export const secondsFromStart = (
	name: string,
	label: string,
	placeholder: string,
	description: string,
): Field =>
	number(name, `${label} (Seconds)`, { presence: 'required', min: 0, placeholder, description });

export const REQUIRED: More = { presence: 'required' };
export const UP_FRONT: More = { upFront: true };

export const prompt = (maxLength: number, more: More) =>
	area('prompt', 'Prompt', {
		maxLength,
		placeholder: 'A warm folk song about the first snow',
		description: 'What to make',
		...more,
	});
export const title = (more: More = {}) =>
	text('title', 'Title', {
		maxLength: 80,
		placeholder: 'First Snow',
		description: 'Name of the track',
		...more,
	});
export const style = (more: More = {}) =>
	area('style', 'Style', {
		maxLength: 1000,
		placeholder: 'Indie folk, soft female voice',
		description: 'Genre, instruments and mood',
		...more,
	});
export const tags = (more: More = {}) =>
	area('tags', 'Tags', {
		maxLength: 1000,
		placeholder: 'Indie folk, acoustic guitar, calm',
		description: 'Style of the music',
		...more,
	});
export const instrumental = (more: More = {}) =>
	toggle('instrumental', 'Instrumental', {
		description: 'Whether the track has no vocals. With your own lyrics, turn it off.',
		...more,
	});

/** How the form describes a text that holds the lyrics. */
export const LYRICS_TEXT = {
	label: 'Lyrics',
	placeholder: '[Verse]\nThe first snow falls…',
	description: 'The words to sing',
};

const CUSTOM = { custom_mode: [true] };

/**
 * What a track is made from: a prompt, or in custom mode lyrics, style and title. The document calls
 * all of them optional, but a request without any is charged, too.
 */
export const WHAT_TO_MAKE = {
	/** @param isCustom whether custom mode is the default */
	fields: (isCustom: boolean) => [
		toggle('custom_mode', 'Set Style and Lyrics', {
			default: isCustom,
			upFront: true,
			description: 'Whether you set style, title and lyrics yourself (custom mode)',
		}),
		prompt(5000, {
			...UP_FRONT,
			label: 'Prompt or Lyrics',
			description:
				'What to make or, with Set Style and Lyrics, the words to sing; if empty, you pay for whatever the service makes',
		}),
		instrumental({ default: true, upFront: true }),
		style({ ...UP_FRONT, showWhen: CUSTOM }),
		title({ ...UP_FRONT, showWhen: CUSTOM }),
	],
	rules: [
		{
			kind: 'wanted',
			fields: ['prompt'],
			when: { custom_mode: [false] },
			doubt: 'Without Prompt or Lyrics, you pay for whatever the service makes',
		},
		{
			kind: 'wanted',
			fields: ['style', 'prompt'],
			when: CUSTOM,
			doubt: 'Without Style or Lyrics, you pay for whatever the service makes',
		},
	],
} as const;

const OWN = { default_param_flag: [true] };

/** The same for continuing a take, whose own style and lyrics can be used. */
export const HOW_TO_GO_ON = {
	fields: [
		toggle('default_param_flag', 'Set Style and Lyrics', {
			default: true,
			upFront: true,
			description: 'Whether you set style and lyrics; when off, those of the original are used',
		}),
		// When off, "style and lyrics are inherited"; the document does not say that the prompt is the lyrics when on.
		prompt(5000, {
			...UP_FRONT,
			placeholder: LYRICS_TEXT.placeholder,
			description: 'How to go on; whether these are the words to sing is not documented',
		}),
		style({ ...UP_FRONT, showWhen: OWN }),
		// The title is not inherited.
		title(UP_FRONT),
	],
	rules: [
		{
			kind: 'wanted',
			fields: ['style', 'prompt'],
			when: OWN,
			doubt: 'Without Style or Prompt, you pay for however the service goes on',
		},
	],
} as const;

export const continueAt = secondsFromStart(
	'continue_at',
	'Continue At',
	'60',
	'Where the track is continued, counted from its start',
);

/** @param more its description says which take */
export const audioId = (more: More = {}) =>
	text('audio_id', 'Audio ID', {
		upFront: true,
		start: '={{ $json.audioId }}',
		placeholder: 'c5b0d7a2-3e61-…',
		...more,
	});

export const duration = number('duration', 'Duration (Seconds)', {
	min: 10,
	max: 360,
	start: 120,
	description: 'Length of the track; without it, the length is automatic',
});

/** What the service takes as a file (section "Limits"). */
export const UPLOAD_LIMITS = `${UPLOAD_FORMATS_IN_WORDS}, up to 8 minutes`;

/** A file field; the name of a binary property or a URL says which file. */
export const upload = (name: string, label: string, more: More = {}): Field => ({
	name,
	label,
	type: 'upload',
	presence: 'required',
	placeholder: 'data or https://example.com/track.mp3',
	description: UPLOAD_LIMITS,
	...more,
});

const source = (more: More = {}): Field => ({
	name: 'source',
	label: 'Source Job ID',
	type: 'source',
	presence: 'optional',
	start: '={{ $json.jobId }}',
	placeholder: '9a7ad2e0-5c1f-…',
	description: 'The earlier job whose result this works on (jobId in its item)',
	...more,
});

/** The earlier job, where the document requires one but has no field for it. */
export const unnamedSource = (more: More = {}) =>
	source({ ...REQUIRED, openName: 'musicSource', ...more });

/** Field of the form for where the audio comes from. */
const AUDIO_FROM = 'audioFrom';
const FROM_JOB = 'job';
const FROM_FILE = 'file';

/** A take of an earlier job, or a file: the document has fields for both and asks for one of them. */
export const AUDIO_FROM_JOB_OR_FILE = {
	controls: [
		choice(
			AUDIO_FROM,
			'Audio From',
			[
				{ value: FROM_JOB, label: 'Earlier Job' },
				{ value: FROM_FILE, label: 'File' },
			],
			{ description: 'Where the audio to work on comes from' },
		),
	],
	fields: [
		source({ upFront: true, showWhen: { [AUDIO_FROM]: [FROM_JOB] } }),
		audioId({
			showWhen: { [AUDIO_FROM]: [FROM_JOB] },
			description: 'The take of that job to work on',
		}),
		upload('upload', 'Audio File', {
			presence: 'optional',
			upFront: true,
			start: 'data',
			showWhen: { [AUDIO_FROM]: [FROM_FILE] },
		}),
	],
};

export const negativeTags = text('negative_tags', 'Negative Tags', {
	maxLength: 500,
	placeholder: 'Drums, distortion',
	description: 'What the music must not sound like',
});
export const vocalGender = choice(
	'vocal_gender',
	'Vocal Gender',
	[
		{ value: 'm', label: 'Male' },
		{ value: 'f', label: 'Female' },
	],
	{ presence: 'optional', description: 'A preference, not a guarantee' },
);

const weight = (name: string, label: string, description: string) =>
	number(name, label, { min: 0, max: 1, step: 0.01, start: 0.5, description });

export const WEIGHTS = [
	weight('style_weight', 'Style Weight', 'How closely the style is followed'),
	weight('weirdness_constraint', 'Weirdness Constraint', 'How unusual the music may be'),
	weight('audio_weight', 'Audio Weight', 'How much the given audio counts'),
];

/** The shared tuning fields, TUNING in the document. */
export const TUNING: readonly Field[] = [negativeTags, vocalGender, ...WEIGHTS];
