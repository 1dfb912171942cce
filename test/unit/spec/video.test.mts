import fc from 'fast-check';
import type { INodeProperties } from 'n8n-workflow';

import { validate } from '../../../nodes/shared/request/validate.ts';
import {
	CATALOGS,
	IMAGE_CATALOG,
	MUSIC_CATALOG,
	VIDEO_CATALOG,
} from '../../../nodes/shared/spec/catalogs.ts';
import { JOB_ROUTES, jobRoute } from '../../../nodes/shared/spec/jobs.ts';
import { openPoint } from '../../../nodes/shared/spec/openPoints.ts';
import { VIDEO_FAMILIES } from '../../../nodes/shared/spec/video/families.ts';
import { isOpen } from '../../../nodes/shared/spec/video/family.ts';
import { operationProperties } from '../../support/operationProperties.mts';
import { operationNamed } from '../../support/operations.mts';

/** Literals from the document's video sections on one side, the tables on the other. */

describe('endpoints', () => {
	test.each([
		['standardVideo.generate', 'POST', '/api/v1/generate/video/'],
		['vidA31.generate', 'POST', '/vidA31/api/generate/'],
		['vidB30.generate', 'POST', '/vidB30/api/generate/'],
		['vidB26.textToVideo', 'POST', '/vidB26/api/generate/'],
		['vidB26.imageToVideo', 'POST', '/vidB26/api/generate/'],
		['vidC.textToVideo', 'POST', '/api/v1/vidC/generate/text-to-video/'],
		['vidD.generate', 'POST', '/vidD/generate/'],
		['vidE26.textToVideo', 'POST', '/vidE26/generate/'],
		['vidE26.imageToVideo', 'POST', '/vidE26/generate/'],
		['vidE26.videoToVideo', 'POST', '/vidE26/generate/'],
		['videoStudio.generate', 'POST', '/api/v1/video-studio/generate/'],
		['videoStudio.history', 'GET', '/api/v1/video-studio/history/'],
	])('%s is %s %s', (name, method, path) => {
		expect(operationNamed(name)).toMatchObject({ method, path });
	});

	test('the list of video models', () => {
		const list = VIDEO_CATALOG.operations.find(({ resource }) => resource === 'model');
		expect(list?.path).toBe('/api/v1/models/video/');
	});

	test.each([
		['vidC.imageToVideo', 'vidCImagePath'],
		['vidE.textToVideo', 'vidEPath'],
		['vidE.imageToVideo', 'vidEPath'],
		['vidE.videoEdit', 'vidEPath'],
		['vidE.referenceToVideo', 'vidEPath'],
	])('%s has a path of the credential', (name, openPoint) => {
		expect(operationNamed(name).path).toMatchObject({ openPoint });
	});
});

/** By what a job was started with: the documented path of its state, or the setting that has it. */
const STATUS_PATHS: Record<string, string | { openPoint: string }> = {
	generation: '/api/v1/generate/{generation_id}/',
	imageUnified: { openPoint: 'imageStatusPath' },
	vidA31: '/vidA31/api/status/{task_id}/',
	vidB30: { openPoint: 'vidB30StatusPath' },
	vidB26: { openPoint: 'vidB26StatusPath' },
	vidC: { openPoint: 'vidCStatusPath' },
	vidD: { openPoint: 'vidDStatusPath' },
	vidE26: { openPoint: 'vidE26StatusPath' },
	videoStudio: '/api/v1/video-studio/status/{job_id}/',
	vidE: { openPoint: 'vidEStatusPath' },
	music: { openPoint: 'musicStatusPath' },
	generationHistory: '/api/v1/generate/history/',
	videoStudioHistory: '/api/v1/video-studio/history/',
};

