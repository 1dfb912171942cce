import { required } from '../../../nodes/shared/spec/field.ts';
import { source as sourceField } from '../../../nodes/shared/spec/music/fields.ts';
import { liveOperation } from '../../../sandbox/music/remix.mts';
import { openMusic } from './musicHarness.mts';

const GEN_SET = [
	...['generate', 'extend', 'upload_cover', 'upload_extend', 'add_vocals', 'add_instrumental'],
	...['replace_section', 'mashup', 'sounds'],
];
const VOICE = ['voice_validate', 'voice_regenerate'];

/** Section "Music catalog": id, credits, operations that are needed as a source; required fields. */
const OPERATIONS: Array<[id: string, credits: number, sources: string[], required: string]> = [
	['generate', 12, [], 'model'],
	['extend', 12, GEN_SET, 'audio_id continue_at model'],
	['upload_cover', 12, [], 'upload model'],
	['upload_extend', 12, [], 'upload continue_at model'],
	['add_vocals', 12, [], 'upload prompt title style'],
	['add_instrumental', 12, [], 'upload title tags'],
	['replace_section', 6, [], 'prompt tags title infill_start_s infill_end_s full_lyrics model'],
	['mashup', 12, [], 'upload upload2 title style model'],
	['stems', 10, [], 'separation_type'],
	['wav', 1, GEN_SET, 'audio_id'],
	['midi', 0, ['stems'], ''],
	['lyrics', 1, [], 'prompt'],
	['timestamped_lyrics', 1, GEN_SET, 'audio_id'],
	['style_boost', 1, [], 'content'],
	['cover_art', 0, GEN_SET, 'audio_id'],
	['music_video', 2, GEN_SET, 'audio_id'],
	['sounds', 3, [], 'prompt model'],
	['recovery', 0, GEN_SET, ''],
	['voice_validate', 0, [], 'upload vocal_start_s vocal_end_s'],
	['voice_regenerate', 0, VOICE, ''],
	['voice_generate', 0, VOICE, 'upload'],
];

const TUNING = 'negative_tags vocal_gender style_weight weirdness_constraint audio_weight';

/** Section "Music catalog", all fields. */
const FIELDS: Record<string, string> = {
	generate: `prompt custom_mode title style instrumental model duration ${TUNING} persona_id persona_model`,
	extend: `audio_id continue_at default_param_flag prompt title style model instrumental ${TUNING}`,
	upload_cover: `upload custom_mode instrumental prompt title style model ${TUNING}`,
	upload_extend: `upload continue_at default_param_flag prompt title style instrumental model ${TUNING}`,
	add_vocals: `upload prompt title style model ${TUNING}`,
	add_instrumental: `upload title tags model ${TUNING}`,
	replace_section:
		'source upload audio_id prompt tags title infill_start_s infill_end_s full_lyrics negative_tags model',
	mashup:
		'upload upload2 title style prompt instrumental duration model vocal_gender style_weight weirdness_constraint audio_weight',
	stems: 'source upload audio_id separation_type stem_name',
	wav: 'audio_id',
	midi: 'audio_id',
	lyrics: 'prompt',
	timestamped_lyrics: 'audio_id',
	style_boost: 'content',
	cover_art: 'audio_id',
	music_video: 'audio_id',
	sounds: 'prompt model sound_loop sound_tempo sound_key grab_lyrics',
	recovery: '',
	voice_validate: 'upload vocal_start_s vocal_end_s language',
	voice_regenerate: '',
	voice_generate: 'upload voice_name style singer_skill_level',
};

interface FieldShown {
	name: string;
	required: boolean;
	options: Array<{ value: string; label: string; help?: string }>;
	[other: string]: unknown;
}

interface OperationShown {
	id: string;
	credits: number;
	source_required: boolean;
	source_operations: string[];
	credits_by_option?: object;
	fields: FieldShown[];
	[other: string]: unknown;
}

const catalogIn = async (path = '/open/music/catalog/en/', settings = {}) => {
	const opened = await openMusic({}, settings);
	const { status, body } = await opened.get(path);
	expect(status).toBe(200);
	expect(body).toEqual({ success: true, data: expect.any(Object) });
	expect(Object.keys(body.data)).toEqual(['models', 'operations']);
	const operations = body.data.operations as OperationShown[];
	const operation = (id: string) => operations.find((entry) => entry.id === id) as OperationShown;
	const field = (id: string, name: string) =>
		operation(id).fields.find((entry) => entry.name === name) as FieldShown;
	return { ...opened, models: body.data.models, operations, operation, field };
};

