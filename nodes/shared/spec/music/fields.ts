import {
	area,
	asked,
	choice,
	type Field,
	more,
	number,
	optional,
	required,
	text,
	toggle,
} from '../field';
import { upload } from '../file';

/** Uploaded audio files (sections "Music catalog" and "Limits"). */

/** Formats of files that the service takes. */
export const UPLOAD_FORMATS_IN_WORDS = 'MP3 or WAV';

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
const MODELS = {
	V5_5: ['V5_5', 'Newest; supports a custom duration'],
	V5: ['V5', 'Better expression, faster generation'],
	V4_5PLUS: ['V4_5PLUS', 'Richer sound, tracks up to 8 minutes'],
	V4_5ALL: ['V4_5ALL', 'Smart prompts, faster generations'],
	V4_5: ['V4_5', 'Smart prompts, faster generations'],
	V4: ['V4', 'Improved vocals, tracks up to 4 minutes'],
} as const;

/** The field `model`, with its default; required in most operations. */
export const model = (byDefault: string) =>
	choice('model', 'Model', 'Version of the music model', MODELS, { byDefault });

/** Fields that several operations have (section "Music catalog", "Fields per operation"). */

/** A point in a track, in seconds; required wherever it occurs, and known only to the user. */
export const secondsFromStart = (
	name: string,
	label: string,
	placeholder: string,
	description: string,
) => asked(number(name, `${label} (Seconds)`, description, { min: 0, placeholder }));

type TextWords = NonNullable<Parameters<typeof area>[3]>;

export const prompt = (label: string, description: string, words: TextWords = {}) =>
	area('prompt', label, description, {
		max: 5000,
		placeholder: 'A warm folk song about the first snow',
		...words,
	});

export const title = (words: TextWords = {}) =>
	text('title', 'Title', 'Name of the track', { max: 80, placeholder: 'First Snow', ...words });

export const style = (words: TextWords = {}, description = 'Genre, instruments and mood') =>
	area('style', 'Style', description, {
		max: 1000,
		placeholder: 'Indie folk, soft female voice',
		...words,
	});

export const tags = required(
	area('tags', 'Tags', 'Style of the music', {
		max: 1000,
		placeholder: 'Indie folk, acoustic guitar, calm',
	}),
);

const NO_VOCALS = 'Whether the track has no vocals. With your own lyrics, turn it off.';

export const instrumental = more(toggle('instrumental', 'Instrumental', NO_VOCALS));

/** Stands in the form while a text that holds lyrics is empty. */
export const SOME_LYRICS = '[Verse]\nThe first snow falls…';

const CUSTOM = { custom_mode: [true] };

/**
 * What a track is made from: a prompt, or in custom mode lyrics, style and title. The document calls
 * all of them optional, but a request without any is charged, too.
 *
 * @param isCustom whether custom mode is the default
 */
export const whatToMake = (isCustom: boolean): Field[] => [
	toggle(
		'custom_mode',
		'Set Style and Lyrics',
		'Whether you set style, title and lyrics yourself (custom mode)',
		{ byDefault: isCustom },
	),
	optional(
		prompt(
			'Prompt or Lyrics',
			'What to make or, with Set Style and Lyrics, the words to sing; if empty, you pay for whatever the service makes',
		),
	),
	toggle('instrumental', 'Instrumental', NO_VOCALS, { byDefault: true }),
	optional(style({ when: CUSTOM })),
	optional(title({ when: CUSTOM })),
];

/** The same for continuing a take, whose own style and lyrics can be used. */
export const HOW_TO_GO_ON: readonly Field[] = [
	toggle(
		'default_param_flag',
		'Set Style and Lyrics',
		'Whether you set style and lyrics; when off, those of the original are used',
		{ byDefault: true },
	),
	// When off, "style and lyrics are inherited"; the document does not say that the prompt is the lyrics when on.
	optional(
		prompt('Prompt', 'How to go on; whether these are the words to sing is not documented', {
			placeholder: SOME_LYRICS,
		}),
	),
	optional(style({ when: { default_param_flag: [true] } })),
	// The title is not inherited.
	optional(title()),
];

export const continueAt = secondsFromStart(
	'continue_at',
	'Continue At',
	'60',
	'Where the track is continued, counted from its start',
);

export const audioId = (description: string, words: TextWords = {}) =>
	text('audio_id', 'Audio ID', description, {
		start: '={{ $json.audioId }}',
		placeholder: 'c5b0d7a2-3e61-…',
		isWord: true,
		...words,
	});

export const duration = (words: TextWords = {}) =>
	more(
		number(
			'duration',
			'Duration (Seconds)',
			'Length of the track; without it, the length is automatic',
			{ min: 10, max: 360, start: 120, ...words },
		),
	);

/** What the service takes as a file (section "Limits"). */
export const UPLOAD_LIMITS = `${UPLOAD_FORMATS_IN_WORDS}, up to 8 minutes`;

/** An audio file. */
export const audio = (name: string, label: string) => upload(name, label, UPLOAD_LIMITS);

/** The earlier job whose result an operation works on. */
export const source = (of: string, words: TextWords = {}) =>
	text('source', 'Source Job ID', `The earlier job whose result this works on: ${of}`, {
		start: '={{ $json.jobId }}',
		placeholder: '9a7ad2e0-5c1f-…',
		isWord: true,
		...words,
	});

/** The results that operations work on most: those that make up GEN_SET in the document. */
export const ANY_SONG = 'jobId of anything made under Song';

const FROM_JOB = { audioFrom: ['job'] };

/** Field of the form for where the audio comes from. */
export const AUDIO_FROM: readonly Field[] = [
	choice('audioFrom', 'Audio From', 'Where the audio to work on comes from', {
		job: 'Earlier Job',
		file: 'File',
	}),
];

/**
 * A take of an earlier job, or a file: the document has fields for both, and asks for one of them.
 *
 * @param isTakeRequired whether a job alone does not do
 */
export const fromJobOrFile = (isTakeRequired: boolean): Field[] => {
	const job = source(ANY_SONG, { when: FROM_JOB });
	const take = audioId('The take of that job to work on', { when: FROM_JOB });
	return [
		...(isTakeRequired ? [optional(job), required(take)] : [required(job), optional(take)]),
		required({ ...audio('upload', 'Audio File'), when: { audioFrom: ['file'] } }),
	];
};

export const negativeTags = more(
	text('negative_tags', 'Negative Tags', 'What the music must not sound like', {
		max: 500,
		placeholder: 'Drums, distortion',
	}),
);

export const vocalGender = more(
	choice('vocal_gender', 'Vocal Gender', 'A preference, not a guarantee', {
		m: 'Male',
		f: 'Female',
	}),
);

const weight = (name: string, label: string, description: string) =>
	more(number(name, label, description, { min: 0, max: 1, step: 0.01, start: 0.5 }));

export const WEIGHTS: readonly Field[] = [
	weight('style_weight', 'Style Weight', 'How closely the style is followed'),
	weight('weirdness_constraint', 'Weirdness Constraint', 'How unusual the music may be'),
	weight('audio_weight', 'Audio Weight', 'How much the given audio counts'),
];

/** The shared tuning fields, TUNING in the document. */
export const TUNING: readonly Field[] = [negativeTags, vocalGender, ...WEIGHTS];