describe('the state of a job', () => {
	test('is read by what it was started with', () => {
		const paths = JOB_ROUTES.map(({ value, path }) => [value, path]);
		expect(Object.fromEntries(paths)).toMatchObject(STATUS_PATHS);
		expect(paths).toHaveLength(Object.keys(STATUS_PATHS).length);
	});

	test.each(Object.keys(STATUS_PATHS))('%s can be chosen, and stand in the item', (value) => {
		expect(jobRoute(value, 'generation')?.value).toBe(value);
		expect(jobRoute('item', value)?.value).toBe(value);
	});

	test.each([undefined, null, '', 'somethingElse', 7])(
		'an item that says %p is of the general route',
		(item) => {
			expect(jobRoute('item', item)?.path).toBe('/api/v1/generate/{generation_id}/');
		},
	);

	test('what is not in the list is no choice', () => {
		expect(jobRoute('somethingElse', 'music')).toBeUndefined();
	});

	test.each(['get', 'wait'])('job.%s is the same in all three nodes', (operation) => {
		const found = [IMAGE_CATALOG, VIDEO_CATALOG, MUSIC_CATALOG].map(({ operations }) =>
			operations.filter(
				(candidate) => candidate.operation === operation && candidate.resource === 'job',
			),
		);
		expect(found.map((same) => same.length)).toEqual([1, 1, 1]);
		expect(new Set(found.flat()).size).toBe(1);
	});

	test('no other operation of a node reads it', () => {
		const all = CATALOGS.flatMap(({ operations }) => operations);
		const readers = new Set(all.filter(({ kind }) => kind === 'status'));
		expect([...readers].map(({ resource, operation }) => `${resource}.${operation}`)).toEqual([
			'job.get',
			'job.wait',
		]);
	});

	test.each(['job.get', 'job.wait'])('%s needs only the item', (name) => {
		const form = operationProperties(operationNamed(name));
		const [startedWith, jobId] = form;
		expect(startedWith).toMatchObject({
			displayName: 'Started With',
			name: 'startedWith',
			default: 'item',
		});
		expect(startedWith?.options?.map((option) => 'value' in option && option.value)).toEqual([
			'item',
			...Object.keys(STATUS_PATHS),
		]);
		expect(jobId).toMatchObject({
			displayName: 'Job ID',
			name: 'jobId',
			required: true,
			default: { mode: 'id', value: '={{ $json.jobId ?? $json.id }}' },
		});
	});
});

test('no two families share a resource or a setting', () => {
	const names = VIDEO_FAMILIES.flatMap(({ resource, status, creations }) => [
		resource.value,
		...[status, ...creations.map(({ path }) => path)]
			.filter(isOpen)
			.map(({ openPoint }) => openPoint),
	]);
	expect(names).toHaveLength(new Set(names).size);
});

/** Field by field: type, whether it must be there, allowed values; `…` where there may be others. */
const FIELDS: Record<string, Record<string, string>> = {
	'standardVideo.generate': {
		prompt: 'textarea required',
		video_model: 'select modelA_fast|modelA',
		aspect_ratio: 'select 16:9|9:16',
		prompt_directory_optin: 'toggle =true',
		source_image_urls: 'urlList',
		watermark_text: 'text <=50',
	},
	'vidA31.generate': {
		prompt: 'textarea required',
		model: 'select modelA_fast|modelA',
		aspectRatio: 'select 16:9|9:16|Auto',
		imageUrls: 'urlList 1..2',
		watermark: 'text <=50',
		enableFallback: 'toggle =false',
		enableTranslation: 'toggle',
	},
	'vidB30.generate': {
		prompt: 'textarea required',
		generationMode: 'select text_to_video…',
		durationSeconds: 'integer 3-15',
		qualityMode: 'select pro…',
		aspectRatio: 'select 16:9…',
		sound: 'toggle',
		multiShots: 'toggle',
		payload: 'fields',
		prompt_directory_optin: 'toggle',
	},
	'vidB26.imageToVideo': {
		prompt: 'textarea required',
		imageUrls: 'urlList required when generationMode is image_to_video',
		duration: 'select 5|10',
		aspectRatio: 'select 16:9|9:16|1:1',
		sound: 'toggle =false',
		prompt_directory_optin: 'toggle',
	},
	'vidC.textToVideo': {
		prompt: 'textarea required',
		aspect_ratio: 'select landscape|portrait|square',
		quality: 'select standard|high',
		prompt_directory_optin: 'toggle',
	},
	// Not one of its fields is documented: its table is that of text-to-video.
	'vidC.imageToVideo': { payload: 'fields required' },
	'vidD.generate': {
		prompt: 'textarea required',
		aspect_ratio: 'select 16:9…',
		resolution: 'select 480p|720p',
		duration: 'select 4|8|12',
		generate_audio: 'toggle',
		input_urls: 'urlList',
		prompt_directory_optin: 'toggle',
	},
	'vidE26.videoToVideo': {
		prompt: 'textarea required',
		image_url: 'url required when mode is image-to-video',
		video_url: 'url required when mode is video-to-video',
		duration: 'select 5|10|15',
		resolution: 'select 720p|1080p',
	},
};

