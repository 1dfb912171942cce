import { GENERATION_RESULT, TASK_RESULT } from '../answers';
import { GENERATION_ROUTE, type ListOperation, resource, type PriceRow } from '../operation';
import { choice, more, number, payload, required, shownValue, toggle } from '../field';
import { link } from '../file';
import {
	GENERATE,
	IMAGE_TO_VIDEO,
	images,
	lengths,
	MODELS_A,
	named,
	optin,
	OPTIN_DISCOUNT,
	PROMPT,
	ratio,
	WHOLE_REQUEST,
	resolution,
	sound,
	TEXT_TO_VIDEO,
	VIDEO_TO_VIDEO,
	type VideoFamily,
	watermark,
} from './family';

/** Section "Standard video". */
const STANDARD_VIDEO: VideoFamily = {
	resource: resource(
		'standardVideo',
		'Standard Video',
		'Start here: fully documented, from text or images',
	),
	short: 'Standard',
	status: GENERATION_ROUTE,
	creations: [
		{
			...GENERATE,
			path: '/api/v1/generate/video/',
			fields: [
				PROMPT,
				images('source_image_urls'),
				choice('video_model', 'Model', 'Speed or quality', MODELS_A),
				ratio('aspect_ratio', '16:9', '9:16'),
				optin({ byDefault: true }),
				...more(watermark('watermark_text')),
			],
			price: {
				rows: [
					[{ video_model: ['modelA_fast'], aspect_ratio: ['16:9'] }, 130],
					[{ video_model: ['modelA_fast'], aspect_ratio: ['9:16'] }, 150],
					[{ video_model: ['modelA'] }, 300],
				],
				extras: [OPTIN_DISCOUNT],
			},
			result: GENERATION_RESULT,
		},
	],
};

const A31_FRAMES =
	'Images to make the video from, if any: first frame, and last frame if there are two';

/** Section "Family-A video". */
const VID_A31: VideoFamily = {
	resource: resource('vidA31', 'Family A', 'First and last frame, 8 s, from text or images'),
	status: {
		path: '/vidA31/api/status/{task_id}/',
		idField: 'task_id',
		stateField: 'status',
		urlFields: { video: 'video_url' },
	},
	creations: [
		{
			...GENERATE,
			path: '/vidA31/api/generate/',
			fields: [
				PROMPT,
				images('imageUrls', A31_FRAMES, { max: 2 }),
				choice('model', 'Model', 'Speed or quality', MODELS_A),
				ratio('aspectRatio', '16:9', '9:16', 'Auto'),
				...more(
					watermark('watermark'),
					toggle(
						'enableFallback',
						'Enable Fallback',
						'Whether to fall back to another way for a 99% success rate, which costs more',
						{ byDefault: false },
					),
					toggle(
						'enableTranslation',
						'Enable Translation',
						'Whether to translate the prompt to English automatically',
						{ start: true },
					),
				),
			],
			price: {
				rows: [
					[{ model: ['modelA_fast'] }, 100],
					[{ model: ['modelA'] }, 250],
				],
				extras: [{ when: { enableFallback: [true] }, credits: 200 }],
			},
			result: TASK_RESULT,
			takes: [
				[{ model: ['modelA_fast'] }, 30, 45],
				[{ model: ['modelA'] }, 45, 60],
			],
		},
	],
};

const B30_MODE = 'What the video is made from; there is an image mode, too';
const B30_QUALITY = 'Quality of the video; there is a cheaper standard tier, too';
const B30_FURTHER = 'Fields that the image mode needs; the service does not document them';
const B30_SHOTS = 'Whether the prompt describes several shots';

