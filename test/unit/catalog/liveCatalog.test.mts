import fc from 'fast-check';

import { catalogEntries } from '../../../nodes/shared/catalog/catalogEntries.ts';
import { loadCatalog } from '../../../nodes/shared/catalog/liveCatalog.ts';
import { priceOf } from '../../../nodes/shared/spec/price.ts';
import { ignoredFields, validate, wrongSource } from '../../../nodes/shared/request/validate.ts';
import { ServiceError } from '../../../nodes/shared/service/serviceError.ts';
import { MUSIC_OPERATIONS } from '../../../nodes/shared/spec/music/operations.ts';
import { fakeService, fault } from '../../support/fakeService.mts';
import { operationProperties } from '../../support/operationProperties.mts';
import { musicOperation } from '../../support/operations.mts';
import { inTableWords } from '../../support/tableWords.mts';

/** The music catalog as the service gives it, in the form of the built-in tables. */

const settings = { musicCatalogPath: '/music/{language}/catalog/' };

async function load(answer: unknown, language = 'en') {
	const { service, sent } = fakeService([answer], settings);
	return { ...(await loadCatalog(service, language)), sent };
}

const catalogOf = (operations: unknown) => ({
	success: true,
	data: { models: [], operations },
});

/** The operation that an entry of the catalog gives. */
async function read(entry: object) {
	const { operations } = await load(catalogOf([entry]));
	return operations[0]!;
}

/** An operation of the future, with a descriptor of every type. */
const REMIX = {
	id: 'remix',
	label: 'Remix',
	description: 'Turn a track into another style',
	source_required: true,
	source_operations: ['generate', 'remix'],
	credits: 7,
	fields: [
		descriptor('title', 'text', { required: true, max_length: 20 }),
		descriptor('notes', 'textarea', { max_length: 30 }),
		descriptor('loud', 'toggle', { default: false }),
		descriptor('mood', 'select', {
			required: true,
			options: [
				{ value: 'calm', label: 'Calm', help: 'Slow and soft' },
				{ value: 'wild', label: 'Wild' },
			],
			default: 'calm',
		}),
		descriptor('strength', 'number', { min: 0, max: 2, step: 0.5 }),
		descriptor('sample', 'upload'),
	],
};

function descriptor(name: string, type: string, more: object = {}) {
	const nothing = { min: null, max: null, step: null, max_length: null, default: null };
	return { name, label: name, type, required: false, options: [], ...nothing, help: '', ...more };
}

describe('where it comes from', () => {
	test('without a path: the built-in tables, and no request', async () => {
		const { service, sent } = fakeService([]);
		expect(await loadCatalog(service, 'en')).toEqual({ operations: MUSIC_OPERATIONS });
		expect(sent).toEqual([]);
	});

	test('with a path: the service, in the language that is asked for', async () => {
		const { sent, live } = await load(catalogOf([]), 'pt-BR');
		expect(sent).toEqual([{ method: 'GET', path: '/music/pt-BR/catalog/' }]);
		expect(live).toEqual(catalogOf([]));
	});

	test('a language cannot leave its place in the path', async () => {
		const { sent } = await load(catalogOf([]), 'en/../../payments?x=1');
		expect(sent[0]?.path).toBe('/music/en%2F..%2F..%2Fpayments%3Fx%3D1/catalog/');
	});

	test.each(['.', '..'])(
		'the language %s would change the path: nothing is sent',
		async (language) => {
			const { service, sent } = fakeService([catalogOf([])], settings);
			await expect(loadCatalog(service, language)).rejects.toThrow(ServiceError);
			expect(sent).toEqual([]);
		},
	);

	test('with or without the envelope', async () => {
		const { operations } = await load({ models: [], operations: [REMIX] });
		expect(operations.map(({ operation }) => operation)).toEqual(['remix']);
	});

	test.each([
		['a text', 'soon'],
		['nothing', null],
		['no operations', { success: true, data: {} }],
		['operations that are no list', catalogOf({ generate: {} })],
	])('%s is no catalog: an error that shows it', async (_name, answer) => {
		await expect(load(answer)).rejects.toThrow(ServiceError);
	});

	test('an error of the service is passed on', async () => {
		await expect(load(fault('refused', 404))).rejects.toThrow('fault 404');
	});
});

