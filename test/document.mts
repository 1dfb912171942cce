/**
 * The service's API documentation, transcribed: literals alone, section by section in its order, and nothing that
 * the package or the sandbox says. Tests and the sandbox take bounds, defaults, prices, states and limits from here.
 * What the documentation leaves open is in `NOT_SHOWN`.
 */

export type Value = string | number | boolean;

/** Values of other fields; of several allowed ones a list. */
export type Condition = Readonly<Record<string, Value | readonly Value[]>>;

/** A field of a payload. */
export interface Field {
	name: string;
	type: 'text' | 'number' | 'toggle' | 'choice' | 'url' | 'urls' | 'file' | 'source';
	/** The documentation says so; `true`: always. */
	required?: true | Condition;
	/** It has to be there wherever this field is. */
	requiredWith?: string;
	/** Elsewhere it has no effect. */
	usedOnlyWith?: Condition;
	/** It is for such requests alone. */
	onlyFor?: Condition;
	/** All values there are. */
	values?: readonly Value[];
	/** Values that are named where the documentation does not say that there are no others. */
	shown?: readonly Value[];
	default?: Value;
	/** Characters. */
	maxLength?: number;
	min?: number;
	max?: number;
	step?: number;
	/** A number without fractions. */
	isWhole?: true;
	minItems?: number;
	maxItems?: number;
}

/** Credits of a job whose values fit. */
export interface Price {
	when: Condition;
	/** It is not for jobs with these values. */
	unless?: Condition;
	credits: number;
	/** The credits are for each second; this field has their number. */
	perSecondOf?: string;
}

/** Credits that are added to the price, or taken off it. */
export interface Surcharge {
	when: Condition;
	/** Nothing where it is not shown. */
	credits?: number;
	/** Only where the price is at least this. */
	from?: number;
}

export interface Creation {
	/** Section and mode, as this file calls it. It is a POST. */
	name: string;
	/** Nothing where it is not shown. */
	path?: string;
	/** Property of the credential for the path that is not shown. */
	pathSetting?: string;
	fields: readonly Field[];
	/** One row fits a request that has all values; no rows: not shown. */
	prices: readonly Price[];
	surcharges?: readonly Surcharge[];
	/** Seconds that a job typically takes, by payload. */
	typicalSeconds?: ReadonlyArray<{ when: Condition; min: number; max: number }>;
	/** The record in the answer; nothing where it is not shown. */
	answer?: 'generation creation result' | 'family-A creation result';
	/** Where its state is read; nothing where it is not shown. */
	statusPath?: string;
}

export interface Read {
	name: string;
	method: 'GET' | 'PUT' | 'POST';
	path: string;
	body?: readonly Field[];
	query?: readonly Field[];
	/** Status of success; nothing where it is not shown. */
	success?: 200 | 201;
	/** Status that it answers at present. */
	disabledWith?: 403;
	/** What it needs in place of an API key; nobody has a key before there is an account. */
	authentication?: 'none' | 'browser session or token';
	answer?: readonly string[];
}

// Resources and their fields

/** Fields of the records that operations and the sandbox answer with, in the order of their tables. */
export const RECORDS = {
	'API key': ['id', 'name', 'key', 'key_preview', 'created_at'],
	profile: [
		'id',
		'username',
		'email',
		'credits_balance',
		'total_images_generated',
		'enable_watermark',
		'watermark_text',
		'created_at',
	],
	'credit summary': ['credits_balance', 'total_spent', 'total_credits_purchased'],
	'generation creation result': [
		'generation_id',
		'status',
		'credits_used',
		'credits_remaining',
		'message',
	],
	'generation record': [
		'id',
		'generation_type',
		'status',
		'prompt',
		'video_url',
		'video_model',
		'credits_used',
		'created_at',
		'completed_at',
		'error_message',
	],
	'family-A creation result': ['task_id', 'status', 'model', 'credits_charged', 'estimated_time'],
	'family-A status result': ['status', 'video_url', 'resolution', 'duration'],
	'error body': ['success', 'error', 'details'],
} as const;