/** Section "Family-B video, version 3.0". */
const VID_B30: VideoFamily = {
	resource: resource('vidB30', 'Family B 3.0', 'Any length, several shots, with or without sound'),
	creations: [
		{
			...GENERATE,
			path: '/vidB30/api/generate/',
			fields: [
				PROMPT,
				shownValue('generationMode', 'Generation Mode', B30_MODE, 'text_to_video'),
				number('durationSeconds', 'Duration (Seconds)', 'Length of the video', {
					min: 3,
					max: 15,
					isWhole: true,
					start: 5,
				}),
				shownValue('qualityMode', 'Quality', B30_QUALITY, 'pro'),
				shownValue('aspectRatio', 'Aspect Ratio', 'Width to height', '16:9'),
				sound('sound'),
				optin(),
				...more(
					toggle('multiShots', 'Multi Shots', B30_SHOTS, { start: true }),
					payload('payload', 'Further Fields', B30_FURTHER),
				),
			],
			price: {
				rows: [
					[{ sound: [false] }, 27],
					[{ sound: [true] }, 40],
				],
				times: 'durationSeconds',
				exactWhen: { qualityMode: ['pro'], prompt_directory_optin: [false] },
				doubt:
					'less in the standard tier (20, with Sound 30), whose name is not documented, and by an unknown amount if published',
			},
		},
	],
};

const B26_FIELDS = [
	lengths('5', '10'),
	ratio('aspectRatio', '16:9', '9:16', '1:1'),
	sound('sound', { byDefault: false }),
	optin(),
];

/** What both modes of version 2.6 have in common. */
const B26 = {
	path: '/vidB26/api/generate/',
	price: {
		rows: [
			[{ duration: ['5'], sound: [false] }, 55],
			[{ duration: ['10'], sound: [false] }, 110],
			[{ duration: ['5'], sound: [true] }, 110],
			[{ duration: ['10'], sound: [true] }, 220],
		],
		extras: [OPTIN_DISCOUNT],
	},
} as const;

/** Section "Family-B video, version 2.6". */
const VID_B26: VideoFamily = {
	resource: resource(
		'vidB26',
		'Family B 2.6',
		'Landscape, portrait or square, from text or images, with or without sound',
	),
	creations: [
		{
			...B26,
			...TEXT_TO_VIDEO,
			fixed: { generationMode: 'text_to_video' },
			fields: [PROMPT, ...B26_FIELDS],
		},
		{
			...B26,
			...IMAGE_TO_VIDEO,
			fixed: { generationMode: 'image_to_video' },
			fields: [
				required(images('imageUrls', 'Images to make the video from')),
				PROMPT,
				...B26_FIELDS,
			],
		},
	],
};

/** Section "Family-C video": 10 seconds, 1080p. */
const VID_C: VideoFamily = {
	resource: resource(
		'vidC',
		'Family C',
		'Landscape, portrait or square, 10 s, 1080p, from text or images',
	),
	creations: [
		{
			...TEXT_TO_VIDEO,
			path: '/api/v1/vidC/generate/text-to-video/',
			fields: [
				PROMPT,
				ratio('aspect_ratio', 'landscape', 'portrait', 'square'),
				choice('quality', 'Quality', 'Quality of the video', named(['standard', 'high'])),
				optin(),
			],
			price: { rows: [[{}, 80]], extras: [OPTIN_DISCOUNT] },
		},
		// Only its price is shown: the table of fields is that of text-to-video.
		{
			...IMAGE_TO_VIDEO,
			path: { openPoint: 'vidCImagePath' },
			fields: [WHOLE_REQUEST],
			price: { rows: [[{}, 80]] },
		},
	],
};

/** Credits without and with audio, by resolution and duration in seconds. */
const D_PRICES: ReadonlyArray<
	[resolution: string, duration: string, silent: number, audio: number]
> = [
	['480p', '4', 8, 14],
	['480p', '8', 14, 28],
	['480p', '12', 19, 38],
	['720p', '4', 14, 28],
	['720p', '8', 28, 56],
	['720p', '12', 42, 84],
];

const D_ROWS = D_PRICES.flatMap(([resolution, duration, silent, audio]): PriceRow[] => [
	[{ resolution: [resolution], duration: [duration], generate_audio: [false] }, silent],
	[{ resolution: [resolution], duration: [duration], generate_audio: [true] }, audio],
]);

/** Section "Family-D video": video with audio. */
const VID_D: VideoFamily = {
	resource: resource(
		'vidD',
		'Family D',
		'Short clips, lowest prices, from text or images, with or without sound',
	),
	creations: [
		{
			...GENERATE,
			path: '/vidD/generate/',
			fields: [
				PROMPT,
				images('input_urls'),
				shownValue('aspect_ratio', 'Aspect Ratio', 'Width to height', '16:9'),
				resolution('480p', '720p'),
				lengths('4', '8', '12'),
				sound('generate_audio'),
				optin(),
			],
			price: { rows: D_ROWS, extras: [{ ...OPTIN_DISCOUNT, from: 28 }] },
		},
	],
};

