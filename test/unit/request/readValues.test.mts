import { readValues } from '../../../nodes/shared/request/readValues.ts';
import { GENERATE_IMAGE, GENERATE_IMAGE_UNIFIED } from '../../../nodes/shared/spec/images.ts';
import { operationNamed } from '../../support/operations.mts';
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
	expect(readValues(GENERATE_IMAGE, reader(parameters))).toEqual({ size: '1:1' });
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
	[[`${a},${b}`], [a, b]],
	[`${a}\n${b}\n`, [a, b]],
	[`${a} ,\r\n\t${b}`, [a, b]],
	[`${a}, b\n${b}`, [`${a}, b`, b]],
	[['', a, null], [a]],
	[[], undefined],
	['', undefined],
	[[7], [7]],
])('a list of URLs given as %j', (source_image_urls, expected) => {
	const parameters = { additionalFields: { source_image_urls } };
	const values = readValues(operationNamed('standardVideo.generate'), reader(parameters));
	expect(values.source_image_urls).toEqual(expected);
});

test.each([
	[{ payloadMode: 'json', payload: '{"a": 1}' }, { a: 1 }],
	[{ payloadMode: 'json', payload: { a: 1 } }, { a: 1 }],
	[{ payloadMode: 'json', payload: '{"a": ' }, '{"a": '],
	[{ payloadPairs: { fields: [{ name: 'a', value: 1 }] } }, { a: 1 }],
	[{}, {}],
])('undocumented fields given as %j', (parameters, expected) => {
	const values = readValues(operationNamed('videoStudio.generate'), reader(parameters));
	expect(values.payload).toEqual(expected);
});