/** Records inside `{success, data}`; all others are flat. */
export const IN_ENVELOPE = [
	'generation creation result',
	'family-A creation result',
	'family-A status result',
] as const;

/** Seconds that a video of the family has, as its status says. */
export const FAMILY_A_SECONDS = 8;

export const MUSIC_MODELS = ['V5_5', 'V5', 'V4_5PLUS', 'V4_5ALL', 'V4_5', 'V4'] as const;

export const MODEL_REMARKS: Readonly<Record<(typeof MUSIC_MODELS)[number], string>> = {
	V5_5: 'Newest; supports a custom duration',
	V5: 'Better expression, faster generation',
	V4_5PLUS: 'Richer sound, tracks up to 8 minutes',
	V4_5ALL: 'Smart prompts, faster generations',
	V4_5: 'Smart prompts, faster generations',
	V4: 'Improved vocals, tracks up to 4 minutes',
};

// Music operations

interface MusicOperation {
	id: string;
	credits: number;
	/** Credits by the value of a field, in place of `credits`. */
	creditsBy?: { field: string; credits: Readonly<Record<string, number>> };
	/** Whose results it works on; required. */
	sources?: readonly string[];
	fields: readonly Field[];
}

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

const VOICE_SET = ['voice_validate', 'voice_regenerate'] as const;

const text = (name: string, more: Partial<Field> = {}): Field => ({ name, type: 'text', ...more });
const number = (name: string, more: Partial<Field> = {}): Field => ({
	name,
	type: 'number',
	...more,
});
const toggle = (name: string, more: Partial<Field> = {}): Field => ({
	name,
	type: 'toggle',
	...more,
});
const choice = (name: string, values: readonly Value[], more: Partial<Field> = {}): Field => ({
	name,
	type: 'choice',
	values,
	...more,
});
/** A value that has to be given, though it need not be one of those that are shown. */
const open = (name: string, shown: readonly Value[], more: Partial<Field> = {}): Field => ({
	name,
	type: 'choice',
	shown,
	...more,
});

const required = true;

const negativeTags = text('negative_tags', { maxLength: 500 });
const vocalGender = choice('vocal_gender', ['m', 'f']);
const weight = (name: string) => number(name, { min: 0, max: 1, step: 0.01 });
const WEIGHTS = [weight('style_weight'), weight('weirdness_constraint'), weight('audio_weight')];
const TUNING = [negativeTags, vocalGender, ...WEIGHTS];

const model = (more: Partial<Field>) => choice('model', MUSIC_MODELS, more);
const requiredModel = model({ required, default: 'V5_5' });
const optionalModel = model({ default: 'V5_5' });

const upload = (name: string, more: Partial<Field> = {}): Field => ({
	name,
	type: 'file',
	...more,
});
const prompt5000 = text('prompt', { maxLength: 5000 });
const title80 = text('title', { maxLength: 80 });
const style1000 = text('style', { maxLength: 1000 });
const tags1000 = text('tags', { maxLength: 1000, required });
const audioId = text('audio_id', { required });
const seconds = (name: string) => number(name, { required, min: 0 });
const duration = number('duration', { min: 10, max: 360 });
const V5_OR_NEWER = { model: ['V5', 'V5_5'] };

const must = (field: Field): Field => ({ ...field, required });