describe('the built-in tables, given out and read again', () => {
	/** Right and wrong requests of each operation; what the checks say is compared. */
	const requests: Record<string, Array<Record<string, unknown>>> = {
		generate: [
			{ prompt: 'x', model: 'V5_5', duration: 60, title: 'x'.repeat(80), style_weight: 0.29 },
			{ model: 'V5_5', custom_mode: true },
			{ model: 'V5_5', custom_mode: true, style: 'x' },
			{ model: 'V4', duration: 60 },
			{ model: 'V4_5', persona_id: 'voice-1', persona_model: 'voice_persona' },
			{ model: 'V5', duration: 9, title: 'x'.repeat(81), style_weight: 0.015 },
			{ model: 'V6', instrumental: 'no', vocal_gender: 'x' },
		],
		extend: [
			{ source: 'job', audio_id: 'take', continue_at: 1, model: 'V5' },
			{ audio_id: 'take', continue_at: -1 },
		],
		upload_cover: [{ upload: 'data', style: 'x', model: 'V5' }, { model: 'V5' }],
		upload_extend: [{ upload: 'data', model: 'V5', continue_at: 1 }, { upload: 'data' }],
		add_vocals: [{ upload: 'data', prompt: 'x', title: 'x', style: 'x' }, {}],
		add_instrumental: [{ upload: 'data', title: 'x', tags: 'x' }, { tags: 'x'.repeat(1001) }],
		replace_section: [
			{ source: 'job', infill_start_s: 2, infill_end_s: 1 },
			{ upload: 'data', infill_start_s: 1, infill_end_s: 2 },
			{},
		],
		mashup: [
			{ upload: 'data', upload2: 'more', title: 'x', style: 'x', model: 'V5_5', duration: 10 },
			{ upload: 'data', title: 'x', style: 'x', model: 'V5', duration: 10 },
			{ prompt: 'x'.repeat(501) },
		],
		stems: [
			{ source: 'job', separation_type: 'separate_vocal' },
			{ source: 'job', separation_type: 'split_stem' },
			{ source: 'job', separation_type: 'split_stem_advanced' },
			{ separation_type: 'split_stem_advanced', stem_name: 'drums' },
			{},
		],
		wav: [{ source: 'job', audio_id: 'take' }, {}],
		midi: [{ source: 'job' }, {}],
		lyrics: [{ prompt: 'x' }, { prompt: 'x'.repeat(5001) }],
		timestamped_lyrics: [{ source: 'job', audio_id: 'take' }, {}],
		style_boost: [{ content: 'x' }, { content: 'x'.repeat(501) }],
		cover_art: [{ source: 'job', audio_id: 'take' }, {}],
		music_video: [{ source: 'job', audio_id: 'take' }, {}],
		sounds: [
			{ prompt: 'x', model: 'V5', sound_tempo: 20, sound_key: 'C#m', sound_loop: true },
			{ prompt: 'x', model: 'V5', sound_tempo: 19, sound_key: 'x'.repeat(9) },
		],
		recovery: [{ source: 'job' }, {}],
		voice_validate: [
			{ upload: 'data', vocal_start_s: 0, vocal_end_s: 10 },
			{ upload: 'data', vocal_start_s: 10, vocal_end_s: 0, language: 'x'.repeat(31) },
		],
		voice_regenerate: [{ source: 'job' }, {}],
		voice_generate: [{ source: 'job', upload: 'data' }, { voice_name: 'x'.repeat(81) }],
	};

	const cases = Object.entries(requests);

	test('all 21 operations', async () => {
		const { operations } = await load({ data: catalogEntries(MUSIC_OPERATIONS) });
		expect(operations).toHaveLength(21);
		expect(cases).toHaveLength(21);
	});

	const again = async (id: string) => {
		const { operations } = await load({ data: catalogEntries(MUSIC_OPERATIONS) });
		return operations.find(({ operation }) => operation === id)!;
	};

	test.each(cases)('%s: the same fields', async (id) => {
		const { fields } = await again(id);
		expect(inTableWords(fields)).toEqual(inTableWords(musicOperation(id).fields));
	});

	test.each(cases)('%s: the same checks and the same price', async (id, values) => {
		const operation = await again(id);
		for (const value of values) {
			const problems = validate(musicOperation(id), value);
			expect(validate(operation, value)).toEqual(expect.arrayContaining(problems));
			expect(validate(operation, value)).toHaveLength(problems.length);
			expect(priceOf(operation, value)).toEqual(priceOf(musicOperation(id), value));
		}
	});

	test.each(cases)('%s: the same sources', async (id) => {
		const { source } = await again(id);
		expect(source).toEqual(musicOperation(id).source);
	});

	test.each(cases)('%s: the same kind of result and the same paths', async (id) => {
		const { mediaType, path, status, method } = musicOperation(id);
		expect(await again(id)).toMatchObject({ mediaType, path, status, method });
	});
});

