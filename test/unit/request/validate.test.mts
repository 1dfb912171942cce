import fc from 'fast-check';

import { validate } from '../../../nodes/shared/request/validate.ts';
import type { Values } from '../../../nodes/shared/spec/conditions.ts';
import type { Operation } from '../../../nodes/shared/spec/types.ts';
import { GENERATE_IMAGE, GENERATE_IMAGE_UNIFIED } from '../../../nodes/shared/spec/images.ts';
import { GET_JOB, JOB_HISTORY } from '../../../nodes/shared/spec/jobs.ts';
import type { Field } from '../../../nodes/shared/spec/types.ts';
import { CATALOGS } from '../../../nodes/shared/spec/catalogs.ts';
import { musicOperation, operationNamed } from '../../support/operations.mts';
import { MADE_UP_OPERATION } from '../../support/madeUpOperations.mts';

const messages = (...parameters: Parameters<typeof validate>) =>
	validate(...parameters).map(({ message }) => message);

describe('images', () => {
	test.each(['1:1', '3:2', '2:3'])('size %s is allowed', (size) => {
		expect(messages(GENERATE_IMAGE, { prompt: 'a cat', size })).toEqual([]);
	});

	test('another size is named with its value and the rule', () => {
		expect(messages(GENERATE_IMAGE, { prompt: 'a cat', size: '4:3' })).toEqual([
			'Size (size) must be one of 1:1, 3:2, 2:3, but is "4:3"',
		]);
	});

	test.each([
		[undefined, 'Prompt is empty'],
		['   ', 'Prompt is empty'],
		[7, 'Prompt (prompt) must be a text, but is 7'],
		[
			null,
			'Prompt (prompt) is empty, so the service would choose: enter a value, or correct the expression',
		],
	])('prompt %p', (prompt, message) => {
		expect(messages(GENERATE_IMAGE, { prompt, size: '1:1' })).toEqual([message]);
	});

	test('an open set of values takes any text', () => {
		expect(messages(GENERATE_IMAGE_UNIFIED, { prompt: 'x', aspectRatio: '21:9' })).toEqual([]);
	});

	test('a field that the operation does not have', () => {
		expect(messages(GENERATE_IMAGE, { prompt: 'x', size: '1:1', seed: 1 })).toEqual([
			'seed is not a field of this operation, but is 1',
		]);
	});
});

describe('free fields do not take the place of fields that are checked', () => {
	const VID_B30 = {
		prompt: 'x',
		generationMode: 'image_to_video',
		durationSeconds: 5,
		qualityMode: 'pro',
		aspectRatio: '16:9',
		sound: false,
	};
	const withPayload = (payload: object) =>
		messages(operationNamed('vidB30.generate'), { ...VID_B30, payload });

	test.each([
		[{ durationSeconds: 600 }, 'durationSeconds'],
		[{ durationSeconds: 5 }, 'durationSeconds'],
		[{ prompt: 'y', image: 'z', sound: true }, 'prompt and sound'],
		[{ prompt_directory_optin: true }, 'prompt_directory_optin'],
	])('%j', (payload, names) => {
		const message = `Fields of the Mode (payload) must not set ${names}: this operation has a field for it`;
		expect(withPayload(payload)).toEqual([expect.stringContaining(message)]);
	});

	test('others are theirs', () => {
		expect(withPayload({ image: 'https://x.example/a.png', duration: 5, payload: 1 })).toEqual([]);
		expect(withPayload({})).toEqual([]);
	});

	test.each([
		['text', 'must be a JSON object, but is "text"'],
		[{}, 'must have at least one field with a value, but is {}'],
		[{ a: null, b: ' ' }, 'must have at least one field with a value, but is {"a":null,"b":" "}'],
		[{ '': 1 }, 'has a field without a name'],
	])('where nothing else says what to make, %j is wrong', (payload, rule) => {
		const problems = messages(operationNamed('videoStudio.generate'), { payload });
		expect(problems).toEqual([expect.stringContaining(`(payload) ${rule}`)]);
	});

	test('in every operation that has both', () => {
		const all = CATALOGS.flatMap(({ operations }) => operations).filter(
			({ kind, fields }) => kind === 'create' && fields.some(({ type }) => type === 'fields'),
		);
		expect(all.length).toBeGreaterThan(0);
		for (const operation of all) {
			const free = operation.fields.find(({ type }) => type === 'fields')!;
			const checked = operation.fields.filter(({ type }) => type !== 'fields');
			const names = [...checked.map(({ name }) => name), ...Object.keys(operation.fixed ?? {})];
			for (const name of names) {
				const problems = validate(
					{
						...operation,
						fields: operation.fields.map((field) => ({
							...field,
							presence: 'optional',
							appliesWhen: undefined,
							requiredWhen: undefined,
						})),
					},
					{ [free.name]: { [name]: 'x' } },
				);
				expect(problems.map(({ field }) => field)).toEqual([free.name]);
			}
		}
	});

	test('what the operation sets itself cannot be set otherwise', () => {
		const of = (generationMode: string) =>
			messages(operationNamed('vidB26.textToVideo'), {
				prompt: 'x',
				duration: '5',
				aspectRatio: '16:9',
				generationMode,
			});
		expect(of('text_to_video')).toEqual([]);
		expect(of('image_to_video')).toContain(
			'generationMode must be text_to_video here, but is "image_to_video"',
		);
	});
});