export const MUSIC_OPERATIONS: readonly MusicOperation[] = [
	{
		id: 'generate',
		credits: 12,
		fields: [
			prompt5000,
			toggle('custom_mode', { default: false }),
			title80,
			style1000,
			toggle('instrumental', { default: true }),
			requiredModel,
			{ ...duration, usedOnlyWith: { model: 'V5_5' } },
			...TUNING,
			text('persona_id', { usedOnlyWith: V5_OR_NEWER }),
			choice('persona_model', ['style_persona', 'voice_persona'], { onlyFor: V5_OR_NEWER }),
		],
	},
	{
		id: 'extend',
		credits: 12,
		sources: GEN_SET,
		fields: [
			audioId,
			seconds('continue_at'),
			toggle('default_param_flag', { default: true }),
			prompt5000,
			title80,
			style1000,
			requiredModel,
			toggle('instrumental'),
			...TUNING,
		],
	},
	{
		id: 'upload_cover',
		credits: 12,
		fields: [
			upload('upload', { required }),
			toggle('custom_mode', { default: true }),
			toggle('instrumental', { default: true }),
			prompt5000,
			title80,
			style1000,
			requiredModel,
			...TUNING,
		],
	},
	{
		id: 'upload_extend',
		credits: 12,
		fields: [
			upload('upload', { required }),
			seconds('continue_at'),
			toggle('default_param_flag', { default: true }),
			prompt5000,
			title80,
			style1000,
			toggle('instrumental'),
			requiredModel,
			...TUNING,
		],
	},
	{
		id: 'add_vocals',
		credits: 12,
		fields: [
			upload('upload', { required }),
			must(prompt5000),
			must(title80),
			must(style1000),
			negativeTags,
			vocalGender,
			optionalModel,
			...WEIGHTS,
		],
	},
	{
		id: 'add_instrumental',
		credits: 12,
		fields: [
			upload('upload', { required }),
			must(title80),
			tags1000,
			negativeTags,
			optionalModel,
			vocalGender,
			...WEIGHTS,
		],
	},
	{
		id: 'replace_section',
		credits: 6,
		fields: [
			{ name: 'source', type: 'source' },
			upload('upload'),
			text('audio_id', { requiredWith: 'source' }),
			must(prompt5000),
			tags1000,
			must(title80),
			seconds('infill_start_s'),
			seconds('infill_end_s'),
			text('full_lyrics', { required }),
			negativeTags,
			requiredModel,
		],
	},
	{
		id: 'mashup',
		credits: 12,
		fields: [
			upload('upload', { required }),
			upload('upload2', { required }),
			must(title80),
			must(style1000),
			text('prompt', { maxLength: 500 }),
			toggle('instrumental'),
			duration,
			requiredModel,
			vocalGender,
			...WEIGHTS,
		],
	},
	{
		id: 'stems',
		credits: 10,
		creditsBy: {
			field: 'separation_type',
			credits: { separate_vocal: 10, split_stem: 50, split_stem_advanced: 20 },
		},
		fields: [
			{ name: 'source', type: 'source' },
			upload('upload'),
			text('audio_id'),
			choice('separation_type', ['separate_vocal', 'split_stem', 'split_stem_advanced'], {
				required,
				default: 'separate_vocal',
			}),
			text('stem_name', { required: { separation_type: 'split_stem_advanced' } }),
		],
	},
	{ id: 'wav', credits: 1, sources: GEN_SET, fields: [audioId] },
	{ id: 'midi', credits: 0, sources: ['stems'], fields: [text('audio_id')] },
	{ id: 'lyrics', credits: 1, fields: [must(prompt5000)] },
	{ id: 'timestamped_lyrics', credits: 1, sources: GEN_SET, fields: [audioId] },
	{ id: 'style_boost', credits: 1, fields: [text('content', { required, maxLength: 500 })] },
	{ id: 'cover_art', credits: 0, sources: GEN_SET, fields: [audioId] },
	{ id: 'music_video', credits: 2, sources: GEN_SET, fields: [audioId] },
	{
		id: 'sounds',
		credits: 3,
		fields: [
			must(prompt5000),
			model({ required, default: 'V5' }),
			toggle('sound_loop'),
			number('sound_tempo', { min: 20, max: 300 }),
			text('sound_key', { maxLength: 8 }),
			toggle('grab_lyrics'),
		],
	},
	{ id: 'recovery', credits: 0, sources: GEN_SET, fields: [] },
	{
		id: 'voice_validate',
		credits: 0,
		fields: [
			upload('upload', { required }),
			seconds('vocal_start_s'),
			seconds('vocal_end_s'),
			text('language', { maxLength: 30 }),
		],
	},
	{ id: 'voice_regenerate', credits: 0, sources: VOICE_SET, fields: [] },
	{
		id: 'voice_generate',
		credits: 0,
		sources: VOICE_SET,
		fields: [
			upload('upload', { required }),
			text('voice_name', { maxLength: 80 }),
			style1000,
			text('singer_skill_level'),
		],
	},
];