const words = (text: string) => text.split(' ').filter(Boolean).sort();

describe('music catalog', () => {
	it('has the models with their remarks', async () => {
		const { models } = await catalogIn();
		expect(models).toEqual([
			{ value: 'V5_5', label: 'V5_5', help: 'Newest; supports a custom duration' },
			{ value: 'V5', label: 'V5', help: 'Better expression, faster generation' },
			{ value: 'V4_5PLUS', label: 'V4_5PLUS', help: 'Richer sound, tracks up to 8 minutes' },
			{ value: 'V4_5ALL', label: 'V4_5ALL', help: 'Smart prompts, faster generations' },
			{ value: 'V4_5', label: 'V4_5', help: 'Smart prompts, faster generations' },
			{ value: 'V4', label: 'V4', help: 'Improved vocals, tracks up to 4 minutes' },
		]);
	});

	it('has the 21 operations and one more', async () => {
		const { operations } = await catalogIn();
		const documented = OPERATIONS.map(([id]) => id);
		expect(operations.map(({ id }) => id).sort()).toEqual([...documented, 'remix'].sort());
	});

	it.each(OPERATIONS)('%s', async (id, credits, sources, required) => {
		const entry = (await catalogIn()).operation(id);
		expect(entry).toMatchObject({
			label: expect.any(String),
			description: expect.any(String),
			credits,
			source_required: sources.length > 0,
			source_operations: sources,
		});
		expect('credits_by_option' in entry).toBe(id === 'stems');
		expect(entry.fields.map(({ name }) => name).sort()).toEqual(words(FIELDS[id] ?? '?'));
		const needed = entry.fields.filter((field) => field.required).map(({ name }) => name);
		expect(needed.sort()).toEqual(words(required));
	});

	it('tells the credits of stems by option', async () => {
		const { operation } = await catalogIn();
		expect(operation('stems').credits_by_option).toEqual({
			separation_type: { separate_vocal: 10, split_stem: 50, split_stem_advanced: 20 },
		});
	});

	it('describes every field in full', async () => {
		const { operations, field } = await catalogIn();
		const names = 'name label type required options min max step max_length default help';
		const types = ['text', 'textarea', 'toggle', 'select', 'number', 'upload', 'source'];
		const fields = operations.flatMap((entry) => entry.fields);
		for (const descriptor of fields) {
			expect(Object.keys(descriptor).sort()).toEqual(words(names));
			expect(types).toContain(descriptor.type);
			expect(descriptor.options.length > 0).toBe(descriptor.type === 'select');
		}
		expect(new Set(fields.map(({ type }) => type))).toEqual(new Set(types));

		const empty = { options: [], min: null, max: null, step: null, max_length: null };
		const told = { label: expect.any(String), help: expect.any(String) };
		const optional = { ...told, ...empty, required: false, default: null };
		const required = { ...optional, required: true };
		expect(field('generate', 'prompt')).toEqual({
			...{ ...optional, name: 'prompt', type: 'textarea', max_length: 5000 },
		});
		expect(field('generate', 'instrumental')).toEqual({
			...{ ...optional, name: 'instrumental', type: 'toggle', default: true },
		});
		expect(field('generate', 'duration')).toEqual({
			...{ ...optional, name: 'duration', type: 'number', min: 10, max: 360 },
		});
		expect(field('mashup', 'style_weight')).toEqual({
			...{ ...optional, name: 'style_weight', type: 'number', min: 0, max: 1, step: 0.01 },
		});
		expect(field('voice_generate', 'upload')).toEqual({
			...{ ...required, name: 'upload', type: 'upload' },
		});
		expect(field('stems', 'source')).toEqual({
			...{ ...optional, name: 'source', type: 'source' },
		});
		expect(field('stems', 'separation_type')).toEqual({
			...{ ...required, name: 'separation_type', type: 'select', default: 'separate_vocal' },
			options: ['separate_vocal', 'split_stem', 'split_stem_advanced'].map((value) => ({
				value,
				label: expect.any(String),
			})),
		});
		expect(field('sounds', 'model')).toMatchObject({ type: 'select', default: 'V5' });
		expect(field('sounds', 'model').options[0]).toEqual({
			value: 'V5_5',
			label: 'V5_5',
			help: 'Newest; supports a custom duration',
		});
	});

	it('needs a key', async () => {
		const { get } = await openMusic();
		const answer = await get('/open/music/catalog/en/', { authorization: null });
		expect(answer.status).toBe(401);
	});

	it('meets faults by its kind, and is in the journal', async () => {
		const { sandbox, get, journal } = await openMusic();
		sandbox.faults.add({ match: { kind: 'catalog' }, fault: { kind: 'status', status: 500 } });
		expect((await get('/open/music/catalog/en/')).status).toBe(500);
		expect(journal.ofKind('catalog')).toMatchObject([{ path: '/open/music/catalog/en/' }]);
	});
});

