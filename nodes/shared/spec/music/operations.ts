import { DETAILS, MUSIC_ROUTE, SOURCE_AUDIO, SOURCE_JOB } from '../answers';
import {
	area,
	choice,
	type Field,
	more,
	number,
	optional,
	payload,
	required,
	text,
	toggle,
} from '../field';
import { upload } from '../file';
import type { CreateOperation, MediaType, Price, Resource } from '../operation';
import { ARTWORK, CATALOG, LYRICS, SONG, TRACK, VOICE } from './catalog';
import {
	ANY_SONG,
	audio,
	AUDIO_FROM,
	audioId,
	continueAt,
	duration,
	fromJobOrFile,
	HOW_TO_GO_ON,
	instrumental,
	model,
	negativeTags,
	prompt,
	secondsFromStart,
	SOME_LYRICS,
	source,
	style,
	tags,
	title,
	TUNING,
	UPLOAD_LIMITS,
	vocalGender,
	WEIGHTS,
	whatToMake,
} from './fields';

/** What differs between the documented operations (section "Music catalog"). */
interface Row {
	id: string;
	label: string;
	/** Becomes the node's name on the canvas. */
	action: string;
	/** Nearly in the document's words. */
	description: string;
	/** Audio when absent. */
	mediaType?: MediaType;
	credits: number | Price;
	/** Operations whose results it works on; the form then requires the earlier job. */
	worksOn?: Source;
	controls?: readonly Field[];
	fields?: readonly Field[];
}

/** Operations on whose results others work. */
interface Source {
	ids: readonly string[];
	/** What the form says of the earlier job. */
	of: string;
}

/** GEN_SET in the document: all operations of Song. */
export const GEN_SET = [
	'generate',
	'extend',
	'upload_cover',
	'upload_extend',
	'add_vocals',
	'add_instrumental',
	'replace_section',
	'mashup',
	'sounds',
] as const;

const SONG_MADE: Source = { ids: GEN_SET, of: ANY_SONG };
const STEMS_MADE: Source = { ids: ['stems'], of: 'jobId of Separate Stems' };
const VOICE_BEGUN: Source = {
	ids: ['voice_validate', 'voice_regenerate'],
	of: 'jobId of Start a Voice or Ask for Another Phrase',
};

/** Personas are for the two newest models. */
const FOR_PERSONA = { model: ['V5', 'V5_5'] };

/** Of a point in a track. */
const FROM_START = 'Counted from the start of the track';

const UPLOAD = audio('upload', 'Audio File');

/** The take of the song, also where the item before is what was made from that, such as its cover art. */
const TAKE = required(
	audioId('The take to work on', {
		start: `={{ $json.${DETAILS}?.${SOURCE_AUDIO} ?? $json.audioId }}`,
	}),
);

