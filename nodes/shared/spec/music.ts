import { DETAILS, SOURCE_AUDIO, SOURCE_JOB } from './answers';
import {
	MUSIC_ROUTE,
	type Catalog,
	type CreateOperation,
	type ListOperation,
	type MediaType,
	type Price,
	resource,
} from './operation';
import {
	area,
	asked,
	choice,
	type Field,
	more,
	number,
	payload,
	required,
	text,
	toggle,
	type Words,
} from './field';
import { upload } from './file';
import { GET_JOB, JOB_RESOURCE, RECOVER_JOBS, WAIT_FOR_JOB } from './jobs';

/** Section "Music catalog", grouped as a musician would look for things. */
const SONG = resource('song', 'Song', 'Songs, covers, extensions, sounds');
const TRACK = resource('track', 'Track Processing', 'Stems, WAV, MIDI, fresh links');
const LYRICS = resource('lyrics', 'Lyrics and Style', 'Lyrics, their timings, style texts');
const ARTWORK = resource('artwork', 'Artwork and Video', 'Cover art and video for a take');
const VOICE = resource('voice', 'Voice', 'A voice of your own, from a sample');
const STUDIO = resource('catalog', 'Catalog', 'What the music studio offers today');

/** What differs between the operations. */
interface Row {
	resource: typeof SONG;
	/** Its ID in the document. */
	id: string;
	label: string;
	/** Becomes the node's name on the canvas. */
	action: string;
	/** Where there is more to say than the action does. */
	description?: string;
	/** Audio when absent. */
	mediaType?: MediaType;
	credits: number | Price;
	controls?: readonly Field[];
	fields: readonly Field[];
}

/** Model entries, with their remarks. */
const MODELS = {
	V5_5: ['V5_5', 'Newest; supports a custom duration'],
	V5: ['V5', 'Better expression, faster generation'],
	V4_5PLUS: ['V4_5PLUS', 'Richer sound, tracks up to 8 minutes'],
	V4_5ALL: ['V4_5ALL', 'Smart prompts, faster generations'],
	V4_5: ['V4_5', 'Smart prompts, faster generations'],
	V4: ['V4', 'Improved vocals, tracks up to 4 minutes'],
} as const;

const model = (byDefault: string) =>
	choice('model', 'Model', 'Version of the music model', MODELS, { byDefault });

/** What the service takes as a file (section "Limits"). */
const UPLOAD_LIMITS = 'MP3 or WAV, up to 8 minutes';

const audio = (name: string, label: string) => upload(name, label, UPLOAD_LIMITS);

/** A point in a track: required wherever it occurs, and known only to the user. */
const secondsFromStart = (name: string, label: string, description: string) =>
	asked(number(name, `${label} (Seconds)`, description, { min: 0 }));

/** Of a point in a track. */
const FROM_START = 'Counted from the start of the track';

const prompt = (label: string, description: string, placeholder?: string, max = 5000) =>
	area('prompt', label, description, { max, placeholder });

const title = (words: Words = {}) =>
	text('title', 'Title', 'Name of the track', { max: 80, placeholder: 'First Snow', ...words });

const style = (words: Words = {}, description = 'Genre, instruments and mood') =>
	area('style', 'Style', description, {
		max: 1000,
		placeholder: 'Indie folk, soft female voice',
		...words,
	});

const tags = area('tags', 'Tags', 'Style of the music', {
	max: 1000,
	placeholder: 'Indie folk, acoustic guitar, calm',
});

/** @param byDefault where the document has a default, each request says whether there are vocals */
const instrumental = (byDefault?: boolean) =>
	toggle(
		'instrumental',
		'Instrumental',
		'Whether the track has no vocals. With your own lyrics, turn it off.',
		{ byDefault },
	);

const duration = (words: Words = {}) =>
	number(
		'duration',
		'Duration (Seconds)',
		'Length of the track; without it, the length is automatic',
		{ min: 10, max: 360, start: 120, ...words },
	);

const negativeTags = text('negative_tags', 'Negative Tags', 'What the music must not sound like', {
	max: 500,
	placeholder: 'Drums, distortion',
});

