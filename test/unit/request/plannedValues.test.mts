import { readPlanned } from '../../../nodes/shared/request/plannedValues.ts';
import { priceOf } from '../../../nodes/shared/spec/price.ts';
import type { ReadParameter } from '../../../nodes/shared/request/readValues.ts';
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
		label: 'Generate an image',
	});
});

/** The form with these fields set; all others are absent. */
const form =
	(given: Record<string, unknown>): ReadParameter =>
	(name, fallback) =>
		given[name] ?? fallback;

test('nothing has to be given', () => {
	for (const operation of estimate.planned) {
		expect(readPlanned(operation, form({})).problems).toEqual([]);
	}
});

test.each([
	['image.generate', {}, 8],
	['vidA31.generate', { model: 'modelA_fast' }, 100],
	['vidA31.generate', { model: 'modelA', enableFallback: 'true' }, 450],
	['vidB30.generate', { durationSeconds: '5', qualityMode: 'pro', sound: 'true' }, 200],
	[
		'vidB30.generate',
		{ durationSeconds: 5, qualityMode: '__other__', qualityModeOther: 'std', sound: true },
		150,
	],
	['standardVideo.generate', { video_model: 'modelA', prompt_directory_optin: false }, 300],
])('%s with %j costs %d credits; texts are read as what they name', (name, given, credits) => {
	const operation = creationNamed(name);
	const { values, problems } = readPlanned(operation, form(given));
	expect(problems).toEqual([]);
	expect(priceOf(operation, values)).toMatchObject({ credits });
});

test.each([
	[
		'vidE26.textToVideo',
		{ resolution: '480p' },
		'Resolution (resolution) must be one of 720p, 1080p, but is "480p"',
	],
	[
		'vidB30.generate',
		{ durationSeconds: 16 },
		'(durationSeconds) must be between 3 and 15, but is 16',
	],
])('%s with %j is wrong', (name, given, message) => {
	const { problems } = readPlanned(creationNamed(name), form(given));
	expect(problems.map((problem) => problem.message)).toEqual([expect.stringContaining(message)]);
});

test('what does not decide the price is not asked for', () => {
	const read = jest.fn();
	expect(readPlanned(creationNamed('image.generate'), read).values).toEqual({});
	expect(read).not.toHaveBeenCalled();
});
