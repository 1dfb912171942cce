import { readValues } from '../../../nodes/shared/request/readValues.ts';
import { validate } from '../../../nodes/shared/request/validate.ts';
import { GENERATE_IMAGE, GENERATE_IMAGE_UNIFIED } from '../../../nodes/shared/spec/images.ts';
import { JOB_HISTORY } from '../../../nodes/shared/spec/jobs.ts';
import type { Operation } from '../../../nodes/shared/spec/types.ts';
import { musicOperation, operationNamed } from '../../support/operations.mts';
import { MADE_UP_OPERATION } from '../../support/madeUpOperations.mts';

const reader = (parameters: Record<string, unknown>) => (name: string, fallback: unknown) =>
	name in parameters ? parameters[name] : fallback;

test('required fields come from the top level, optional ones from additionalFields', () => {
	const parameters = {
		prompt: 'x',
		model: 'fast',
		seconds: 4,
		weight: 'ignored: not where it belongs',
		additionalFields: { sound: true },
	};
	expect(readValues(MADE_UP_OPERATION, reader(parameters))).toEqual({
		// What makes the operation is no parameter.
		mode: 'text',
		prompt: 'x',
		model: 'fast',
		seconds: 4,
		sound: true,
	});
});

test('what is empty is not sent', () => {
	const parameters = { prompt: '', size: '1:1', additionalFields: {} };
	expect(readValues(GENERATE_IMAGE, reader(parameters))).toStrictEqual({ size: '1:1' });
});

test.each([null, undefined, ''])('nor is an optional field that is %p', (negative_tags) => {
	const parameters = { prompt: 'x', additionalFields: { negative_tags } };
	const values = readValues(musicOperation('generate'), reader(parameters));
	expect(Object.keys(values)).not.toContain('negative_tags');
});

describe('what the service does not require, and is paid for without it', () => {
	const song = (prompt: unknown) =>
		readValues(musicOperation('generate'), reader({ prompt, custom_mode: false }));

	test('is left out where a person left it empty', () => {
		expect(song('')).not.toHaveProperty('prompt');
		expect(song(' ')).toMatchObject({ prompt: ' ' });
	});

	test.each([null, undefined])('is refused where an expression gives %p', (nothing) => {
		expect(song(nothing)).toMatchObject({ prompt: null });
		expect(validate(musicOperation('generate'), song(nothing)).map(({ field }) => field)).toContain(
			'prompt',
		);
	});

	test('is not missed where another field says as much', () => {
		const own = { custom_mode: true, instrumental: false, prompt: null, style: 'Folk' };
		expect(readValues(musicOperation('generate'), reader(own))).not.toHaveProperty('prompt');
	});
});

test('a required field that the form has under Additional Fields has its documented default', () => {
	const hidden: Operation = {
		...GENERATE_IMAGE,
		fields: [
			{
				name: 'model',
				label: 'Model',
				type: 'text',
				presence: 'required',
				upFront: false,
				default: 'V5_5',
			},
			{ name: 'seed', label: 'Seed', type: 'text', presence: 'optional', default: '7' },
		],
	};
	expect(readValues(hidden, reader({}))).toStrictEqual({ model: 'V5_5' });
});

test('a creation names a field that is always sent and empty; another request leaves it out', () => {
	const field = { name: 'on', label: 'On', type: 'toggle', presence: 'expected' } as const;
	const creation: Operation = { ...GENERATE_IMAGE, fields: [field] };
	const list = { ...JOB_HISTORY, fields: [field] } as Operation;
	expect(readValues(creation, reader({ on: '' }))).toStrictEqual({ on: null });
	expect(readValues(list, reader({ on: '' }))).toStrictEqual({});
});

test('"Other" takes the text beside the dropdown', () => {
	const parameters = { prompt: 'x', aspectRatio: '__other__', aspectRatioOther: '21:9' };
	expect(readValues(GENERATE_IMAGE_UNIFIED, reader(parameters))).toEqual({
		prompt: 'x',
		aspectRatio: '21:9',
	});
});

test('texts from expressions become the values they name', () => {
	const parameters = {
		prompt: 'x',
		seconds: '4',
		model: 'fast',
		additionalFields: { weight: ' 0.5 ', sound: 'false', style: 'unknown' },
	};
	expect(readValues(MADE_UP_OPERATION, reader(parameters))).toMatchObject({
		seconds: 4,
		weight: 0.5,
		sound: false,
		style: 'unknown',
	});
});

test('a number names the option that is written alike, and stands for a text', () => {
	const video = { prompt: 'x', duration: 5, aspectRatio: '16:9' };
	const duration = readValues(operationNamed('vidB26.textToVideo'), reader(video)).duration;
	expect(duration).toBe('5');
	const song = { prompt: 7, additionalFields: { title: 1984 }, title: 1984, style: 80 };
	expect(readValues(musicOperation('generate'), reader(song))).toMatchObject({
		prompt: '7',
		title: '1984',
	});
	const source = readValues(musicOperation('wav'), reader({ audio_id: 12 }));
	expect(source).toMatchObject({ audio_id: '12' });
	const stems = readValues(musicOperation('stems'), reader({ source: 12 }));
	expect(stems).toMatchObject({ source: '12' });
});

