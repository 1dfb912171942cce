import { catalogEntries } from '../../../nodes/shared/catalog/catalogEntries.ts';
import { MUSIC_OPERATIONS } from '../../../nodes/shared/spec/music/operations.ts';

/** The built-in tables in the form that the document's section "Music catalog" describes. */

const { models, operations } = catalogEntries(MUSIC_OPERATIONS);

const entry = (id: string) => {
	const found = operations.find((operation) => operation.id === id);
	if (!found) throw new Error(`No entry ${id}`);
	return found;
};

const field = (id: string, name: string) => entry(id).fields.find((one) => one.name === name);

test('a model entry is value, label and help', () => {
	expect(models).toHaveLength(6);
	expect(models[0]).toEqual({
		value: 'V5_5',
		label: 'V5_5',
		help: 'Newest; supports a custom duration',
	});
});

test('an operation entry has what the document names', () => {
	expect(operations).toHaveLength(21);
	for (const { id, label, description, credits, ...operation } of operations) {
		expect([id, label, description].filter((text) => text === '')).toEqual([]);
		expect(Number.isInteger(credits)).toBe(true);
		expect(Object.keys(operation).filter((name) => name !== 'credits_by_option')).toEqual([
			'source_required',
			'source_operations',
			'fields',
		]);
	}
});

test.each([
	['generate', 12, false, []],
	['midi', 0, true, ['stems']],
	['voice_generate', 0, true, ['voice_validate', 'voice_regenerate']],
	['stems', 10, false, []],
])('%s: credits and sources', (id, credits, source_required, source_operations) => {
	expect(entry(id)).toMatchObject({ credits, source_required, source_operations });
});

test('credits by option are told for stems alone', () => {
	expect(entry('stems')).toMatchObject({
		credits_by_option: {
			separation_type: { separate_vocal: 10, split_stem: 50, split_stem_advanced: 20 },
		},
	});
	const told = operations.filter((operation) => 'credits_by_option' in operation);
	expect(told.map(({ id }) => id)).toEqual(['stems']);
});

test('a field descriptor has what the document names, and its types', () => {
	const types = ['text', 'textarea', 'toggle', 'select', 'number', 'upload', 'source'];
	for (const descriptor of operations.flatMap(({ fields }) => fields)) {
		expect(Object.keys(descriptor)).toEqual([
			'name',
			'label',
			'type',
			'required',
			'options',
			'min',
			'max',
			'step',
			'max_length',
			'default',
			'help',
		]);
		expect(types).toContain(descriptor.type);
	}
});

test.each([
	[
		'generate',
		'title',
		{ type: 'text', required: false, max_length: 80, min: null, max: null, step: null },
	],
	['generate', 'style_weight', { type: 'number', min: 0, max: 1, step: 0.01, max_length: null }],
	['generate', 'instrumental', { type: 'toggle', default: true }],
	['generate', 'custom_mode', { type: 'toggle', default: false }],
	['generate', 'model', { type: 'select', required: true, default: 'V5_5' }],
	['generate', 'duration', { type: 'number', min: 10, max: 360, default: null }],
	['extend', 'continue_at', { type: 'number', required: true, min: 0, max: null }],
	['replace_section', 'source', { type: 'source', required: false }],
	['mashup', 'upload2', { type: 'upload', required: true }],
	['stems', 'stem_name', { type: 'text', required: false }],
])('%s.%s', (id, name, descriptor) => {
	expect(field(id, name)).toMatchObject(descriptor);
});

test('options are value, label and help', () => {
	expect(field('generate', 'vocal_gender')?.options).toEqual([
		{ value: 'm', label: 'Male' },
		{ value: 'f', label: 'Female' },
	]);
	expect(field('generate', 'model')?.options.slice(0, 2)).toEqual([
		{ value: 'V5_5', label: 'V5_5', help: 'Newest; supports a custom duration' },
		{ value: 'V5', label: 'V5', help: 'Better expression, faster generation' },
	]);
	expect(field('generate', 'title')?.options).toEqual([]);
});

test('an operation has the fields of the document and none of our own', () => {
	expect(entry('recovery').fields).toEqual([]);
	expect(entry('voice_regenerate').fields).toEqual([]);
	expect(entry('wav').fields.map(({ name }) => name)).toEqual(['audio_id']);
	const withSource = operations.filter(({ fields }) =>
		fields.some(({ type }) => type === 'source'),
	);
	expect(withSource.map(({ id }) => id).sort()).toEqual(['replace_section', 'stems']);
});

test('it is JSON', () => {
	expect(JSON.parse(JSON.stringify(operations))).toEqual(operations);
});