describe('languages of the catalog', () => {
	const withoutTexts = (value: unknown) =>
		JSON.stringify(value, (name, part: unknown) =>
			['label', 'help', 'description'].includes(name) ? undefined : part,
		);

	it('localizes labels and help, and nothing else', async () => {
		const [english, german] = [await catalogIn(), await catalogIn('/open/music/catalog/de/')];
		expect(withoutTexts(german.operations)).toBe(withoutTexts(english.operations));
		expect(withoutTexts(german.models)).toBe(withoutTexts(english.models));

		expect(german.models[0].help).toBe('[de] Newest; supports a custom duration');
		expect(german.operation('stems').label).toBe('[de] Separate Stems');
		expect(german.operation('remix')).toMatchObject({ label: '[de] Remix' });
		expect(german.field('generate', 'title').label).toBe('[de] Title');
		expect(german.field('generate', 'vocal_gender')).toMatchObject({
			label: '[de] Vocal Gender',
			help: '[de] A preference, not a guarantee',
			options: [
				{ value: 'm', label: '[de] Male' },
				{ value: 'f', label: '[de] Female' },
			],
		});
		expect(german.field('remix', 'quality').options[1]).toEqual({
			value: 'studio',
			label: '[de] Studio',
			help: '[de] Takes longer',
		});
		expect(english.field('remix', 'quality').options[1]).toMatchObject({ help: 'Takes longer' });
	});

	it.each([
		['de', '[de] Title'],
		['DE', '[de] Title'],
		['de-AT', '[de] Title'],
		['de_CH', '[de] Title'],
		['en', 'Title'],
		['en-GB', 'Title'],
		['fr', 'Title'],
		['den', 'Title'],
	])('%s', async (language, title) => {
		const { field } = await catalogIn(`/open/music/catalog/${language}/`);
		expect(field('generate', 'title').label).toBe(title);
	});

	it.each([
		['?lang=de', '[de] Title'],
		['?lang=en', 'Title'],
		['?language=de', 'Title'],
		['', 'Title'],
	])('by the query, %s', async (query, title) => {
		const openPaths = { musicCatalogPath: '/studio/catalog?v=2&lang={language}' };
		const { field } = await catalogIn(`/studio/catalog${query}`, { openPaths });
		expect(field('generate', 'title').label).toBe(title);
	});
});

describe('operations that only the catalog knows', () => {
	it('remix has a field of every type', async () => {
		const { operation } = await catalogIn();
		const remix = operation('remix');
		expect(remix).toMatchObject({
			credits: 7,
			credits_by_option: { quality: { draft: 7, studio: 14 } },
			source_required: true,
			source_operations: GEN_SET,
		});
		expect(Object.fromEntries(remix.fields.map(({ name, type }) => [name, type]))).toEqual({
			source: 'source',
			genre: 'text',
			instructions: 'textarea',
			keep_vocals: 'toggle',
			quality: 'select',
			intensity: 'number',
			reference: 'upload',
		});
	});

	it('are charged by option', async () => {
		const { make, account } = await openMusic();
		const { id: source } = await make('generate', { model: 'V5' });
		const body = { source, genre: 'swing', quality: 'studio', intensity: 2.5 };
		expect((await make('remix', body)).takes).toMatchObject([{ title: 'Remix' }]);
		expect(account.charges[1]).toMatchObject({ operation: 'music.remix', credits: 14 });
	});

	it('need their source even where they have no field for it', async () => {
		const hum = liveOperation({
			operation: 'hum',
			label: 'Hum',
			price: { rows: [[{}, 0]] },
			fields: [required(sourceField('', { sentAs: { openPoint: 'musicSource' } }))],
			sources: ['generate'],
		});
		const { submit, make } = await openMusic({}, { musicOperations: [hum] });
		expect((await submit('hum', {})).body.details).toEqual({ source: 'This field is required.' });
		const { id: source } = await make('generate', { model: 'V5' });
		expect((await submit('hum', { source })).status).toBe(201);
	});
});