const vocalGender = choice('vocal_gender', 'Vocal Gender', 'A preference, not a guarantee', {
	m: 'Male',
	f: 'Female',
});

const weight = (name: string, label: string, description: string) =>
	number(name, label, description, { min: 0, max: 1, step: 0.01, start: 0.5 });

const WEIGHTS = [
	weight('style_weight', 'Style Weight', 'How closely the style is followed'),
	weight('weirdness_constraint', 'Weirdness Constraint', 'How unusual the music may be'),
	weight('audio_weight', 'Audio Weight', 'How much the given audio counts'),
];

/** The shared tuning fields, TUNING in the document. */
const TUNING = [negativeTags, vocalGender, ...WEIGHTS];

/** Stands in the form while a text that holds lyrics is empty. */
const SOME_LYRICS = '[Verse]\nThe first snow falls…';

/**
 * What a track is made from: a prompt, or in custom mode lyrics, style and title. The document calls
 * all of them optional, but a request without any is charged, too.
 *
 * @param isCustom whether custom mode is the default
 */
const whatToMake = (isCustom: boolean): Field[] => [
	toggle(
		'custom_mode',
		'Set Style and Lyrics',
		'Whether you set style, title and lyrics yourself (custom mode)',
		{ byDefault: isCustom },
	),
	prompt(
		'Prompt or Lyrics',
		'What to make or, with Set Style and Lyrics, the words to sing; if empty, you pay for whatever the service makes',
		'A warm folk song about the first snow',
	),
	instrumental(true),
	style({ when: { custom_mode: [true] } }),
	title({ when: { custom_mode: [true] } }),
];

/** The same for continuing a take, whose own style and lyrics can be used. */
const HOW_TO_GO_ON = [
	secondsFromStart(
		'continue_at',
		'Continue At',
		'Where the track is continued, counted from its start',
	),
	toggle(
		'default_param_flag',
		'Set Style and Lyrics',
		'Whether you set style and lyrics; when off, those of the original are used',
		{ byDefault: true },
	),
	// When off, "style and lyrics are inherited"; the document does not say that the prompt is the lyrics when on.
	prompt('Prompt', 'How to go on; whether these are the words to sing is not documented'),
	style({ when: { default_param_flag: [true] } }),
	// The title is not inherited.
	title(),
	required(model('V5_5')),
	...more(instrumental(), ...TUNING),
];

/** The earlier job whose result an operation works on. */
export const source = (of: string, words: Words = {}) =>
	text('source', 'Source Job ID', `The earlier job whose result this works on: ${of}`, {
		start: '={{ $json.jobId }}',
		isWord: true,
		...words,
	});

/** The same where the document requires one, but has no field for it. */
const unnamedSource = (of: string, words: Words = {}) =>
	required(source(of, { sentAs: { openPoint: 'musicSourceField' }, ...words }));

const ANY_SONG = 'jobId of anything made under Song';

/** The song that the item before was made from, if that is its cover art, a WAV or the like. */
const SONG_MADE = unnamedSource(ANY_SONG, {
	start: `={{ $json.${DETAILS}?.${SOURCE_JOB} ?? $json.jobId }}`,
});

const VOICE_BEGUN = unnamedSource('jobId of Start a Voice or Ask for Another Phrase');

const audioId = (description: string, words: Words = {}) =>
	text('audio_id', 'Audio ID', description, {
		start: '={{ $json.audioId }}',
		isWord: true,
		...words,
	});

/** A take of that song. */
const TAKE_MADE = [
	SONG_MADE,
	required(
		audioId('The take to work on', {
			start: `={{ $json.${DETAILS}?.${SOURCE_AUDIO} ?? $json.audioId }}`,
		}),
	),
];

/** Where the audio comes from: a take of an earlier job, or a file. The document has fields for both, and asks for one. */
const AUDIO_FROM = choice('audioFrom', 'Audio From', 'Where the audio to work on comes from', {
	job: 'Earlier Job',
	file: 'File',
});

