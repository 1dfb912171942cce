import { type ReadParameter, readPlanned } from '../../../nodes/shared/request/readValues.ts';
import { plannedName, priceOf } from '../../../nodes/shared/spec/price.ts';
import { ACCOUNT_CATALOG, CATALOGS } from '../../../nodes/shared/spec/catalogs.ts';
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
	['vidA31.generate', { model: 'modelA_fast', enableFallback: false }, 100],
	['vidA31.generate', { model: 'modelA', enableFallback: 'true' }, 450],
	['vidB30.generate', { durationSeconds: '5', qualityMode: 'pro', sound: 'true' }, 200],
	[
		'vidB30.generate',
		{ durationSeconds: 5, qualityMode: '__other__', qualityModeOther: 'std', sound: true },
		200,
	],
	['standardVideo.generate', { video_model: 'modelA', prompt_directory_optin: false }, 300],
])('%s with %j costs %d credits; texts are read as what they name', (name, given, credits) => {
	const operation = creationNamed(name);
	const { planned, values, problems } = readPlanned(operation, form(given));
	expect(problems).toEqual([]);
	expect(priceOf(planned, values)).toMatchObject({ credits });
});

/** By the document's tables of prices: the dearest job of each operation. */
test.each([
	['standardVideo.generate', 300, 'Model, Aspect Ratio and Publish in Prompt Directory'],
	['vidA31.generate', 450, 'Model and Enable Fallback'],
	['vidB30.generate', 600, 'Quality, Sound and Duration'],
	['vidB26.textToVideo', 220, 'Duration, Sound and Publish in Prompt Directory'],
	['vidB26.imageToVideo', 220, 'Duration, Sound and Publish in Prompt Directory'],
	['vidC.textToVideo', 80, 'Publish in Prompt Directory'],
	['vidD.generate', 84, 'Resolution, Duration, Sound and Publish in Prompt Directory'],
	['vidE26.videoToVideo', 315, 'Resolution and Duration'],
	['track.stems', 50, 'Separation Type'],
])('%s, of which nothing is said, costs at most %d', (name, credits, fields) => {
	const { planned, values } = readPlanned(creationNamed(name), form({}));
	expect(priceOf(planned, values)).toMatchObject({
		credits,
		exact: false,
		reason: expect.stringContaining(`The price depends on ${fields}`),
	});
});

test.each([
	['standardVideo.generate', { video_model: 'modelA' }, 300],
	['standardVideo.generate', { video_model: 'modelA_fast', prompt_directory_optin: true }, 140],
	['vidA31.generate', { model: 'modelA_fast' }, 300],
	['vidD.generate', { resolution: '480p', duration: '8', prompt_directory_optin: true }, 18],
	['vidB30.generate', { qualityMode: 'pro', sound: false, prompt_directory_optin: false }, 405],
	['track.stems', { separation_type: '' }, 50],
])('%s, of which only %j is said, at most %d', (name, given, credits) => {
	const { planned, values } = readPlanned(creationNamed(name), form(given));
	expect(priceOf(planned, values)).toMatchObject({ credits, exact: false });
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