describe('an operation that the built-in tables do not have', () => {
	test('has a field for each descriptor, and one for the earlier job', async () => {
		const { fields, label, description } = await read(REMIX);
		expect(inTableWords(fields)).toEqual({
			source: 'source required',
			title: 'text required <=20',
			notes: 'textarea <=30',
			loud: 'toggle =false',
			mood: 'select required calm|wild =calm',
			strength: 'number 0-2 step 0.5',
			sample: 'upload',
		});
		expect({ label, description }).toEqual({
			label: 'Remix',
			description: 'Turn a track into another style',
		});
	});

	test('keeps its own field for the earlier job', async () => {
		const fields = [descriptor('take_of', 'source', { required: true })];
		expect(inTableWords((await read({ ...REMIX, fields })).fields)).toEqual({
			take_of: 'source required',
		});
	});

	test('has a form', async () => {
		const names = operationProperties(await read(REMIX)).map(({ name }) => name);
		expect(names).toEqual([
			'source',
			'title',
			'mood',
			// As a text, in the form of an agent's tool.
			'mood',
			'price',
			'pathNotice',
			'waitForCompletion',
			'downloadMedia',
			'output',
			'outputFields',
			'additionalFields',
			'options',
		]);
	});

	const right = { source: 'job-1', title: 'x', mood: 'wild' };

	test.each([
		[{}, []],
		[{ notes: 'x', loud: true, strength: 1.5, sample: 'data' }, []],
		[{ source: undefined }, ['source']],
		[{ title: undefined }, ['title']],
		[{ title: 'x'.repeat(21) }, ['title']],
		[{ notes: 'x'.repeat(31) }, ['notes']],
		[{ loud: 'yes' }, ['loud']],
		[{ mood: 'sad' }, ['mood']],
		[{ strength: 2.5 }, ['strength']],
		[{ strength: 0.7 }, ['strength']],
		[{ pitch: 1 }, ['pitch']],
	])('is checked by its descriptors: %j', async (more, expected) => {
		const problems = validate(await read(REMIX), { ...right, ...more });
		expect(problems.map(({ field }) => field)).toEqual(expected);
	});

	test.each([
		['generate', []],
		['remix', []],
		['lyrics', ['source']],
		['stems', ['source']],
	])('works on a job of %s: %j', async (made, expected) => {
		const incoming = { jobId: 'job-1', operation: made };
		const problems = wrongSource(await read(REMIX), { source: 'job-1' }, incoming);
		expect(problems.map(({ field }) => field)).toEqual(expected);
	});

	test.each([
		[{ credits: 7 }, { credits: 7, exact: true }],
		[{ credits: 0 }, { credits: 0, exact: true }],
		[{ credits: undefined }, { credits: null, exact: false, reason: 'No price is documented' }],
		[{ credits: 'seven' }, { credits: null, exact: false, reason: 'No price is documented' }],
		[
			{ credits: 7, credits_by_option: { mood: { calm: 1, wild: 9 } } },
			{ credits: 9, exact: true },
		],
	])('costs what its entry says: %j', async (more, expected) => {
		expect(priceOf(await read({ ...REMIX, ...more }), right)).toEqual(expected);
	});

	/** The form of credits_by_option is not shown. */
	test.each([
		['by field and value', { mood: { calm: 1, wild: 9 } }, { credits: 9, exact: true }],
		['for none', {}, { credits: 7, exact: true }],
		['by value', { calm: 1, wild: 9 }, { credits: 9, exact: true }],
		['in a form that cannot be read', [1, 9], { credits: 17, exact: false }],
		['for a field that it does not have', { size: { big: 9 } }, { credits: 16, exact: false }],
	])('costs by option %s', async (_name, credits_by_option, expected) => {
		const operation = await read({ ...REMIX, credits_by_option });
		expect(priceOf(operation, right)).toMatchObject(expected);
	});

	test('prices by option that are a long text are not taken apart into its characters', async () => {
		const keys = jest.spyOn(Object, 'keys');
		const operation = await read({ ...REMIX, credits_by_option: 'x'.repeat(1000) });
		const lengths = keys.mock.results.map(({ value }) => (value as string[]).length);
		keys.mockRestore();
		expect(Math.max(0, ...lengths)).toBeLessThan(1000);
		expect(priceOf(operation, right)).toMatchObject({ credits: 7, exact: false });
	});

	test('is submitted and read as the others are', async () => {
		expect(await read(REMIX)).toMatchObject({
			kind: 'create',
			operation: 'remix',
			path: { openPoint: 'musicSubmitPath' },
			status: { openPoint: 'musicStatusPath' },
		});
	});
});