const SONGS: readonly Row[] = [
	{
		id: 'generate',
		label: 'Generate',
		action: 'Generate a song',
		description: 'Generate an original song; yields two takes, both kept in the library',
		credits: 12,
		fields: [
			...whatToMake(false),
			required(model('V5_5')),
			duration({ when: { model: ['V5_5'] } }),
			...TUNING,
			more(
				text('persona_id', 'Persona ID', 'A persona or custom voice to sing', {
					when: FOR_PERSONA,
					placeholder: 'b7e0c1f4-52aa-…',
				}),
			),
			more(
				choice(
					'persona_model',
					'Persona Model',
					'What the persona carries over',
					{ style_persona: 'Style Persona', voice_persona: 'Voice Persona' },
					{ when: FOR_PERSONA },
				),
			),
		],
	},
	{
		id: 'extend',
		label: 'Extend',
		action: 'Extend a song',
		description: 'Continue a generated track from a chosen point',
		credits: 12,
		worksOn: SONG_MADE,
		fields: [TAKE, continueAt, ...HOW_TO_GO_ON, required(model('V5_5')), instrumental, ...TUNING],
	},
	{
		id: 'upload_cover',
		label: 'Cover an Upload',
		action: 'Cover an uploaded song',
		description: 'Make a cover of an uploaded file',
		credits: 12,
		fields: [UPLOAD, ...whatToMake(true), required(model('V5_5')), ...TUNING],
	},
	{
		id: 'upload_extend',
		label: 'Extend an Upload',
		action: 'Extend an uploaded song',
		description: 'Continue an uploaded file from a chosen point',
		credits: 12,
		fields: [UPLOAD, continueAt, ...HOW_TO_GO_ON, required(model('V5_5')), instrumental, ...TUNING],
	},
	{
		id: 'add_vocals',
		label: 'Add Vocals',
		action: 'Add vocals to an instrumental',
		description: 'Add singing over an uploaded instrumental',
		credits: 12,
		fields: [
			UPLOAD,
			required(prompt('Lyrics', 'The words to sing', { placeholder: SOME_LYRICS })),
			required(style({ placeholder: 'Warm alto voice, close harmonies' }, 'Vocal style')),
			required(title()),
			negativeTags,
			vocalGender,
			more(model('V5_5')),
			...WEIGHTS,
		],
	},
	{
		id: 'add_instrumental',
		label: 'Add Instrumental',
		action: 'Add instruments to vocals',
		description: 'Add accompaniment under an uploaded vocal',
		credits: 12,
		fields: [
			UPLOAD,
			tags,
			required(title()),
			negativeTags,
			more(model('V5_5')),
			vocalGender,
			...WEIGHTS,
		],
	},
	{
		id: 'replace_section',
		label: 'Replace Section',
		action: 'Replace a section of a song',
		description: 'Replace a time range of a track (infill)',
		credits: 6,
		controls: AUDIO_FROM,
		fields: [
			...fromJobOrFile(true),
			secondsFromStart('infill_start_s', 'Section Start', '30', FROM_START),
			secondsFromStart('infill_end_s', 'Section End', '45', FROM_START),
			required(
				prompt('Prompt', 'What the new section is like', {
					placeholder: 'A softer bridge with a cello',
				}),
			),
			tags,
			required(
				area('full_lyrics', 'Full Lyrics', 'The complete lyrics, the new section included', {
					placeholder: SOME_LYRICS,
				}),
			),
			required(title()),
			required(model('V5_5')),
			negativeTags,
		],
	},
	{
		id: 'mashup',
		label: 'Blend Uploads',
		action: 'Blend two uploaded songs',
		description: 'Blend two uploaded tracks',
		credits: 12,
		fields: [
			audio('upload', 'First Audio File'),
			audio('upload2', 'Second Audio File'),
			required(style()),
			required(title()),
			optional(
				prompt('Prompt', 'How to blend the tracks', {
					max: 500,
					placeholder: 'Let the two choruses answer each other',
				}),
			),
			required(model('V5_5')),
			instrumental,
			duration(),
			vocalGender,
			...WEIGHTS,
		],
	},
	{
		id: 'sounds',
		label: 'Generate Sounds',
		action: 'Generate sounds',
		description: 'Generate loops, ambience and effects',
		credits: 3,
		fields: [
			required(
				prompt('Prompt', 'What to hear', { placeholder: 'Rain on a tin roof, distant thunder' }),
			),
			required(model('V5')),
			more(
				toggle('sound_loop', 'Loop', 'Whether it can be repeated without a seam', { start: true }),
			),
			more(number('sound_tempo', 'Tempo', 'Beats per minute', { min: 20, max: 300, start: 120 })),
			more(text('sound_key', 'Key', 'Musical key', { max: 8, placeholder: 'C minor' })),
			more(
				toggle('grab_lyrics', 'Grab Lyrics', 'Whether to get the lyrics as well', { start: true }),
			),
		],
	},
];

