import { DETAILS, SOURCE_AUDIO, SOURCE_JOB } from '../answers';
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
	mediaType: MediaType;
	credits: number | Price;
	/** Operations whose results it works on; the form then requires the earlier job. */
	worksOn?: readonly string[];
	controls?: readonly Field[];
	fields: readonly Field[];
	/** Fields of which at least one should be given. */
	wanted?: readonly string[];
}

/** GEN_SET in the document. */
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

const VOICE_STEPS = ['voice_validate', 'voice_regenerate'];

/** Personas are for the two newest models. */
const FOR_PERSONA = { model: ['V5', 'V5_5'] };

const UPLOAD = audio('upload', 'Audio File');

/** The take of the song, also where the item before is what was made from that, such as its cover art. */
const TAKE = required(
	audioId({
		start: `={{ $json.${DETAILS}?.${SOURCE_AUDIO} ?? $json.audioId }}`,
		description: 'The take to work on',
	}),
);

/** The document calls all three optional, but without any of them nothing says which track. */
const TRACK_WANTED = ['source', 'audio_id', 'upload'];

const SONGS: readonly Row[] = [
	{
		id: 'generate',
		label: 'Generate',
		action: 'Generate a song',
		description: 'Generate an original song; yields two takes, both kept in the library',
		mediaType: 'audio',
		credits: 12,
		fields: [
			...whatToMake(false),
			required(model('V5_5')),
			duration({ when: { model: ['V5_5'] } }),
			...TUNING,
			more(
				text('persona_id', 'Persona ID', {
					when: FOR_PERSONA,
					placeholder: 'b7e0c1f4-52aa-…',
					description: 'A persona or custom voice to sing',
				}),
			),
			more(
				choice(
					'persona_model',
					'Persona Model',
					[
						{ value: 'style_persona', label: 'Style Persona' },
						{ value: 'voice_persona', label: 'Voice Persona' },
					],
					{ when: FOR_PERSONA, description: 'What the persona carries over' },
				),
			),
		],
		wanted: ['prompt', 'style'],
	},
	{
		id: 'extend',
		label: 'Extend',
		action: 'Extend a song',
		description: 'Continue a generated track from a chosen point',
		mediaType: 'audio',
		credits: 12,
		worksOn: GEN_SET,
		fields: [TAKE, continueAt, ...HOW_TO_GO_ON, required(model('V5_5')), instrumental, ...TUNING],
	},
	{
		id: 'upload_cover',
		label: 'Cover an Upload',
		action: 'Cover an uploaded song',
		description: 'Make a cover of an uploaded file',
		mediaType: 'audio',
		credits: 12,
		fields: [UPLOAD, ...whatToMake(true), required(model('V5_5')), ...TUNING],
		wanted: ['prompt', 'style'],
	},
	{
		id: 'upload_extend',
		label: 'Extend an Upload',
		action: 'Extend an uploaded song',
		description: 'Continue an uploaded file from a chosen point',
		mediaType: 'audio',
		credits: 12,
		fields: [UPLOAD, continueAt, ...HOW_TO_GO_ON, required(model('V5_5')), instrumental, ...TUNING],
	},
	{
		id: 'add_vocals',
		label: 'Add Vocals',
		action: 'Add vocals to an instrumental',
		description: 'Add singing over an uploaded instrumental',
		mediaType: 'audio',
		credits: 12,
		fields: [
			UPLOAD,
			required(prompt('Lyrics', { placeholder: SOME_LYRICS, description: 'The words to sing' })),
			required(
				style({ placeholder: 'Warm alto voice, close harmonies', description: 'Vocal style' }),
			),
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
		mediaType: 'audio',
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
		mediaType: 'audio',
		credits: 6,
		controls: AUDIO_FROM,
		fields: [
			...fromJobOrFile(true),
			secondsFromStart(
				'infill_start_s',
				'Section Start',
				'30',
				'Counted from the start of the track',
			),
			secondsFromStart('infill_end_s', 'Section End', '45', 'Counted from the start of the track'),
			required(
				prompt('Prompt', {
					placeholder: 'A softer bridge with a cello',
					description: 'What the new section is like',
				}),
			),
			tags,
			required(
				area('full_lyrics', 'Full Lyrics', {
					placeholder: SOME_LYRICS,
					description: 'The complete lyrics, the new section included',
				}),
			),
			required(title()),
			required(model('V5_5')),
			negativeTags,
		],
		wanted: TRACK_WANTED,
	},
	{
		id: 'mashup',
		label: 'Blend Uploads',
		action: 'Blend two uploaded songs',
		description: 'Blend two uploaded tracks',
		mediaType: 'audio',
		credits: 12,
		fields: [
			audio('upload', 'First Audio File'),
			audio('upload2', 'Second Audio File'),
			required(style()),
			required(title()),
			optional(
				prompt('Prompt', {
					max: 500,
					placeholder: 'Let the two choruses answer each other',
					description: 'How to blend the tracks',
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
		mediaType: 'audio',
		credits: 3,
		fields: [
			required(
				prompt('Prompt', {
					placeholder: 'Rain on a tin roof, distant thunder',
					description: 'What to hear',
				}),
			),
			required(model('V5')),
			more(
				toggle('sound_loop', 'Loop', {
					start: true,
					description: 'Whether it can be repeated without a seam',
				}),
			),
			more(
				number('sound_tempo', 'Tempo', {
					min: 20,
					max: 300,
					start: 120,
					description: 'Beats per minute',
				}),
			),
			more(
				text('sound_key', 'Key', { max: 8, placeholder: 'C minor', description: 'Musical key' }),
			),
			more(
				toggle('grab_lyrics', 'Grab Lyrics', {
					start: true,
					description: 'Whether to get the lyrics as well',
				}),
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
		mediaType: 'audio',
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
					[
						{ value: 'separate_vocal', label: 'Vocals and Instrumental' },
						{ value: 'split_stem', label: 'All Stems (up to 12)' },
						{ value: 'split_stem_advanced', label: 'One Stem' },
					],
					{ byDefault: 'separate_vocal', description: 'What to separate the track into' },
				),
			),
			required(
				text('stem_name', 'Stem Name', {
					when: { separation_type: ['split_stem_advanced'] },
					placeholder: 'drums',
					description: 'The stem to separate',
				}),
			),
		],
		wanted: TRACK_WANTED,
	},
	{
		id: 'wav',
		label: 'Convert to WAV',
		action: 'Convert a take to WAV',
		description: 'Convert a take to lossless WAV',
		mediaType: 'audio',
		credits: 1,
		worksOn: GEN_SET,
		fields: [TAKE],
	},
	{
		id: 'midi',
		label: 'Convert to MIDI',
		action: 'Convert a stem to MIDI',
		description: 'Turn a separated stem into MIDI note data',
		mediaType: 'text',
		credits: 0,
		worksOn: ['stems'],
		fields: [
			optional(
				audioId({
					start: '',
					description: 'A specific stem from the separation result; may be empty',
				}),
			),
		],
	},
	{
		id: 'recovery',
		label: 'Get New Links',
		action: 'Get new download links',
		description: 'Make new download links for an older generation whose links expired',
		mediaType: 'audio',
		credits: 0,
		worksOn: GEN_SET,
		fields: [],
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
				prompt('Prompt', {
					placeholder: 'The first snow in a small town',
					description: 'What the lyrics are about',
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
		worksOn: GEN_SET,
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
				text('content', 'Style Idea', {
					max: 500,
					placeholder: 'Dreamy synth pop',
					description: 'A style in a few words',
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
		worksOn: GEN_SET,
		fields: [TAKE],
	},
	{
		id: 'music_video',
		label: 'Generate Music Video',
		action: 'Generate a music video',
		description: 'Generate a simple video from a track',
		mediaType: 'video',
		credits: 2,
		worksOn: GEN_SET,
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
				text('language', 'Language', {
					max: 30,
					placeholder: 'English',
					description: 'Language of the phrase',
				}),
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
		worksOn: VOICE_STEPS,
		fields: [],
	},
	{
		id: 'voice_generate',
		label: 'Generate the Voice',
		action: 'Generate a custom voice',
		description: 'Submit the recording of the phrase and generate a reusable voice',
		mediaType: 'text',
		credits: 0,
		worksOn: VOICE_STEPS,
		fields: [
			upload('upload', 'Recording', { description: `The phrase, read aloud: ${UPLOAD_LIMITS}` }),
			optional(
				text('voice_name', 'Voice Name', {
					max: 80,
					placeholder: 'My Narrator',
					description: 'What to call the voice',
				}),
			),
			more(style({ placeholder: 'Calm, low, close', description: 'How the voice sounds' })),
			more(
				text('singer_skill_level', 'Singer Skill Level', {
					placeholder: 'beginner',
					description: 'How well the person sings; the service does not document its values',
				}),
			),
		],
	},
];

/**
 * Whether it makes something other than a song from a song, such as cover art or a video. The next
 * operation in a chain then works on the same song.
 */
const passesSongOn = (id: string, worksOn: Row['worksOn']) =>
	(worksOn === GEN_SET || id === 'stems') && !(GEN_SET as readonly string[]).includes(id);

/** The earlier job, where the document requires one but has no field for it. */
const unnamedSource = (start?: string): Field =>
	required(source({ sentAs: { openPoint: 'musicSource' }, ...(start && { start }) }));

const SONG_SOURCE = unnamedSource(`={{ $json.${DETAILS}?.${SOURCE_JOB} ?? $json.jobId }}`);

/** What all music operations have in common; the document shows none of their paths. */
export const MUSIC_CREATION = {
	kind: 'create',
	method: 'POST',
	path: { openPoint: 'musicSubmitPath' },
	operationIn: 'musicOperation',
	status: { openPoint: 'musicStatusPath', only: true },
} as const;

/** A row as an operation; the document has no field for the earlier job that most of them work on. */
function operationOf(
	{ value: resource }: Resource,
	{ id, credits, worksOn, fields, ...row }: Row,
): CreateOperation {
	return {
		...MUSIC_CREATION,
		...row,
		resource,
		operation: id,
		fields: [...(worksOn ? [worksOn === GEN_SET ? SONG_SOURCE : unnamedSource()] : []), ...fields],
		...(passesSongOn(id, worksOn) ? { passesSourceOn: true } : {}),
		price: typeof credits === 'number' ? { rows: [[{}, credits]] } : credits,
		...(worksOn ? { sources: worksOn } : {}),
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
			text(OPERATION_ID, 'Operation ID', {
				placeholder: 'remix',
				description: 'Its ID in the music catalog',
			}),
		),
	],
	fields: [
		optional(
			payload('fields', 'Fields', {
				description:
					'All fields of the request, with the names that the music catalog has for them, among them the field for an earlier job',
			}),
		),
	],
};