test.each(['.', '..'])('the identifier %s would change the path', (jobId) => {
	expect(messages(GET_JOB, { jobId })).toEqual([
		`Job ID (jobId) must be an identifier, but is "${jobId}"`,
	]);
});

test('nothing stands before the start of the history', () => {
	expect(messages(JOB_HISTORY, { offset: 0 })).toEqual([]);
	expect(messages(JOB_HISTORY, { offset: -1 })).toEqual([
		'Offset (offset) must be at least 0, but is -1',
	]);
});

describe('every kind of rule', () => {
	const base = { prompt: 'x', mode: 'text', model: 'fine', seconds: 5 };
	const of = (more: object) => messages(MADE_UP_OPERATION, { ...base, ...more });

	test.each([
		[{ seconds: 3 }, []],
		[{ seconds: 15 }, []],
		[{ seconds: 2 }, ['Seconds (seconds) must be between 3 and 15, but is 2']],
		[{ seconds: 16 }, ['Seconds (seconds) must be between 3 and 15, but is 16']],
		[{ seconds: 3.5 }, ['Seconds (seconds) must be a whole number, but is 3.5']],
		[{ seconds: 'long' }, ['Seconds (seconds) must be a number, but is "long"']],
		[
			{ weight: Infinity },
			expect.arrayContaining([expect.stringMatching(/^Weight \(weight\) must be a number/)]),
		],
		[{ weight: 0.29 }, []],
		[{ weight: 0.295 }, ['Weight (weight) must be in steps of 0.01, but is 0.295']],
		[{ weight: 1.01 }, ['Weight (weight) must be between 0 and 1, but is 1.01']],
		[{ prompt: 'x'.repeat(40) }, []],
		[
			{ prompt: 'x'.repeat(41) },
			[`Prompt (prompt) must have at most 40 characters, but is "${'x'.repeat(41)}"`],
		],
		[
			// One more than are shown.
			{ prompt: 'x'.repeat(61) },
			[
				`Prompt (prompt) must have at most 40 characters, but has 61 characters: "${'x'.repeat(60)}…"`,
			],
		],
		[
			{ prompt: 'x'.repeat(60) },
			[`Prompt (prompt) must have at most 40 characters, but is "${'x'.repeat(59)}…`],
		],
		[
			{ prompt: 'x'.repeat(58) },
			[`Prompt (prompt) must have at most 40 characters, but is "${'x'.repeat(58)}"`],
		],
		[{ style: 'custom' }, ['Style in Words (style_text) is required when Style is custom']],
		[{ style: 'custom', style_text: 'ink' }, []],
		[
			{ image_url: 'ftp://x' },
			['Image URL (image_url) must be a URL starting with http(s)://, but is "ftp://x"'],
		],
		...['see https://x.example/a.png', 'https://x.example/a b.png'].map(
			(image_url): [object, string[]] => [
				{ image_url },
				[`Image URL (image_url) must be a URL starting with http(s)://, but is "${image_url}"`],
			],
		),
		[{ image_url: 'http://x.example/a.png' }, []],
		[{ image_url: 7 }, ['Image URL (image_url) must be a URL, but is 7']],
		[{ frames: 'a' }, ['Frames (frames) must be a list of URLs, but is "a"']],
		[
			{ frames: Array.from({ length: 61 }, () => 'https://x.example/a.png') },
			['Frames (frames) must have 1 to 2 URLs, but has 61'],
		],
		[{ loop_from: -1, loop_to: 3 }, ['Loop From (loop_from) must be at least 0, but is -1']],
		[{ frames: ['https://x.example/a.png'] }, []],
		[
			{ frames: ['https://x.example/a.png', 'ftp://x.example/b.png'] },
			['Frames (frames) must be a URL starting with http(s)://, but is "ftp://x.example/b.png"'],
		],
		// It may be a file of the item.
		[{ frames: ['https://x.example/a.png', 'no'] }, []],
		[{ frames: [] }, ['Frames (frames) must have 1 to 2 URLs, but has 0']],
		[
			{ model: 'fast', frames: ['https://x.example/a.png'] },
			['Frames (frames) can be used only when Model is fine, but is ["https://x.example/a.png"]'],
		],
		[{ sound: 'yes' }, ['Sound (sound) must be true or false, but is "yes"']],
		[{ loop_from: 2, loop_to: 3 }, []],
		[{ loop_from: 3, loop_to: 3 }, []],
	])('%j', (more, expected) => {
		expect(of(more)).toEqual(expected);
	});

	test.each([
		[5, []],
		[15, []],
		[25.0, []],
		[10, ['Tempo (tempo) must be in steps of 10 from 5, but is 10']],
		[0, ['Tempo (tempo) must be at least 5, but is 0', expect.stringContaining('in steps of 10')]],
	])('steps count from the minimum: %s', (tempo, expected) => {
		const field: Field = {
			...{ name: 'tempo', label: 'Tempo', type: 'number', presence: 'optional' },
			...{ min: 5, step: 10 },
		};
		expect(messages({ ...MADE_UP_OPERATION, fields: [field] }, { mode: 'text', tempo })).toEqual(
			expected,
		);
	});

	test('what an operation cannot do without, since it is that operation, is empty', () => {
		const video = { prompt: 'x', duration: '5', resolution: '720p' };
		expect(messages(operationNamed('vidE26.imageToVideo'), video)).toEqual(['Image URL is empty']);
	});

	test('a list without a documented end', () => {
		const video = { prompt: 'x', video_model: 'modelA', aspect_ratio: '16:9' };
		const of = (source_image_urls: string[]) =>
			messages(operationNamed('standardVideo.generate'), {
				...video,
				prompt_directory_optin: false,
				source_image_urls,
			});
		expect(of([])).toEqual([expect.stringContaining('must have at least 1 URLs, but has 0')]);
		expect(of(Array.from({ length: 9 }, () => 'https://x.example/a.png'))).toEqual([]);
	});

	test('a text that needs no more than to be there may be empty where it is optional', () => {
		const lyrics = { prompt: '' };
		expect(messages(musicOperation('lyrics'), lyrics)).toEqual(['Prompt is empty']);
		expect(messages(musicOperation('generate'), { ...lyrics, model: 'V5', title: '' })).toEqual(
			expect.not.arrayContaining([expect.stringContaining('Title')]),
		);
	});

	test('a number is accepted just when it is inside its bounds', () => {
		fc.assert(
			fc.property(fc.integer({ min: -100, max: 100 }), (seconds) => {
				expect(of({ seconds }).length === 0).toBe(seconds >= 3 && seconds <= 15);
			}),
		);
	});

	test('no value makes it throw', () => {
		fc.assert(
			fc.property(fc.dictionary(fc.string(), fc.anything()), (values) => {
				expect(Array.isArray(validate(MADE_UP_OPERATION, { ...values }))).toBe(true);
			}),
		);
	});
});

