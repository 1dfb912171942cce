import { NodeHelpers, type IDataObject, type INodeParameters } from 'n8n-workflow';

import { MUSIC_CATALOG } from '../../../nodes/shared/spec/catalogs.ts';
import { musicOperation } from '../../support/operations.mts';
import { AN_EXPRESSION, panelOf, visible } from '../../support/formPanel.mts';

/** What the panel of a music operation says of the request as it is filled in. */
function notices(id: string, values: IDataObject): string[] {
	const operation = musicOperation(id);
	const panel = panelOf(MUSIC_CATALOG, operation);
	const { resource } = operation;
	// As in the editor: with defaults, without what is not shown.
	const complete = NodeHelpers.getNodeParameters(
		panel,
		{ resource, operation: id, ...values } as INodeParameters,
		true,
		false,
		null,
		null,
	);
	return visible(panel, { resource, operation: id, ...(complete as IDataObject) })
		.filter(({ type }) => type === 'notice')
		.map(({ displayName }) => displayName);
}

describe.each(['generate', 'mashup'])('a length, which only V5_5 supports, in %s', (id) => {
	const UNUSED = 'Duration is used only when Model is V5_5.';
	const added = { additionalFields: { duration: 60 } };

	test.each(['V5', 'V4_5PLUS', 'V4_5ALL', 'V4_5', 'V4'])('with %s the panel says so', (model) => {
		expect(notices(id, { model, ...added })).toContain(UNUSED);
	});

	test('with V5_5, and where none is added, it says nothing', () => {
		expect(notices(id, { model: 'V5_5', ...added })).not.toContain(UNUSED);
		expect(notices(id, { model: 'V5', additionalFields: {} })).not.toContain(UNUSED);
	});
});

test.each([
	['V4', true],
	['V5', false],
	['V5_5', false],
])('a persona with %s: the panel says that it is for other models: %p', (model, isSaid) => {
	const said = notices('generate', { model, additionalFields: { persona_id: 'voice-1' } });
	expect(said.includes('Persona ID is used only when Model is V5 or V5_5.')).toBe(isSaid);
});

/** The document forbids it nowhere: neither with Instrumental on nor where style and lyrics are inherited. */
describe('the prompt can be entered, in one field', () => {
	const either = [true, false, AN_EXPRESSION];
	const whatToMake = either.flatMap((custom_mode) =>
		either.map((instrumental): IDataObject => ({ custom_mode, instrumental })),
	);
	const howToGoOn = either.map((default_param_flag): IDataObject => ({ default_param_flag }));

	test.each([
		...whatToMake.map((values) => ['generate', values] as const),
		...whatToMake.map((values) => ['upload_cover', values] as const),
		...howToGoOn.map((values) => ['extend', values] as const),
		...howToGoOn.map((values) => ['upload_extend', values] as const),
	])('%s with %j', (id, values) => {
		const operation = musicOperation(id);
		const panel = panelOf(MUSIC_CATALOG, operation);
		const shown = visible(panel, { resource: operation.resource, operation: id, ...values });
		expect(shown.filter(({ name }) => name === 'prompt')).toHaveLength(1);
	});
});

/** By the document it is on at first, and a person who types a theme expects singing. */
describe('Instrumental', () => {
	const NO_VOCALS = 'The track will have no vocals. For a sung one, turn Instrumental off.';

	test.each<[id: string, values: IDataObject, isSaid: boolean]>([
		['generate', {}, true],
		['generate', { custom_mode: true }, true],
		['generate', { instrumental: false }, false],
		['generate', { instrumental: AN_EXPRESSION }, false],
		['upload_cover', {}, true],
		['upload_cover', { instrumental: false, custom_mode: false }, false],
	])('%s with %j says that there are no vocals: %p', (id, values, isSaid) => {
		expect(notices(id, values).includes(NO_VOCALS)).toBe(isSaid);
	});
});

describe('a notice stands directly below what it is about', () => {
	const order = (id: string, values: IDataObject) => {
		const operation = musicOperation(id);
		const { resource } = operation;
		const form = { resource, operation: id, ...values };
		return visible(panelOf(MUSIC_CATALOG, operation), form).map(({ name }) => name);
	};

	test.each<[id: string, values: IDataObject, notice: string, field: string]>([
		['generate', { instrumental: true }, 'instrumentalNote', 'instrumental'],
		['generate', { custom_mode: false }, 'promptWanted', 'prompt'],
		['generate', { custom_mode: true }, 'styleWanted', 'style'],
		['extend', { default_param_flag: true }, 'styleWanted', 'style'],
		['stems', { audioFrom: 'file' }, 'sourceWanted', 'upload'],
		[
			'generate',
			{ model: 'V4', additionalFields: { duration: 60 } },
			'durationUnused',
			'additionalFields',
		],
	])('%s with %j: %s below %s', (id, values, notice, field) => {
		const names = order(id, values);
		expect(names[names.indexOf(notice) - 1]).toBe(field);
	});
});

/** None of these is required by the document: the panel says what comes of leaving all of them empty. */
describe('what the service does not require', () => {
	const PROMPT = 'Without a Prompt, you pay for whatever the service makes.';
	const WHAT = 'Without Style or Lyrics, you pay for whatever the service makes.';
	const HOW = 'Without Style or Prompt, you pay for however the service goes on.';
	const TRACK =
		'Without a Source Job ID, Audio ID or Audio File, nothing says which track you pay for.';
	const custom = { custom_mode: true };

	test.each<[id: string, values: IDataObject, said: string[]]>([
		['generate', {}, [PROMPT]],
		['generate', { prompt: 'A song' }, []],
		['generate', custom, [WHAT]],
		['generate', { ...custom, style: 'Folk' }, []],
		['generate', { ...custom, instrumental: false, prompt: 'La la' }, []],
		['generate', { custom_mode: AN_EXPRESSION }, []],
		['upload_cover', {}, [WHAT]],
		['upload_cover', { custom_mode: false }, [PROMPT]],
		['extend', {}, [HOW]],
		['extend', { default_param_flag: false }, []],
		['upload_extend', { style: 'Folk' }, []],
		['stems', { source: '', audio_id: '' }, [TRACK]],
		['stems', { source: '', audio_id: '', audioFrom: 'file', upload: 'data' }, []],
		['stems', { source: 'job-1', audio_id: '' }, []],
		['replace_section', { source: '', audio_id: '' }, [TRACK]],
		['replace_section', { source: 'job-1', audio_id: 'take-1' }, []],
	])('%s with %j: %j', (id, values, said) => {
		const all = [PROMPT, WHAT, HOW, TRACK];
		expect(notices(id, values).filter((text) => all.includes(text))).toEqual(said);
	});
});