const E26_FIELDS = [PROMPT, lengths('5', '10', '15'), resolution('720p', '1080p')];

/** What all modes have in common. */
const E26 = {
	path: '/vidE26/generate/',
	price: {
		rows: [
			[{ resolution: ['720p'], duration: ['5'] }, 70],
			[{ resolution: ['720p'], duration: ['10'] }, 140],
			[{ resolution: ['720p'], duration: ['15'] }, 210],
			[{ resolution: ['1080p'], duration: ['5'] }, 105],
			[{ resolution: ['1080p'], duration: ['10'] }, 210],
			[{ resolution: ['1080p'], duration: ['15'] }, 315],
		],
	},
} as const;

const E26_IMAGE = required(
	link('image_url', 'Image', 'Image to make the video from', 'image', {
		placeholder: 'data or https://example.com/first.png',
	}),
);

const E26_VIDEO = required(
	link('video_url', 'Video', 'Video to make the video from', 'video', {
		placeholder: 'data or https://example.com/clip.mp4',
	}),
);

/** Section "Family-E video, version 2.6". */
const VID_E26: VideoFamily = {
	resource: resource('vidE26', 'Family E 2.6', 'From text, an image or a video'),
	creations: [
		{ ...E26, ...TEXT_TO_VIDEO, fixed: { mode: 'text-to-video' }, fields: E26_FIELDS },
		{
			...E26,
			...IMAGE_TO_VIDEO,
			action: 'Generate a video from an image',
			description: 'Generate a video from an image',
			fixed: { mode: 'image-to-video' },
			fields: [E26_IMAGE, ...E26_FIELDS],
		},
		{
			...E26,
			...VIDEO_TO_VIDEO,
			fixed: { mode: 'video-to-video' },
			fields: [E26_VIDEO, ...E26_FIELDS],
		},
	],
};

/** The other version, of which the document shows only that it exists, and its modes. */
const VID_E: VideoFamily = {
	resource: resource(
		'vidE',
		'Family E',
		'Another version; needs an address from the support of the service',
	),
	creations: [
		{
			...GENERATE,
			description:
				'Generate a video in one of the modes t2v, i2v, video edit and r2v; the fields of a mode are not documented',
			path: { openPoint: 'vidEPath' },
			fields: [WHOLE_REQUEST],
		},
	],
};

const STUDIO = resource(
	'videoStudio',
	'Video Studio',
	'All video models; requests are not documented',
);

/** Query parameters and body are not shown. */
export const VIDEO_STUDIO_HISTORY: ListOperation = {
	kind: 'list',
	resource: STUDIO.value,
	operation: 'history',
	label: 'Get History',
	action: 'Get the Video Studio history',
	description: 'List recent Video Studio jobs, one item each',
	method: 'GET',
	path: '/api/v1/video-studio/history/',
	fields: [],
};

const STUDIO_FIELDS =
	'The service does not document them. Model > Get Many lists models, ratios, durations and quality modes';

/** Section "Video Studio": one interface to all video models. */
export const VIDEO_STUDIO: VideoFamily = {
	resource: STUDIO,
	// The body is not shown beyond job state and result URLs.
	status: { path: '/api/v1/video-studio/status/{job_id}/', idField: 'job_id' },
	creations: [
		{
			...GENERATE,
			path: '/api/v1/video-studio/generate/',
			fields: [required(payload('payload', 'Request Fields', STUDIO_FIELDS))],
		},
	],
	others: [VIDEO_STUDIO_HISTORY],
};

/**
 * The model families, in the order of the node's dropdown. Everything else follows from this list:
 * form, checks, prices, settings of the credential, routes of the sandbox, reference.
 */
export const VIDEO_FAMILIES: readonly VideoFamily[] = [
	STANDARD_VIDEO,
	VID_A31,
	VID_B30,
	VID_B26,
	VID_C,
	VID_D,
	VID_E26,
	VIDEO_STUDIO,
	// Last, since none of it works without a path that the document does not show.
	VID_E,
];