describe('fields', () => {
	test.each(Object.entries(FIELDS))('%s', (name, expected) => {
		const told = operationNamed(name).fields.map((field): [string, string] => {
			const { type, presence, options, openValues, min, max, maxLength, requiredWhen } = field;
			const values = options?.map(({ value }) => value).join('|');
			const words = [
				type,
				presence === 'required' ? 'required' : '',
				values === undefined ? '' : `${values}${openValues ? '…' : ''}`,
				min === undefined ? '' : `${min}-${max}`,
				field.maxItems === undefined ? '' : `${field.minItems}..${field.maxItems}`,
				maxLength === undefined ? '' : `<=${maxLength}`,
				field.default === undefined ? '' : `=${field.default}`,
				requiredWhen === undefined
					? ''
					: `required when ${Object.entries(requiredWhen).map(([key, [value]]) => `${key} is ${value}`)}`,
			];
			return [field.name, words.filter(Boolean).join(' ')];
		});
		expect(Object.fromEntries(told)).toEqual(expected);
	});
});

/** A request that is right, by operation. */
const url = 'https://cdn.example/a.png';
const RIGHT: Record<string, Record<string, unknown>> = {
	'standardVideo.generate': { prompt: 'x', video_model: 'modelA', aspect_ratio: '16:9' },
	'vidA31.generate': { prompt: 'x', model: 'modelA', aspectRatio: 'Auto' },
	'vidB30.generate': {
		prompt: 'x',
		generationMode: 'text_to_video',
		durationSeconds: 5,
		qualityMode: 'pro',
		aspectRatio: '16:9',
		sound: false,
	},
	'vidB26.textToVideo': { prompt: 'x', duration: '5', aspectRatio: '1:1' },
	'vidB26.imageToVideo': { prompt: 'x', duration: '5', aspectRatio: '1:1', imageUrls: [url] },
	'vidC.textToVideo': { prompt: 'x', aspect_ratio: 'square', quality: 'high' },
	'vidC.imageToVideo': { payload: { prompt: 'x', image: url, prompt_directory_optin: true } },
	'vidD.generate': { prompt: 'x', resolution: '480p', duration: '12', generate_audio: true },
	'vidE26.textToVideo': { prompt: 'x', duration: '15', resolution: '720p' },
	'vidE26.imageToVideo': { prompt: 'x', duration: '15', resolution: '720p', image_url: url },
	'vidE26.videoToVideo': { prompt: 'x', duration: '15', resolution: '720p', video_url: url },
	'videoStudio.generate': { payload: { model: 'any' } },
	'vidE.videoEdit': { payload: { mode: 'any' } },
};

const problems = (name: string, more: Record<string, unknown> = {}) => {
	const operation = operationNamed(name);
	return validate(operation, { ...operation.fixed, ...RIGHT[name], ...more });
};