/** Of an uploaded track. */
export const UPLOADED_AUDIO = { formats: ['MP3', 'WAV'], maxSeconds: 480 } as const;

// States and transitions

export const STATES = ['queued', 'processing', 'completed', 'failed'] as const;

/** The state after a successful creation, which answers 201 and charges the credits. */
export const STATE_AT_CREATION = 'processing';

/** Seconds between two polls, in the loop that is shown. */
export const SHOWN_POLL_SECONDS = 10;

// Endpoints

export const ACCOUNT_ENDPOINTS: readonly Read[] = [
	{
		name: 'register',
		method: 'POST',
		path: '/api/register/',
		authentication: 'none',
		disabledWith: 403,
		body: [text('username'), text('email'), text('password')],
		success: 201,
		answer: ['token', 'user'],
	},
	{
		name: 'log in',
		method: 'POST',
		path: '/api/login/',
		authentication: 'none',
		disabledWith: 403,
		body: [text('username'), text('password')],
		success: 200,
		answer: ['token', 'user'],
	},
	{
		name: 'create API key',
		method: 'POST',
		path: '/api/api-keys/',
		authentication: 'browser session or token',
		body: [text('name')],
		success: 201,
		answer: RECORDS['API key'],
	},
	{
		name: 'get profile',
		method: 'GET',
		path: '/api/profile/',
		success: 200,
		answer: RECORDS.profile,
	},
	{
		name: 'update profile',
		method: 'PUT',
		path: '/api/profile/',
		body: [toggle('enable_watermark'), text('watermark_text')],
	},
	{
		name: 'get credits',
		method: 'GET',
		path: '/payments/api/credits/',
		success: 200,
		answer: RECORDS['credit summary'],
	},
	{ name: 'get transactions', method: 'GET', path: '/payments/api/transactions/' },
];

const prompt = text('prompt', { required });
/** In the words of each family: the job is shared in a public directory, and costs less. */
const optin = toggle('prompt_directory_optin');
const discount: Surcharge = { when: { prompt_directory_optin: true }, credits: -10 };

const GENERATION_STATUS = '/api/v1/generate/{generation_id}/';

export const IMAGE_CREATIONS: readonly Creation[] = [
	{
		name: 'image',
		path: '/api/v1/generate/',
		fields: [text('prompt'), choice('size', ['1:1', '3:2', '2:3'])],
		prices: [{ when: {}, credits: 8 }],
		answer: 'generation creation result',
		statusPath: GENERATION_STATUS,
	},
	{
		name: 'unified image',
		path: '/api/v1/image/generate',
		fields: [text('prompt'), open('aspectRatio', ['1:1'])],
		prices: [],
		statusPath: GENERATION_STATUS,
	},
];

export const IMAGE_READS: readonly Read[] = [
	{ name: 'image models', method: 'GET', path: '/api/v1/models/image/' },
	{
		name: 'generation status',
		method: 'GET',
		path: GENERATION_STATUS,
		success: 200,
		answer: RECORDS['generation record'],
	},
	{
		name: 'generation history',
		method: 'GET',
		path: '/api/v1/generate/history/',
		query: [
			number('limit', { isWhole: true }),
			number('offset', { isWhole: true }),
			open('type', ['image']),
		],
	},
];