describe('an operation that the catalog changes', () => {
	test('takes labels, bounds and prices of the catalog', async () => {
		const lyrics = await read({
			id: 'lyrics',
			label: 'Liedtext schreiben',
			description: 'Schreibt einen Liedtext',
			credits: 2,
			fields: [descriptor('prompt', 'textarea', { label: 'Thema', max_length: 10 })],
		});
		expect(lyrics).toMatchObject({
			label: 'Liedtext schreiben',
			description: 'Schreibt einen Liedtext',
			mediaType: 'text',
		});
		expect(priceOf(lyrics, {})).toEqual({ credits: 2, exact: true });
		expect(validate(lyrics, { prompt: 'x'.repeat(11) }).map(({ message }) => message)).toEqual([
			'Thema (prompt) must have at most 10 characters, but is "xxxxxxxxxxx"',
		]);
	});

	test('what it does not say is taken from the built-in tables', async () => {
		const { label, description } = await read({ id: 'lyrics', fields: [] });
		expect({ label, description }).toEqual({
			label: 'Write Lyrics',
			description: 'Write lyrics from a theme',
		});
	});
});

describe('a model that only the catalog knows', () => {
	const built = catalogEntries(MUSIC_OPERATIONS);
	/** The entry of `generate`, with other options of its model. */
	const generate = async (models: string[], more: object = {}) => {
		const entry = built.operations.find(({ id }) => id === 'generate')!;
		const options = models.map((value) => ({ value, label: value }));
		const fields = entry.fields.map((field) =>
			field.name === 'model' ? { ...field, options, ...more } : field,
		);
		return await read({ ...entry, fields });
	};
	const KNOWN = ['V5_5', 'V5', 'V4_5PLUS', 'V4_5ALL', 'V4_5', 'V4'];
	const persona = { persona_id: 'voice-1', persona_model: 'voice_persona' };

	test.each([
		['with the others', ['V6', ...KNOWN]],
		['alone', ['V6']],
		['where the catalog names no models', []],
	])('takes a duration and a persona (%s)', async (_, models) => {
		const operation = await generate(models, { default: 'V6' });
		for (const model of [{}, { model: 'V6' }]) {
			const values = { prompt: 'x', model: 'V6', ...model, duration: 60, ...persona };
			expect(validate(operation, values)).toEqual([]);
			expect(ignoredFields(operation, values)).toEqual([]);
		}
	});

	test('changes nothing for those that the document knows', async () => {
		const operation = await generate(['V6', ...KNOWN]);
		const values = { prompt: 'x', model: 'V4', duration: 60, ...persona };
		expect(validate(operation, values).map(({ field }) => field)).toEqual(['persona_model']);
		expect(ignoredFields(operation, values)).toHaveLength(2);
	});

	test('where the operation has no model any more, nothing depends on it', async () => {
		const entry = built.operations.find(({ id }) => id === 'generate')!;
		const fields = entry.fields.filter(({ name }) => name !== 'model');
		const operation = await read({ ...entry, fields });
		const values = { prompt: 'x', duration: 60, ...persona };
		expect(validate(operation, values)).toEqual([]);
		expect(ignoredFields(operation, values)).toEqual([]);
	});

	test('nor does a rule ask for fields that the catalog has dropped', async () => {
		const entry = built.operations.find(({ id }) => id === 'stems')!;
		const fields = entry.fields.filter(({ name }) => !['source', 'upload'].includes(name));
		const operation = await read({ ...entry, fields: [...fields, descriptor('track', 'text')] });
		const values = { separation_type: 'split_stem', track: 'track-1' };
		expect(validate(operation, values)).toEqual([]);
	});
});