describe('bounds and conditions', () => {
	test.each(Object.keys(RIGHT))('%s: a right request', (name) => {
		expect(problems(name)).toEqual([]);
	});

	/** Just inside, and just outside: the field that is named. */
	test.each([
		['standardVideo.generate', { watermark_text: 'x'.repeat(50) }, undefined],
		['standardVideo.generate', { watermark_text: 'x'.repeat(51) }, 'watermark_text'],
		['standardVideo.generate', { watermark_text: '😀'.repeat(50) }, undefined],
		['standardVideo.generate', { watermark_text: '😀'.repeat(51) }, 'watermark_text'],
		['standardVideo.generate', { video_model: 'modelB' }, 'video_model'],
		['standardVideo.generate', { aspect_ratio: '1:1' }, 'aspect_ratio'],
		['standardVideo.generate', { source_image_urls: [url, url, url] }, undefined],
		[
			'standardVideo.generate',
			{ source_image_urls: ['ftp://x.example/cat.png'] },
			'source_image_urls',
		],
		['vidA31.generate', { watermark: 'x'.repeat(50) }, undefined],
		['vidA31.generate', { watermark: 'x'.repeat(51) }, 'watermark'],
		['vidA31.generate', { imageUrls: [url] }, undefined],
		['vidA31.generate', { imageUrls: [url, url] }, undefined],
		['vidA31.generate', { imageUrls: [url, url, url] }, 'imageUrls'],
		['vidA31.generate', { imageUrls: [] }, 'imageUrls'],
		['vidA31.generate', { aspectRatio: '1:1' }, 'aspectRatio'],
		['vidB30.generate', { durationSeconds: 3 }, undefined],
		['vidB30.generate', { durationSeconds: 2 }, 'durationSeconds'],
		['vidB30.generate', { durationSeconds: 15 }, undefined],
		['vidB30.generate', { durationSeconds: 16 }, 'durationSeconds'],
		['vidB30.generate', { durationSeconds: 4.5 }, 'durationSeconds'],
		['vidB30.generate', { qualityMode: 'anything' }, undefined],
		['vidB26.textToVideo', { duration: '15' }, 'duration'],
		['vidB26.textToVideo', { aspectRatio: '2:3' }, 'aspectRatio'],
		['vidB26.imageToVideo', { imageUrls: undefined }, 'imageUrls'],
		['vidC.textToVideo', { aspect_ratio: '16:9' }, 'aspect_ratio'],
		['vidC.textToVideo', { quality: 'best' }, 'quality'],
		['vidD.generate', { duration: '10' }, 'duration'],
		['vidD.generate', { resolution: '1080p' }, 'resolution'],
		['vidD.generate', { aspect_ratio: '21:9' }, undefined],
		['vidE26.textToVideo', { duration: '20' }, 'duration'],
		['vidE26.textToVideo', { resolution: '480p' }, 'resolution'],
		['vidE26.imageToVideo', { image_url: undefined }, 'image_url'],
		['vidE26.videoToVideo', { video_url: undefined }, 'video_url'],
		['vidE26.videoToVideo', { video_url: 'file:///x' }, 'video_url'],
		['videoStudio.generate', { payload: {} }, 'payload'],
		['videoStudio.generate', { payload: 'text' }, 'payload'],
		['videoStudio.generate', { payload: { '': 1 } }, 'payload'],
	])('%s %j: %s', (name, more, field) => {
		expect(problems(name, more).map((problem) => problem.field)).toEqual(field ? [field] : []);
	});

	test.each(Object.keys(RIGHT).filter((name) => 'prompt' in RIGHT[name]!))(
		'%s needs a prompt',
		(name) => {
			expect(problems(name, { prompt: '' }).map(({ field }) => field)).toEqual(['prompt']);
		},
	);

	test('a duration is right just when it is a whole number from 3 to 15', () => {
		fc.assert(
			fc.property(fc.double({ min: -50, max: 50, noNaN: true }), (durationSeconds) => {
				const right =
					Number.isInteger(durationSeconds) && durationSeconds >= 3 && durationSeconds <= 15;
				expect(problems('vidB30.generate', { durationSeconds }).length === 0).toBe(right);
			}),
		);
	});

	test('a closed set takes its values and no other text', () => {
		const closed: Array<[string, string, string[]]> = [
			['vidA31.generate', 'aspectRatio', ['16:9', '9:16', 'Auto']],
			['vidE26.textToVideo', 'duration', ['5', '10', '15']],
			['vidD.generate', 'resolution', ['480p', '720p']],
		];
		fc.assert(
			fc.property(fc.constantFrom(...closed), fc.string(), ([name, field, values], text) => {
				expect(problems(name, { [field]: text }).length === 0).toBe(values.includes(text));
			}),
		);
	});
});