export const VIDEO_CREATIONS: readonly Creation[] = [
	{
		name: 'standard video',
		path: '/api/v1/generate/video/',
		fields: [
			prompt,
			choice('video_model', ['modelA_fast', 'modelA']),
			choice('aspect_ratio', ['16:9', '9:16']),
			text('watermark_text', { maxLength: 50 }),
			{ name: 'source_image_urls', type: 'urls' },
			{ ...optin, default: true },
		],
		prices: [
			{ when: { video_model: 'modelA_fast', aspect_ratio: '16:9' }, credits: 130 },
			{ when: { video_model: 'modelA_fast', aspect_ratio: '9:16' }, credits: 150 },
			{ when: { video_model: 'modelA' }, credits: 300 },
		],
		surcharges: [discount],
		answer: 'generation creation result',
		statusPath: GENERATION_STATUS,
	},
	{
		name: 'family A',
		path: '/vidA31/api/generate/',
		fields: [
			prompt,
			choice('model', ['modelA_fast', 'modelA']),
			choice('aspectRatio', ['16:9', '9:16', 'Auto']),
			{ name: 'imageUrls', type: 'urls', minItems: 1, maxItems: 2 },
			text('watermark', { maxLength: 50 }),
			toggle('enableFallback', { default: false }),
			toggle('enableTranslation'),
		],
		prices: [
			{ when: { model: 'modelA_fast' }, credits: 100 },
			{ when: { model: 'modelA' }, credits: 250 },
		],
		surcharges: [{ when: { enableFallback: true }, credits: 200 }],
		typicalSeconds: [
			{ when: { model: 'modelA_fast' }, min: 30, max: 45 },
			{ when: { model: 'modelA' }, min: 45, max: 60 },
		],
		answer: 'family-A creation result',
		statusPath: '/vidA31/api/status/{task_id}/',
	},
	{
		name: 'family B 3.0',
		path: '/vidB30/api/generate/',
		fields: [
			prompt,
			open('generationMode', ['text_to_video']),
			number('durationSeconds', { isWhole: true, min: 3, max: 15 }),
			open('qualityMode', ['pro']),
			toggle('sound'),
			toggle('multiShots'),
			open('aspectRatio', ['16:9']),
			optin,
		],
		// The value of the standard tier is not shown.
		prices: [
			{
				when: { qualityMode: 'pro', sound: false },
				credits: 27,
				perSecondOf: 'durationSeconds',
			},
			{ when: { qualityMode: 'pro', sound: true }, credits: 40, perSecondOf: 'durationSeconds' },
			{
				when: { sound: false },
				unless: { qualityMode: 'pro' },
				credits: 20,
				perSecondOf: 'durationSeconds',
			},
			{
				when: { sound: true },
				unless: { qualityMode: 'pro' },
				credits: 30,
				perSecondOf: 'durationSeconds',
			},
		],
		surcharges: [{ when: { prompt_directory_optin: true } }],
	},
	{
		name: 'family B 2.6',
		path: '/vidB26/api/generate/',
		fields: [
			prompt,
			choice('generationMode', ['text_to_video', 'image_to_video']),
			choice('duration', ['5', '10']),
			choice('aspectRatio', ['16:9', '9:16', '1:1']),
			toggle('sound', { default: false }),
			{ name: 'imageUrls', type: 'urls', required: { generationMode: 'image_to_video' } },
			optin,
		],
		prices: [
			{ when: { duration: '5', sound: false }, credits: 55 },
			{ when: { duration: '10', sound: false }, credits: 110 },
			{ when: { duration: '5', sound: true }, credits: 110 },
			{ when: { duration: '10', sound: true }, credits: 220 },
		],
		surcharges: [discount],
	},
	{
		name: 'family C, text to video',
		path: '/api/v1/vidC/generate/text-to-video/',
		fields: [
			prompt,
			choice('aspect_ratio', ['landscape', 'portrait', 'square']),
			choice('quality', ['standard', 'high']),
			optin,
		],
		prices: [{ when: {}, credits: 80 }],
		surcharges: [discount],
	},
	{
		name: 'family C, image to video',
		pathSetting: 'vidCImagePath',
		fields: [],
		prices: [{ when: {}, credits: 80 }],
	},
	{
		name: 'family D',
		path: '/vidD/generate/',
		fields: [
			prompt,
			{ name: 'input_urls', type: 'urls' },
			open('aspect_ratio', ['16:9']),
			choice('resolution', ['480p', '720p']),
			choice('duration', ['4', '8', '12']),
			toggle('generate_audio'),
			optin,
		],
		prices: [
			{ when: { resolution: '480p', duration: '4', generate_audio: false }, credits: 8 },
			{ when: { resolution: '480p', duration: '4', generate_audio: true }, credits: 14 },
			{ when: { resolution: '480p', duration: '8', generate_audio: false }, credits: 14 },
			{ when: { resolution: '480p', duration: '8', generate_audio: true }, credits: 28 },
			{ when: { resolution: '480p', duration: '12', generate_audio: false }, credits: 19 },
			{ when: { resolution: '480p', duration: '12', generate_audio: true }, credits: 38 },
			{ when: { resolution: '720p', duration: '4', generate_audio: false }, credits: 14 },
			{ when: { resolution: '720p', duration: '4', generate_audio: true }, credits: 28 },
			{ when: { resolution: '720p', duration: '8', generate_audio: false }, credits: 28 },
			{ when: { resolution: '720p', duration: '8', generate_audio: true }, credits: 56 },
			{ when: { resolution: '720p', duration: '12', generate_audio: false }, credits: 42 },
			{ when: { resolution: '720p', duration: '12', generate_audio: true }, credits: 84 },
		],
		surcharges: [{ ...discount, from: 28 }],
	},
	{
		name: 'family E 2.6',
		path: '/vidE26/generate/',
		fields: [
			prompt,
			choice('mode', ['text-to-video', 'image-to-video', 'video-to-video']),
			choice('duration', ['5', '10', '15']),
			choice('resolution', ['720p', '1080p']),
			{ name: 'image_url', type: 'url', required: { mode: 'image-to-video' } },
			{ name: 'video_url', type: 'url', required: { mode: 'video-to-video' } },
		],
		prices: [
			{ when: { resolution: '720p', duration: '5' }, credits: 70 },
			{ when: { resolution: '720p', duration: '10' }, credits: 140 },
			{ when: { resolution: '720p', duration: '15' }, credits: 210 },
			{ when: { resolution: '1080p', duration: '5' }, credits: 105 },
			{ when: { resolution: '1080p', duration: '10' }, credits: 210 },
			{ when: { resolution: '1080p', duration: '15' }, credits: 315 },
		],
	},
	{
		name: 'family E, further version',
		pathSetting: 'vidEPath',
		fields: [],
		prices: [],
	},
	{
		name: 'Video Studio',
		path: '/api/v1/video-studio/generate/',
		fields: [],
		prices: [],
		statusPath: '/api/v1/video-studio/status/{job_id}/',
	},
];