const TRACKS: readonly Row[] = [
	{
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
		controls: AUDIO_FROM,
		fields: [
			...fromJobOrFile(false),
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
		id: 'wav',
		label: 'Convert to WAV',
		action: 'Convert a take to WAV',
		description: 'Convert a take to lossless WAV',
		credits: 1,
		worksOn: SONG_MADE,
		fields: [TAKE],
	},
	{
		id: 'midi',
		label: 'Convert to MIDI',
		action: 'Convert a stem to MIDI',
		description: 'Turn a separated stem into MIDI note data',
		mediaType: 'text',
		credits: 0,
		worksOn: STEMS_MADE,
		fields: [
			optional(audioId('A specific stem from the separation result; may be empty', { start: '' })),
		],
	},
	{
		id: 'recovery',
		label: 'Get New Links',
		action: 'Get new download links',
		description: 'Make new download links for an older generation whose links expired',
		credits: 0,
		worksOn: SONG_MADE,
	},
];

const TEXTS: readonly Row[] = [
	{
		id: 'lyrics',
		label: 'Generate Lyrics',
		action: 'Generate lyrics',
		description: 'Generate lyrics from a theme',
		mediaType: 'text',
		credits: 1,
		fields: [
			required(
				prompt('Prompt', 'What the lyrics are about', {
					placeholder: 'The first snow in a small town',
				}),
			),
		],
	},
	{
		id: 'timestamped_lyrics',
		label: 'Get Timestamped Lyrics',
		action: 'Get timestamped lyrics',
		description: 'Get the word-by-word timings of a take',
		mediaType: 'text',
		credits: 1,
		worksOn: SONG_MADE,
		fields: [TAKE],
	},
	{
		id: 'style_boost',
		label: 'Expand a Style',
		action: 'Expand a style idea',
		description: 'Expand a short style idea',
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
];

const PICTURES: readonly Row[] = [
	{
		id: 'cover_art',
		label: 'Generate Cover Art',
		action: 'Generate cover art',
		description: 'Generate artwork for a take',
		mediaType: 'image',
		credits: 0,
		worksOn: SONG_MADE,
		fields: [TAKE],
	},
	{
		id: 'music_video',
		label: 'Generate Music Video',
		action: 'Generate a music video',
		description: 'Generate a simple video from a track',
		mediaType: 'video',
		credits: 2,
		worksOn: SONG_MADE,
		fields: [TAKE],
	},
];

const VOICES: readonly Row[] = [
	{
		id: 'voice_validate',
		label: 'Start a Voice',
		action: 'Start a custom voice',
		description: 'Start a custom voice from a sample; yields a phrase to read aloud',
		mediaType: 'text',
		credits: 0,
		fields: [
			audio('upload', 'Voice Sample'),
			secondsFromStart('vocal_start_s', 'Vocal Start', '2', 'Where the voice begins in the sample'),
			secondsFromStart('vocal_end_s', 'Vocal End', '17', 'Where the voice ends in the sample'),
			more(
				text('language', 'Language', 'Language of the phrase', { max: 30, placeholder: 'English' }),
			),
		],
	},
	{
		id: 'voice_regenerate',
		label: 'Ask for Another Phrase',
		action: 'Ask for another phrase',
		description: 'Get a fresh phrase to read aloud',
		mediaType: 'text',
		credits: 0,
		worksOn: VOICE_BEGUN,
	},
	{
		id: 'voice_generate',
		label: 'Generate the Voice',
		action: 'Generate a custom voice',
		description: 'Submit the recording of the phrase and generate a reusable voice',
		mediaType: 'text',
		credits: 0,
		worksOn: VOICE_BEGUN,
		fields: [
			upload('upload', 'Recording', `The phrase, read aloud: ${UPLOAD_LIMITS}`),
			optional(
				text('voice_name', 'Voice Name', 'What to call the voice', {
					max: 80,
					placeholder: 'My Narrator',
				}),
			),
			more(style({ placeholder: 'Calm, low, close' }, 'How the voice sounds')),
			more(
				text(
					'singer_skill_level',
					'Singer Skill Level',
					'How well the person sings; the service does not document its values',
					{ placeholder: 'beginner' },
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

/** The earlier job, where the document requires one but has no field for it. */
const unnamedSource = ({ ids, of }: Source): Field =>
	required(
		source(of, {
			sentAs: { openPoint: 'musicSourceField' },
			...(ids === GEN_SET && { start: `={{ $json.${DETAILS}?.${SOURCE_JOB} ?? $json.jobId }}` }),
		}),
	);

/** A row as an operation. */
function operationOf(
	{ value: resource }: Resource,
	{ id, credits, worksOn, fields = [], ...row }: Row,
): CreateOperation {
	// What makes something other than a song from a song, such as its cover art, lets the next one work on the same song.
	const passesSourceOn = resource !== SONG.value && (worksOn === SONG_MADE || id === 'stems');
	return {
		...MUSIC_CREATION,
		mediaType: 'audio',
		...row,
		resource,
		operation: id,
		fields: worksOn ? [unnamedSource(worksOn), ...fields] : fields,
		...(passesSourceOn && { passesSourceOn }),
		price: typeof credits === 'number' ? { rows: [[{}, credits]] } : credits,
		...(worksOn && { sources: worksOn.ids }),
	};
}

/** All operations of the music studio that the document lists. */
export const MUSIC_OPERATIONS: readonly CreateOperation[] = [
	...SONGS.map((row) => operationOf(SONG, row)),
	...TRACKS.map((row) => operationOf(TRACK, row)),
	...TEXTS.map((row) => operationOf(LYRICS, row)),
	...PICTURES.map((row) => operationOf(ARTWORK, row)),
	...VOICES.map((row) => operationOf(VOICE, row)),
];

/** Field of the form that has the ID of the operation to run. */
export const OPERATION_ID = 'operationId';

/** An operation that the document does not list: a person knows its ID and its fields. */
export const OTHER_OPERATION: CreateOperation = {
	...MUSIC_CREATION,
	resource: CATALOG.value,
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
		optional(
			payload(
				'fields',
				'Fields',
				'All fields of the request, with the names that the music catalog has for them, among them the field for an earlier job',
			),
		),
	],
};
