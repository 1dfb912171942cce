import { readPlanned } from '../../../nodes/shared/request/plannedValues.ts';
import { priceOf } from '../../../nodes/shared/spec/price.ts';
import { validate } from '../../../nodes/shared/request/validate.ts';
import { ACCOUNT_CATALOG, CATALOGS } from '../../../nodes/shared/spec/catalogs.ts';
import { plannedName } from '../../../nodes/shared/spec/priceEstimate.ts';
import type { EstimateOperation } from '../../../nodes/shared/spec/types.ts';
import { creationNamed } from '../../support/operations.mts';

const estimate = ACCOUNT_CATALOG.operations.find(
	({ kind }) => kind === 'estimate',
) as EstimateOperation;

test('every creation of the package can be chosen, each by its own name', () => {
	const creations = CATALOGS.flatMap(({ operations }) => operations).filter(
		({ kind }) => kind === 'create',
	);
	const names = estimate.planned.map(plannedName);
	expect(new Set(names).size).toBe(creations.length);
	expect(estimate.fields[0]?.options?.map(({ value }) => value)).toEqual(names);
	expect(estimate.fields[0]?.options).toContainEqual({
		value: 'image.generate',
		label: 'Image: Generate',
	});
});

test('nothing has to be given', () => {
	for (const operation of estimate.planned) {
		expect(readPlanned(operation, {}).problems).toEqual([]);
	}
});

test.each([
	[{}, []],
	[{ '': 'x' }, ['Planned Fields (plannedFields) has a field without a name, but is {"":"x"}']],
	['x', ['Planned Fields (plannedFields) must be a JSON object, but is "x"']],
])('planned fields %j', (plannedFields, messages) => {
	const problems = validate(estimate, { plannedOperation: 'image.generate', plannedFields });
	expect(problems.map(({ message }) => message)).toEqual(messages);
});

test.each([
	['image.generate', {}, 8],
	['vidA31.generate', { model: 'modelA_fast' }, 100],
	['vidA31.generate', { model: 'modelA', enableFallback: 'true' }, 450],
	['vidB30.generate', { durationSeconds: '5', qualityMode: 'pro', sound: 'true' }, 200],
	['standardVideo.generate', { video_model: 'modelA', prompt_directory_optin: false }, 300],
])('%s with %j costs %d credits; texts are read as what they name', (name, given, credits) => {
	const operation = creationNamed(name);
	const { values, problems } = readPlanned(operation, given);
	expect(problems).toEqual([]);
	expect(priceOf(operation, values)).toMatchObject({ credits });
});

test.each([
	['image.generate', { size: '4:3' }, 'Size (size) must be one of 1:1, 3:2, 2:3, but is "4:3"'],
	[
		'vidB30.generate',
		{ durationSeconds: 16 },
		'(durationSeconds) must be between 3 and 15, but is 16',
	],
	[
		'vidB30.generate',
		{ durationSeconds: 5, payload: { durationSeconds: 600 } },
		'(payload) must not set durationSeconds',
	],
	[
		'vidB30.generate',
		{ durationSeconds: 5, payload: '{ "durationSeconds": 600 }' },
		'(payload) must not set durationSeconds',
	],
	[
		'vidB26.textToVideo',
		{ generationMode: 'image_to_video' },
		'generationMode must be text_to_video',
	],
	['image.generate', { sise: '1:1' }, 'sise is not a field of this operation, but is "1:1"'],
])('%s with %j is wrong', (name, given, message) => {
	const { problems } = readPlanned(creationNamed(name), given);
	expect(problems.map((problem) => problem.message)).toEqual([expect.stringContaining(message)]);
});

test('where the document shows no fields, any will do', () => {
	expect(readPlanned(creationNamed('videoStudio.generate'), { anything: 1 }).problems).toEqual([]);
});