export const VIDEO_READS: readonly Read[] = [
	{
		name: 'family-A status',
		method: 'GET',
		path: '/vidA31/api/status/{task_id}/',
		answer: RECORDS['family-A status result'],
	},
	{
		name: 'Video Studio status',
		method: 'GET',
		path: '/api/v1/video-studio/status/{job_id}/',
	},
	{ name: 'video models', method: 'GET', path: '/api/v1/models/video/' },
	{ name: 'Video Studio history', method: 'GET', path: '/api/v1/video-studio/history/' },
];

// Authentication

export const HEADER_FORMS = ['Bearer <API_KEY>', 'Token <API_KEY>', '<API_KEY>'] as const;

/** A token that log-in gave is sent in this form alone. */
export const TOKEN_HEADER_FORM = 'Token <AUTH_TOKEN>';

/** What a browser session sends to create a key. */
export const BROWSER_SESSION = { header: 'X-CSRFToken', cookie: 'sessionid' } as const;

/** Where keys are made by hand. */
export const SIGN_IN_PATH = '/accounts/login/';

// Errors

export const ERRORS = [
	{ status: 400, means: 'Malformed request or missing required fields' },
	{ status: 401, means: 'Authentication missing, invalid or revoked' },
	{
		status: 402,
		means: 'Insufficient credits for the operation (or no purchased credits for API use)',
	},
	{ status: 403, means: 'Access denied' },
	{ status: 404, means: 'Resource does not exist' },
	{ status: 429, means: 'Too many requests in a short time' },
	{ status: 500, means: 'Server error' },
] as const;