describe('entries that cannot be read', () => {
	test('are left out, and the others are kept', async () => {
		const { operations } = await load(
			catalogOf([REMIX, null, 'text', {}, { id: '' }, { id: 7 }, [], { id: 'plain' }]),
		);
		expect(operations.map(({ operation }) => operation)).toEqual(['remix', 'plain']);
	});

	test('as fields too', async () => {
		const fields = [null, 'text', {}, { name: '' }, { name: 7 }, { name: 'good' }];
		expect(inTableWords((await read({ id: 'plain', fields })).fields)).toEqual({ good: 'text' });
	});

	test('as parts of a field: the field is kept without them', async () => {
		const fields = [
			descriptor('later', 'hologram'),
			descriptor('broken', 'number', { min: 'none', max: [], step: 0, max_length: 1.5 }),
			descriptor('mixed', 'select', { options: [{ value: 'a', label: 'A' }, {}, 'b', null] }),
			{ name: 'bare' },
		];
		expect(inTableWords((await read({ id: 'plain', fields })).fields)).toEqual({
			later: 'text',
			broken: 'number',
			mixed: 'select a',
			bare: 'text',
		});
	});

	test('a select without values takes any text', async () => {
		const operation = await read({ id: 'plain', fields: [descriptor('free', 'select')] });
		expect(validate(operation, { free: 'anything' })).toEqual([]);
	});

	test('whatever the answer is, it is a catalog or a ServiceError', async () => {
		const asField = fc.record(
			{
				name: fc.oneof(fc.string(), fc.jsonValue()),
				type: fc.oneof(fc.constantFrom('text', 'select', 'number', 'toggle'), fc.jsonValue()),
				required: fc.oneof(fc.boolean(), fc.jsonValue()),
				options: fc.oneof(
					fc.array(fc.record({ value: fc.jsonValue(), label: fc.jsonValue() })),
					fc.jsonValue(),
				),
				min: fc.jsonValue(),
				max: fc.jsonValue(),
				step: fc.jsonValue(),
				max_length: fc.jsonValue(),
				default: fc.jsonValue(),
				help: fc.jsonValue(),
			},
			{ requiredKeys: [] },
		);
		const asOperation = fc.record(
			{
				id: fc.oneof(fc.string(), fc.constantFrom('stems', 'mashup'), fc.jsonValue()),
				label: fc.jsonValue(),
				description: fc.jsonValue(),
				source_required: fc.oneof(fc.boolean(), fc.jsonValue()),
				source_operations: fc.oneof(fc.array(fc.string()), fc.jsonValue()),
				credits: fc.oneof(fc.integer(), fc.jsonValue()),
				credits_by_option: fc.jsonValue(),
				fields: fc.oneof(fc.array(fc.oneof(asField, fc.jsonValue())), fc.jsonValue()),
			},
			{ requiredKeys: [] },
		);
		const answer = fc.oneof(
			fc.jsonValue(),
			fc.array(fc.oneof(asOperation, fc.jsonValue())).map(catalogOf),
			fc.jsonValue().map(catalogOf),
		);
		await fc.assert(
			fc.asyncProperty(answer, fc.string(), async (body, language) => {
				const catalog = await load(body, language).catch((error: unknown) => {
					if (error instanceof ServiceError) return undefined;
					throw error;
				});
				// What was read can be shown, checked and priced.
				for (const operation of catalog?.operations ?? []) {
					expect(operationProperties(operation).length).toBeGreaterThan(0);
					expect(Array.isArray(validate(operation, { source: 'job-1' }))).toBe(true);
					expect(priceOf(operation, {})).toHaveProperty('exact');
				}
			}),
			{ numRuns: 150 },
		);
	});
});