const FROM_JOB = { audioFrom: ['job'] };
const JOB = source(ANY_SONG, { when: FROM_JOB });
const TAKE = audioId('The take of that job to work on', { when: FROM_JOB });
const FILE = { ...audio('upload', 'Audio File'), when: { audioFrom: ['file'] } };

const ROWS: readonly Row[] = [
	{
		resource: SONG,
		id: 'generate',
		label: 'Generate',
		action: 'Generate a song',
		description: 'Generate an original song; yields two takes, both kept in the library',
		credits: 12,
		fields: [
			...whatToMake(false),
			required(model('V5_5')),
			...more(
				duration({ when: { model: ['V5_5'] } }),
				...TUNING,
				text('persona_id', 'Persona ID', 'A persona or custom voice to sing', {
					when: { model: ['V5', 'V5_5'] },
				}),
				choice(
					'persona_model',
					'Persona Model',
					'What the persona carries over',
					{ style_persona: 'Style Persona', voice_persona: 'Voice Persona' },
					{ when: { model: ['V5', 'V5_5'] } },
				),
			),
		],
	},
	{
		resource: SONG,
		id: 'extend',
		label: 'Extend',
		action: 'Extend a song',
		description: 'Continue a generated track from a chosen point',
		credits: 12,
		fields: [...TAKE_MADE, ...HOW_TO_GO_ON],
	},
	{
		resource: SONG,
		id: 'upload_cover',
		label: 'Cover an Upload',
		action: 'Cover an uploaded song',
		credits: 12,
		fields: [
			audio('upload', 'Audio File'),
			...whatToMake(true),
			required(model('V5_5')),
			...more(...TUNING),
		],
	},
	{
		resource: SONG,
		id: 'upload_extend',
		label: 'Extend an Upload',
		action: 'Extend an uploaded song',
		credits: 12,
		fields: [audio('upload', 'Audio File'), ...HOW_TO_GO_ON],
	},
	{
		resource: SONG,
		id: 'add_vocals',
		label: 'Add Vocals',
		action: 'Add vocals to an instrumental',
		credits: 12,
		fields: [
			audio('upload', 'Audio File'),
			required(prompt('Lyrics', 'The words to sing', SOME_LYRICS)),
			required(style({ placeholder: 'Warm alto voice, close harmonies' }, 'Vocal style')),
			required(title()),
			...more(model('V5_5'), ...TUNING),
		],
	},
	{
		resource: SONG,
		id: 'add_instrumental',
		label: 'Add Instrumental',
		action: 'Add instruments to vocals',
		credits: 12,
		fields: [
			audio('upload', 'Audio File'),
			required(tags),
			required(title()),
			...more(model('V5_5'), ...TUNING),
		],
	},
	{
		resource: SONG,
		id: 'replace_section',
		label: 'Replace Section',
		action: 'Replace a section of a song',
		credits: 6,
		controls: [AUDIO_FROM],
		fields: [
			JOB,
			required(TAKE),
			FILE,
			secondsFromStart('infill_start_s', 'Section Start', FROM_START),
			secondsFromStart('infill_end_s', 'Section End', FROM_START),
			required(prompt('Prompt', 'What the new section is like', 'A softer bridge with a cello')),
			required(tags),
			required(
				area('full_lyrics', 'Full Lyrics', 'The complete lyrics, the new section included', {
					placeholder: SOME_LYRICS,
				}),
			),
			required(title()),
			required(model('V5_5')),
			...more(negativeTags),
		],
	},
	{
		resource: SONG,
		id: 'mashup',
		label: 'Blend Uploads',
		action: 'Blend two uploaded songs',
		credits: 12,
		fields: [
			audio('upload', 'First Audio File'),
			audio('upload2', 'Second Audio File'),
			required(style()),
			required(title()),
			prompt('Prompt', 'How to blend the tracks', 'Let the two choruses answer each other', 500),
			required(model('V5_5')),
			...more(instrumental(), duration(), vocalGender, ...WEIGHTS),
		],
	},
	{
		resource: SONG,
		id: 'sounds',
		label: 'Generate Sounds',
		action: 'Generate sounds',
		description: 'Generate loops, ambience and effects',
		credits: 3,
		fields: [
			required(prompt('Prompt', 'What to hear', 'Rain on a tin roof, distant thunder')),
			required(model('V5')),
			...more(
				toggle('sound_loop', 'Loop', 'Whether it can be repeated without a seam', { start: true }),
				number('sound_tempo', 'Tempo', 'Beats per minute', { min: 20, max: 300, start: 120 }),
				text('sound_key', 'Key', 'Musical key', { max: 8, placeholder: 'C minor' }),
				toggle('grab_lyrics', 'Grab Lyrics', 'Whether to get the lyrics as well', { start: true }),
			),
		],
	},
	{
		resource: TRACK,
		id: 'stems',
		label: 'Separate Stems',
		action: 'Separate stems',
		description: 'Separate vocals, instrumental or up to 12 instrument stems',
		credits: {
			rows: [
				[{ separation_type: ['separate_vocal'] }, 10],
				[{ separation_type: ['split_stem'] }, 50],
				[{ separation_type: ['split_stem_advanced'] }, 20],
			],
		},
		controls: [AUDIO_FROM],
		fields: [
			required(JOB),
			TAKE,
			FILE,
			required(
				choice(
					'separation_type',
					'Separation Type',
					'What to separate the track into',
					{
						separate_vocal: 'Vocals and Instrumental',
						split_stem: 'All Stems (up to 12)',
						split_stem_advanced: 'One Stem',
					},
					{ byDefault: 'separate_vocal' },
				),
			),
			required(
				text('stem_name', 'Stem Name', 'The stem to separate', {
					when: { separation_type: ['split_stem_advanced'] },
					placeholder: 'drums',
				}),
			),
		],
	},
	{
		resource: TRACK,
		id: 'wav',
		label: 'Convert to WAV',
		action: 'Convert a take to WAV',
		credits: 1,
		fields: TAKE_MADE,
	},
	{
		resource: TRACK,
		id: 'midi',
		label: 'Convert to MIDI',
		action: 'Convert a stem to MIDI',
		mediaType: 'text',
		credits: 0,
		fields: [
			unnamedSource('jobId of Separate Stems'),
			audioId('A specific stem from the separation result; may be empty', { start: '' }),
		],
	},
	{
		resource: TRACK,
		id: 'recovery',
		label: 'Get New Links',
		action: 'Get new download links',
		description: 'Make new download links for an older generation whose links expired',
		credits: 0,
		fields: [SONG_MADE],
	},
	{
		resource: LYRICS,
		id: 'lyrics',
		label: 'Generate Lyrics',
		action: 'Generate lyrics',
		mediaType: 'text',
		credits: 1,
		fields: [
			required(prompt('Prompt', 'What the lyrics are about', 'The first snow in a small town')),
		],
	},
	{
		resource: LYRICS,
		id: 'timestamped_lyrics',
		label: 'Get Timestamped Lyrics',
		action: 'Get timestamped lyrics',
		description: 'Get the word-by-word timings of a take',
		mediaType: 'text',
		credits: 1,
		fields: TAKE_MADE,
	},
	{
		resource: LYRICS,
		id: 'style_boost',
		label: 'Expand a Style',
		action: 'Expand a style idea',
		mediaType: 'text',
		credits: 1,
		fields: [
			required(
				text('content', 'Style Idea', 'A style in a few words', {
					max: 500,
					placeholder: 'Dreamy synth pop',
				}),
			),
		],
	},
	{
		resource: ARTWORK,
		id: 'cover_art',
		label: 'Generate Cover Art',
		action: 'Generate cover art',
		mediaType: 'image',
		credits: 0,
		fields: TAKE_MADE,
	},
	{
		resource: ARTWORK,
		id: 'music_video',
		label: 'Generate Music Video',
		action: 'Generate a music video',
		mediaType: 'video',
		credits: 2,
		fields: TAKE_MADE,
	},
	{
		resource: VOICE,
		id: 'voice_validate',
		label: 'Start a Voice',
		action: 'Start a custom voice',
		description: 'Start a custom voice from a sample; yields a phrase to read aloud',
		mediaType: 'text',
		credits: 0,
		fields: [
			audio('upload', 'Voice Sample'),
			secondsFromStart('vocal_start_s', 'Vocal Start', 'Where the voice begins in the sample'),
			secondsFromStart('vocal_end_s', 'Vocal End', 'Where the voice ends in the sample'),
			...more(
				text('language', 'Language', 'Language of the phrase', { max: 30, placeholder: 'English' }),
			),
		],
	},
	{
		resource: VOICE,
		id: 'voice_regenerate',
		label: 'Ask for Another Phrase',
		action: 'Ask for another phrase',
		mediaType: 'text',
		credits: 0,
		fields: [VOICE_BEGUN],
	},
	{
		resource: VOICE,
		id: 'voice_generate',
		label: 'Generate the Voice',
		action: 'Generate a custom voice',
		description: 'Submit the recording of the phrase and generate a reusable voice',
		mediaType: 'text',
		credits: 0,
		fields: [
			VOICE_BEGUN,
			upload('upload', 'Recording', `The phrase, read aloud: ${UPLOAD_LIMITS}`),
			text('voice_name', 'Voice Name', 'What to call the voice', { max: 80 }),
			...more(
				style({ placeholder: 'Calm, low, close' }, 'How the voice sounds'),
				text(
					'singer_skill_level',
					'Singer Skill Level',
					'How well the person sings; the service does not document its values',
				),
			),
		],
	},
];