test('what a video is made from is as many as the request takes', () => {
	const describes = (name: string) => operationNamed(name).description;
	expect(describes('vidE26.imageToVideo')).toBe('Make a video from an image');
	expect(describes('vidB26.imageToVideo')).toBe('Make a video from images');
});

describe('the form', () => {
	const names = (name: string) =>
		operationProperties(operationNamed(name))
			.filter(({ displayOptions }) => !('@tool' in (displayOptions?.show ?? {})))
			.map((p) => p.name);
	const property = (name: string, field: string) =>
		operationProperties(operationNamed(name)).find((candidate) => candidate.name === field);

	test('has only the fields of the chosen family and mode', () => {
		expect(names('vidE26.textToVideo')).toEqual([
			'prompt',
			'duration',
			'resolution',
			...Array.from({ length: 8 }, () => 'price'),
			'waitForCompletion',
			'downloadMedia',
			'options',
		]);
		expect(names('vidE26.imageToVideo').slice(0, 2)).toEqual(['prompt', 'image_url']);
		expect(names('vidE26.videoToVideo').slice(0, 2)).toEqual(['prompt', 'video_url']);
		expect(names('vidB26.textToVideo')).not.toContain('imageUrls');
		expect(property('vidB26.imageToVideo', 'imageUrls')).toMatchObject({ required: true });
	});

	test('shows the undocumented fields of family B 3.0 only for a mode of your own', () => {
		expect(property('vidB30.generate', 'payloadMode')?.displayOptions?.show).toMatchObject({
			generationMode: [{ _cnd: { not: 'text_to_video' } }],
		});
	});

	test('says what publishing means, and what it saves', () => {
		const { description, default: byDefault } = property(
			'standardVideo.generate',
			'prompt_directory_optin',
		) as INodeProperties;
		expect(byDefault).toBe(true);
		expect(description).toContain('share prompt and video in its public directory');
		expect(description).toContain('10 credits cheaper');
		expect(property('standardVideo.generate', 'prompt_directory_optinNotice')).toMatchObject({
			type: 'notice',
			displayName: "Your prompt and video become public in the service's directory.",
		});
	});

	test('says what models and switches cost, and how long the models take', () => {
		expect(property('vidA31.generate', 'model')?.options).toMatchObject([
			{ value: 'modelA_fast', description: '100 credits. Typically done in 30 to 45 s' },
			{ value: 'modelA', description: '250 credits. Typically done in 45 to 60 s' },
		]);
		const fallback = property('vidA31.generate', 'additionalFields')?.options?.find(
			({ name }) => name === 'enableFallback',
		);
		expect((fallback as INodeProperties).description).toContain('200 credits more');
	});

	test('takes fields that are not documented as pairs or JSON', () => {
		expect(names('videoStudio.generate').slice(0, 3)).toEqual([
			'payloadMode',
			'payloadPairs',
			'payload',
		]);
	});
});

test('the place for the family in a status path is filled with what its jobs are started with', () => {
	const open = JOB_ROUTES.filter(({ path }) => typeof path !== 'string');
	expect(open.length).toBeGreaterThan(5);
	for (const { value, path } of open) {
		expect(openPoint((path as { openPoint: string }).openPoint)?.setting?.family).toBe(value);
	}
});
