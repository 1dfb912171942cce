import type { CreateOperation, Field, MediaType, Price, Rule } from '../types';
import {
	area,
	audioId,
	continueAt,
	customMode,
	defaultParams,
	duration,
	instrumental,
	negativeTags,
	prompt,
	REQUIRED,
	secondsFromStart,
	source,
	style,
	tags,
	text,
	title,
	toggle,
	TUNING,
	number,
	upload,
	vocalGender,
	WEIGHTS,
} from './fields';
import { model } from './models';
import { ARTWORK, LYRICS, SONG, TRACK, VOICE } from './resources';

/** What differs between the 21 operations (section "Music catalog"). */
interface Row {
	id: string;
	resource: { value: string };
	label: string;
	/** In the document's words, nearly. */
	description: string;
	mediaType: MediaType;
	credits: number | Price;
	/** Operations on whose result it works; they are required when there is no field for them. */
	worksOn?: readonly string[];
	fields: readonly Field[];
	rules?: readonly Rule[];
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

const UPLOAD = upload('upload', 'Audio File', { description: 'MP3 or WAV, up to 8 minutes' });

const STEMS_PRICE: Price = {
	shown: true,
	rates: [
		{ when: { separation_type: ['separate_vocal'] }, credits: 10 },
		{ when: { separation_type: ['split_stem'] }, credits: 50 },
		{ when: { separation_type: ['split_stem_advanced'] }, credits: 20 },
	],
};

/**
 * What replace_section and stems work on. The document marks each as optional, and has no rule but
 * that a generated track takes an audio_id. An audio_id names a take by itself, so it is taken as
 * enough: a request that may be right is not refused, and one that is not is answered 400, free of
 * charge. None of the three leaves nothing to work on.
 */
const WORKED_ON = ['source', 'upload', 'audio_id'];

const SONGS: readonly Row[] = [
	{
		id: 'generate',
		resource: SONG,
		label: 'Generate',
		description: 'Create an original song; yields two takes',
		mediaType: 'audio',
		credits: 12,
		fields: [
			prompt(),
			model('V5_5'),
			instrumental(true),
			customMode(false),
			title(),
			style(),
			// "Used only by V5_5": with another model it is ignored, not wrong.
			duration({ usedWhen: { model: ['V5_5'] } }),
			...TUNING,
			text('persona_id', 'Persona ID', undefined, {
				appliesWhen: FOR_PERSONA,
				description: 'A persona or custom voice',
			}),
			{
				name: 'persona_model',
				label: 'Persona Model',
				type: 'select',
				presence: 'optional',
				appliesWhen: FOR_PERSONA,
				options: [
					{ value: 'style_persona', label: 'Style Persona' },
					{ value: 'voice_persona', label: 'Voice Persona' },
				],
			},
		],
	},
	{
		id: 'extend',
		resource: SONG,
		label: 'Extend',
		description: 'Continue a generated track from a chosen point',
		mediaType: 'audio',
		credits: 12,
		worksOn: GEN_SET,
		fields: [
			audioId({ ...REQUIRED, description: 'The take to continue' }),
			continueAt,
			model('V5_5'),
			defaultParams,
			prompt(),
			title(),
			style(),
			instrumental(),
			...TUNING,
		],
	},
	{
		id: 'upload_cover',
		resource: SONG,
		label: 'Cover an Upload',
		description: 'Make a cover of an uploaded file',
		mediaType: 'audio',
		credits: 12,
		fields: [
			UPLOAD,
			model('V5_5'),
			customMode(true),
			instrumental(true),
			prompt(),
			title(),
			style(),
			...TUNING,
		],
	},
	{
		id: 'upload_extend',
		resource: SONG,
		label: 'Extend an Upload',
		description: 'Continue an uploaded file from a chosen point',
		mediaType: 'audio',
		credits: 12,
		fields: [
			UPLOAD,
			continueAt,
			model('V5_5'),
			defaultParams,
			prompt(),
			title(),
			style(),
			instrumental(),
			...TUNING,
		],
	},
	{
		id: 'add_vocals',
		resource: SONG,
		label: 'Add Vocals',
		description: 'Add singing over an uploaded instrumental',
		mediaType: 'audio',
		credits: 12,
		fields: [
			UPLOAD,
			prompt(5000, { ...REQUIRED, label: 'Lyrics', description: 'The lyrics to sing' }),
			title(REQUIRED),
			style({ ...REQUIRED, description: 'Vocal style' }),
			negativeTags,
			vocalGender,
			model('V5_5', 'optional'),
			...WEIGHTS,
		],
	},
	{
		id: 'add_instrumental',
		resource: SONG,
		label: 'Add Instrumental',
		description: 'Add accompaniment under an uploaded vocal',
		mediaType: 'audio',
		credits: 12,
		fields: [
			UPLOAD,
			title(REQUIRED),
			tags(REQUIRED),
			negativeTags,
			model('V5_5', 'optional'),
			vocalGender,
			...WEIGHTS,
		],
	},
	{
		id: 'replace_section',
		resource: SONG,
		label: 'Replace Section',
		description: 'Replace a time range of a track (infill)',
		mediaType: 'audio',
		credits: 6,
		fields: [
			source({ description: 'One of your generated takes; leave it empty to use a file' }),
			{ ...UPLOAD, presence: 'optional', description: 'Used instead of a generated take' },
			audioId({
				description: 'The take; required when replacing from a generated track',
			}),
			prompt(5000, REQUIRED),
			tags(REQUIRED),
			title(REQUIRED),
			secondsFromStart('infill_start_s', 'Section Start', 'Seconds from the start of the track'),
			secondsFromStart('infill_end_s', 'Section End', 'Seconds from the start of the track'),
			area('full_lyrics', 'Full Lyrics', undefined, {
				...REQUIRED,
				description: 'The complete lyrics, the new section included',
			}),
			model('V5_5'),
			negativeTags,
		],
		rules: [
			{ kind: 'oneOf', fields: WORKED_ON },
			{ kind: 'with', field: 'audio_id', given: 'source' },
			{ kind: 'after', later: 'infill_end_s', earlier: 'infill_start_s' },
		],
	},
	{
		id: 'mashup',
		resource: SONG,
		label: 'Mashup',
		description: 'Blend two uploaded tracks',
		mediaType: 'audio',
		credits: 12,
		fields: [
			upload('upload', 'First Audio File', { description: 'MP3 or WAV, up to 8 minutes' }),
			upload('upload2', 'Second Audio File', { description: 'MP3 or WAV, up to 8 minutes' }),
			title(REQUIRED),
			style(REQUIRED),
			model('V5_5'),
			prompt(500),
			instrumental(),
			// No word of models here, as there is in generate.
			duration(),
			vocalGender,
			...WEIGHTS,
		],
	},
	{
		id: 'sounds',
		resource: SONG,
		label: 'Create Sounds',
		description: 'Create loops, ambience and effects',
		mediaType: 'audio',
		credits: 3,
		fields: [
			prompt(5000, REQUIRED),
			model('V5'),
			toggle('sound_loop', 'Loop', undefined, {
				description: 'Whether it can be repeated without a seam',
			}),
			number('sound_tempo', 'Tempo', { min: 20, max: 300, description: 'Beats per minute' }),
			text('sound_key', 'Key', 8, { description: 'Musical key' }),
			toggle('grab_lyrics', 'Grab Lyrics', undefined, {
				description: 'Whether lyrics are taken as well',
			}),
		],
	},
];

const TRACKS: readonly Row[] = [
	{
		id: 'stems',
		resource: TRACK,
		label: 'Separate Stems',
		description: 'Separate vocals, instrumental or up to 12 instrument stems',
		mediaType: 'audio',
		credits: STEMS_PRICE,
		fields: [
			{
				name: 'separation_type',
				label: 'Separation Type',
				type: 'select',
				presence: 'required',
				default: 'separate_vocal',
				options: [
					{ value: 'separate_vocal', label: 'Separate Vocal' },
					{ value: 'split_stem', label: 'Split Stem' },
					{ value: 'split_stem_advanced', label: 'Split Stem Advanced (Single Stem)' },
				],
			},
			text('stem_name', 'Stem Name', undefined, {
				requiredWhen: { separation_type: ['split_stem_advanced'] },
				description: 'The stem to separate',
			}),
			source({ description: 'One of your generated tracks; leave it empty to use a file' }),
			{ ...UPLOAD, presence: 'optional', description: 'Used instead of a generated track' },
			audioId({ description: 'The take of the generated track' }),
		],
		rules: [{ kind: 'oneOf', fields: WORKED_ON }],
	},
	{
		id: 'wav',
		resource: TRACK,
		label: 'Convert to WAV',
		description: 'Convert a take to lossless WAV',
		mediaType: 'audio',
		credits: 1,
		worksOn: GEN_SET,
		fields: [audioId(REQUIRED)],
	},
	{
		id: 'midi',
		resource: TRACK,
		label: 'Convert to MIDI',
		description: 'Turn a separated stem into MIDI note data',
		mediaType: 'text',
		credits: 0,
		worksOn: ['stems'],
		fields: [audioId({ description: 'A specific stem from the separation result' })],
	},
	{
		id: 'recovery',
		resource: TRACK,
		label: 'Recover Links',
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
		resource: LYRICS,
		label: 'Write Lyrics',
		description: 'Write lyrics from a theme',
		mediaType: 'text',
		credits: 1,
		fields: [prompt(5000, REQUIRED)],
	},
	{
		id: 'timestamped_lyrics',
		resource: LYRICS,
		label: 'Get Timestamped Lyrics',
		description: 'Get the word-by-word timings of a take',
		mediaType: 'text',
		credits: 1,
		worksOn: GEN_SET,
		fields: [audioId(REQUIRED)],
	},
	{
		id: 'style_boost',
		resource: LYRICS,
		label: 'Boost a Style',
		description: 'Expand a short style idea',
		mediaType: 'text',
		credits: 1,
		fields: [text('content', 'Style Idea', 500, REQUIRED)],
	},
];

const PICTURES: readonly Row[] = [
	{
		id: 'cover_art',
		resource: ARTWORK,
		label: 'Create Cover Art',
		description: 'Create artwork for a take',
		mediaType: 'image',
		credits: 0,
		worksOn: GEN_SET,
		fields: [audioId(REQUIRED)],
	},
	{
		id: 'music_video',
		resource: ARTWORK,
		label: 'Create Music Video',
		description: 'Make a simple video from a track',
		mediaType: 'video',
		credits: 2,
		worksOn: GEN_SET,
		fields: [audioId(REQUIRED)],
	},
];

const VOICES: readonly Row[] = [
	{
		id: 'voice_validate',
		resource: VOICE,
		label: 'Validate a Voice',
		description: 'Start a custom voice from a sample; yields a phrase to read aloud',
		mediaType: 'text',
		credits: 0,
		fields: [
			upload('upload', 'Voice Sample', { description: 'MP3 or WAV, up to 8 minutes' }),
			secondsFromStart('vocal_start_s', 'Vocal Start', 'Where the voice begins, in seconds'),
			secondsFromStart('vocal_end_s', 'Vocal End', 'Where the voice ends, in seconds'),
			text('language', 'Language', 30),
		],
		rules: [{ kind: 'after', later: 'vocal_end_s', earlier: 'vocal_start_s' }],
	},
	{
		id: 'voice_regenerate',
		resource: VOICE,
		label: 'Ask for Another Phrase',
		description: 'Get a fresh phrase to read aloud',
		mediaType: 'text',
		credits: 0,
		worksOn: VOICE_STEPS,
		fields: [],
	},
	{
		id: 'voice_generate',
		resource: VOICE,
		label: 'Create the Voice',
		description: 'Submit the recording of the phrase and create a reusable voice',
		mediaType: 'text',
		credits: 0,
		worksOn: VOICE_STEPS,
		fields: [
			upload('upload', 'Recording', { description: 'The phrase, read aloud: MP3 or WAV' }),
			text('voice_name', 'Voice Name', 80),
			style(),
			text('singer_skill_level', 'Singer Skill Level'),
		],
	},
];

/** What all music operations have in common: their paths are open. */
export const MUSIC_CREATION = {
	kind: 'create',
	method: 'POST',
	path: { openPoint: 'musicSubmitPath' },
	modelField: 'model',
	status: { openPoint: 'musicStatusPath', only: true },
} as const;

/** All operations of the music studio that the document lists. */
export const MUSIC_OPERATIONS: readonly CreateOperation[] = [
	...SONGS,
	...TRACKS,
	...TEXTS,
	...PICTURES,
	...VOICES,
].map((row) => ({
	...MUSIC_CREATION,
	resource: row.resource.value,
	operation: row.id,
	label: row.label,
	action: `${row.label} (music)`,
	description: row.description,
	fields: [...(row.worksOn ? [source(REQUIRED)] : []), ...row.fields],
	...(row.rules ? { rules: row.rules } : {}),
	mediaType: row.mediaType,
	price:
		typeof row.credits === 'number'
			? { shown: true, rates: [{ credits: row.credits }] }
			: row.credits,
	...(row.worksOn ? { source: { required: true, operations: row.worksOn } } : {}),
}));