/** What all music operations have in common; the document shows none of their paths. */
export const MUSIC_CREATION = {
	kind: 'create',
	method: 'POST',
	path: { openPoint: 'musicSubmitPath' },
	operationIn: 'musicOperationField',
	status: MUSIC_ROUTE,
} as const;

/** All operations of the music studio that the document lists. */
export const MUSIC_OPERATIONS: readonly CreateOperation[] = ROWS.map(
	({ resource: group, id, credits, ...row }) => ({
		...MUSIC_CREATION,
		description: row.action,
		mediaType: 'audio',
		...row,
		resource: group.value,
		operation: id,
		passesSourceOn: group !== SONG && row.fields.some(({ name }) => name === 'source'),
		price: typeof credits === 'number' ? { rows: [[{}, credits]] } : credits,
	}),
);

/** The path is not shown. */
export const GET_CATALOG: ListOperation = {
	kind: 'list',
	resource: STUDIO.value,
	// Not `get`, which reads a job: the form then has the options of jobs once.
	operation: 'getCatalog',
	label: 'Get',
	action: 'Get the music catalog',
	description: 'Read the models and operations of the music studio, as the service describes them',
	method: 'GET',
	path: { openPoint: 'musicCatalogPath' },
	fields: [
		text(
			'language',
			'Language',
			'Language of labels and help, where the path in the credential has {language}',
			{ sentAs: 'path', isWord: true, byDefault: 'en', placeholder: 'en' },
		),
	],
};

/** Field of the form that has the ID of the operation to run. */
export const OPERATION_ID = 'operationId';

/** An operation that the document does not list: a person knows its ID and its fields. */
export const OTHER_OPERATION: CreateOperation = {
	...MUSIC_CREATION,
	resource: STUDIO.value,
	operation: 'other',
	label: 'Other Operation',
	action: 'Run another music operation',
	description: 'Run an operation of the music studio that this node does not list',
	controls: [
		required(
			text(OPERATION_ID, 'Operation ID', 'Its ID in the music catalog', { placeholder: 'remix' }),
		),
	],
	fields: [
		payload(
			'fields',
			'Fields',
			'All fields of the request, with the names that the music catalog has for them, among them the field for an earlier job',
		),
	],
};

/** What MediaGen Music offers, in the order of its dropdowns. */
export const MUSIC_CATALOG: Catalog = {
	resources: [SONG, TRACK, LYRICS, ARTWORK, VOICE, STUDIO, JOB_RESOURCE],
	operations: [
		...MUSIC_OPERATIONS,
		GET_CATALOG,
		OTHER_OPERATION,
		GET_JOB,
		WAIT_FOR_JOB,
		RECOVER_JOBS,
	],
};