export const SUCCESS = { creation: 201, read: 200 } as const;

// Limits

export const LIMITS = {
	user: { requests: 100, windowMs: 60_000 },
	demo: { requests: 10, windowMs: 3_600_000 },
	concurrentGenerations: 5,
} as const;

// Gaps

/** `settings`: properties of the credential in which a user who knows it can say so. */
const gap = (point: string, settings: readonly string[] = []) => ({ point, settings });

/** All that the documentation says it does not show, section by section. */
export const NOT_SHOWN = [
	// Resources and their fields
	gap('field of the URL of an image', ['resultUrlField']),
	gap('record of a Video Studio job, but for its state and result URLs', [
		'stateField',
		'resultUrlField',
	]),
	gap('record of a transaction'),
	gap('entries of the model listings'),
	gap('fields of voice_generate after singer_skill_level'),
	gap('music operations after voice_generate'),
	gap('record of a music job: takes, links, states', [
		'identifierField',
		'stateField',
		'resultUrlField',
	]),
	// States and transitions
	gap('when queued is used'),
	gap('whether a failed job is refunded'),
	// Endpoint descriptions
	gap('fields of a Video Studio creation, and of its answer', ['identifierField']),
	gap('body of the Video Studio status', ['stateField', 'resultUrlField']),
	gap('query parameters and body of the Video Studio history'),
	gap('bodies of the model listings'),
	gap('answers of families B to E', ['identifierField', 'stateField', 'resultUrlField']),
	gap('status paths of families B to E', [
		'statusPath',
		'vidB30StatusPath',
		'vidB26StatusPath',
		'vidCStatusPath',
		'vidDStatusPath',
		'vidE26StatusPath',
		'vidEStatusPath',
	]),
	gap('image mode of family B 3.0: its value and its fields; other ratios and qualities'),
	gap('path of family C, image to video', ['vidCImagePath']),
	gap('answer to an update of the profile'),
	gap('answer of the transaction history'),
	gap('path of the music catalog', ['musicCatalogPath']),
	gap('path that submits a music operation, and how a request names it and its source', [
		'musicSubmitPath',
		'musicOperationField',
		'musicSourceField',
	]),
	gap('status path of music', ['statusPath', 'musicStatusPath']),
	gap('answer to a unified image', ['identifierField', 'imageStatusPath']),
	gap('body of the generation history, and defaults of its query'),
	gap('further family E: path and payloads', ['vidEPath']),
	gap('form of an uploaded file in a request', ['uploadAs']),
	// Prices
	gap('unified image, further family E, Video Studio'),
	gap('value of the standard tier of family B 3.0, and what the opt-in takes off there'),
	// Authentication
	gap('listing and revoking keys, lifetime of tokens, scopes'),
	// Events
	gap('kinds, payloads, registration'),
	// Errors
	gap('error codes, and which error which endpoint gives'),
	// Limits
	gap('headers with what is left of the limit'),
	gap('longest prompt of images and videos'),
	gap('size of input images'),
	// Versioning
	gap('deprecation, version headers, a change log'),
];