describe('characters are those that a reader counts, not those of UTF-16', () => {
	const CAT = '\u{1f431}';
	const video = (watermark: string) =>
		messages(operationNamed('vidA31.generate'), {
			prompt: 'x',
			model: 'modelA',
			aspectRatio: '16:9',
			watermark,
		});

	test('of an emoji each is one', () => {
		expect(video(CAT.repeat(50))).toEqual([]);
		expect(video(CAT.repeat(51))).toEqual([
			`Watermark Text (watermark) must have at most 50 characters, but is "${CAT.repeat(51)}"`,
		]);
		expect(video(CAT.repeat(61))).toEqual([
			`Watermark Text (watermark) must have at most 50 characters, but has 61 characters: "${CAT.repeat(60)}…"`,
		]);
	});

	const HALF = CAT.slice(0, 1);
	const STANDARD = {
		prompt: 'x',
		video_model: 'modelA',
		aspect_ratio: '16:9',
		prompt_directory_optin: false,
	};
	const studio = operationNamed('videoStudio.generate');
	const rule = 'has half of a character, such as of an emoji: cut the text in another place';

	test.each<[Operation, Values, string]>([
		[GENERATE_IMAGE, { prompt: `a ${HALF}`, size: '1:1' }, 'Prompt (prompt)'],
		[GENERATE_IMAGE_UNIFIED, { prompt: 'x', aspectRatio: HALF }, 'Aspect Ratio (aspectRatio)'],
		[GET_JOB, { jobId: HALF }, 'Job ID (jobId)'],
		[
			operationNamed('standardVideo.generate'),
			{ ...STANDARD, source_image_urls: [`https://a.example/${HALF}`] },
			'Image URLs (source_image_urls)',
		],
		[studio, { payload: { prompt: [{ text: HALF }] } }, 'Request Fields (payload)'],
		[studio, { payload: { [HALF]: 1 } }, 'Request Fields (payload)'],
	])('half of one is refused: %#', (operation, values, field) => {
		expect(messages(operation, values)).toEqual([`${field} ${rule}`]);
	});

	test('two halves that make one are one', () => {
		expect(video(`${CAT.slice(0, 1)}${CAT.slice(1)}`)).toEqual([]);
	});
});

describe('what is no URL is shown without what may be secret', () => {
	const messageOf = (source_image_urls: unknown) =>
		messages(operationNamed('standardVideo.generate'), {
			prompt: 'x',
			video_model: 'modelA',
			aspect_ratio: '16:9',
			source_image_urls,
		});

	test.each<[unknown, string]>([
		['htp://a.example/b.png?X-Amz-Signature=SECRET', '"htp://a.example/b.png"'],
		['ftp://user:SECRET@a.example/b.png', '"ftp://a.example/b.png"'],
		['see https://user:SECRET@a.example/b.png', '"***"'],
		[{ url: 'https://a.example/b?sig=SECRET' }, '{"url":"https://a.example/b"}'],
		[`htp://a.example/${'b'.repeat(99)}?sig=SECRET`, `"htp://a.example/${'b'.repeat(44)}…"`],
		[`htp://a.example/?sig=SECRET${'b'.repeat(99)}`, '"htp://a.example/…"'],
	])('%j', (url, expected) => {
		const [message = ''] = messageOf([url]);
		expect(message).toContain(expected);
		expect(message).not.toContain('SECRET');
	});
});