test.each(['7', ' ', 'true', 'false'])('the text %j of a text field stays one', (prompt) => {
	const parameters = { prompt, size: '1:1' };
	expect(readValues(MADE_UP_OPERATION, reader(parameters)).prompt).toBe(prompt);
});

test.each([' ', 'long', 'Infinity'])('the text %j is no number', (weight) => {
	const parameters = { prompt: 'x', additionalFields: { weight } };
	expect(readValues(MADE_UP_OPERATION, reader(parameters)).weight).toBe(weight);
});

test('a field that the operation does not have is kept, so that it can be refused', () => {
	const parameters = { prompt: 'x', size: '1:1', additionalFields: { seed: 1 } };
	expect(readValues(GENERATE_IMAGE, reader(parameters))).toMatchObject({ seed: 1 });
});

const a = 'https://x.example/a.png?w=1,2';
const b = 'https://x.example/b.png';

test.each([
	[
		[a, b],
		[a, b],
	],
	[[[a, b]], [a, b]],
	[`${a}, ${b}`, [a, b]],
	[`${a},${b}`, [a, b]],
	// An entry of a list is one URL, whatever commas it has.
	[[`${a},${b}`], [`${a},${b}`]],
	[
		[` ${a}\n`, b],
		[a, b],
	],
	[`${a}\n${b}\n`, [a, b]],
	[`${a} ,\r\n\t${b}`, [a, b]],
	[`${a},b\n${b}`, [`${a},b`, b]],
	[`${a}, data\n${b}`, [a, 'data', b]],
	['data,data_1', ['data', 'data_1']],
	// Each line for itself.
	[`data\n${a}`, ['data', a]],
	[`${a}\ndata,data_1`, [a, 'data', 'data_1']],
	[`${a},`, [a]],
	[['', a, null, undefined], [a]],
	[
		'http://x.example/a.png,HTTP://x.example/b.png',
		['http://x.example/a.png', 'HTTP://x.example/b.png'],
	],
	[[], undefined],
	['', undefined],
	[[7], [7]],
])('a list of URLs given as %j', (source_image_urls, expected) => {
	const parameters = { additionalFields: { source_image_urls } };
	const values = readValues(operationNamed('standardVideo.generate'), reader(parameters));
	expect(values.source_image_urls).toEqual(expected);
});

describe.each([
	['vidA31.generate', 'imageUrls'],
	['standardVideo.generate', 'source_image_urls'],
	['vidD.generate', 'input_urls'],
])('pictures of %s', (name, field) => {
	const operation = operationNamed(name);

	test.each([[undefined], [null], [[undefined]], [[null, undefined]]])(
		'whose expression gives %j are not left out unawares',
		(value) => {
			const values = readValues(operation, reader({ [field]: value }));
			expect(values[field]).toBeNull();
			const [problem] = validate(operation, values).filter((one) => one.field === field);
			expect(problem?.message).toMatch(
				/ is an expression that returns nothing, so the job would be made without it: correct the expression, or let it return an empty text$/,
			);
		},
	);

	test.each([[''], [[]], [['']]])('left empty as %j are none', (value) => {
		expect(readValues(operation, reader({ [field]: value }))).not.toHaveProperty(field);
	});
});

test.each([
	[operationNamed('vidE26.imageToVideo'), 'image_url'],
	[musicOperation('upload_cover'), 'upload'],
])('no blank is left around a URL: %#', (operation, field) => {
	expect(readValues(operation, reader({ [field]: ` ${a}\n` }))[field]).toBe(a);
	expect(readValues(operation, reader({ [field]: ' \n' }))[field]).toBeUndefined();
});

test.each([
	[{ payloadMode: 'json', payload: '{"a": 1}' }, { a: 1 }],
	[{ payloadMode: 'json', payload: { a: 1 } }, { a: 1 }],
	[{ payloadMode: 'json', payload: [1] }, [1]],
	[{ payloadMode: 'json', payload: '{"a": ' }, '{"a": '],
	[{ payloadPairs: { fields: [{ name: 'a', value: 1 }] } }, { a: 1 }],
	[{}, {}],
])('undocumented fields given as %j', (parameters, expected) => {
	const values = readValues(operationNamed('videoStudio.generate'), reader(parameters));
	expect(values.payload).toEqual(expected);
});

test.each([
	[{}, undefined],
	[{ payloadPairs: { fields: [{ name: 'a', value: 1 }] } }, { a: 1 }],
])('undocumented fields that a mode may have, given as %j', (parameters, expected) => {
	const values = readValues(operationNamed('vidB30.generate'), reader(parameters));
	expect(values.payload).toEqual(expected);
});
