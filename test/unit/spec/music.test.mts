import { MUSIC_CATALOG } from '../../../nodes/shared/spec/catalogs.ts';
import { describeOption } from '../../../nodes/shared/form/describe.ts';
import { priceOf } from '../../../nodes/shared/spec/price.ts';
import { wrongSource } from '../../../nodes/shared/request/validate.ts';
import { musicOperation } from '../../support/operations.mts';

/** Literals from the document's section "Music catalog" on one side, the tables on the other. */

const DOCUMENTED_GEN_SET = [
	'generate',
	'extend',
	'upload_cover',
	'upload_extend',
	'add_vocals',
	'add_instrumental',
	'replace_section',
	'mashup',
	'sounds',
];

const VOICE_STEPS = ['voice_validate', 'voice_regenerate'];

/** Row by row: operation id, credits, source required, allowed source operations. */
const OPERATIONS: Array<[id: string, credits: number, sourceRequired: boolean, from: string[]]> = [
	['generate', 12, false, []],
	['extend', 12, true, DOCUMENTED_GEN_SET],
	['upload_cover', 12, false, []],
	['upload_extend', 12, false, []],
	['add_vocals', 12, false, []],
	['add_instrumental', 12, false, []],
	['replace_section', 6, false, []],
	['mashup', 12, false, []],
	['stems', 10, false, []],
	['wav', 1, true, DOCUMENTED_GEN_SET],
	['midi', 0, true, ['stems']],
	['lyrics', 1, false, []],
	['timestamped_lyrics', 1, true, DOCUMENTED_GEN_SET],
	['style_boost', 1, false, []],
	['cover_art', 0, true, DOCUMENTED_GEN_SET],
	['music_video', 2, true, DOCUMENTED_GEN_SET],
	['sounds', 3, false, []],
	['recovery', 0, true, DOCUMENTED_GEN_SET],
	['voice_validate', 0, false, []],
	['voice_regenerate', 0, true, VOICE_STEPS],
	['voice_generate', 0, true, VOICE_STEPS],
];

const IDS = OPERATIONS.map(([id]) => id);

test('the 21 operations, each in one resource', () => {
	const created = MUSIC_CATALOG.operations.filter(({ kind }) => kind === 'create');
	expect(IDS).toHaveLength(21);
	expect(created.map(({ operation }) => operation).sort()).toEqual([...IDS].sort());
	const resources = MUSIC_CATALOG.resources.map(({ value }) => value);
	expect(created.filter(({ resource }) => !resources.includes(resource))).toEqual([]);
});

describe('models', () => {
	const remarks = [
		['V5_5', 'Newest; supports a custom duration'],
		['V5', 'Better expression, faster generation'],
		['V4_5PLUS', 'Richer sound, tracks up to 8 minutes'],
		['V4_5ALL', 'Smart prompts, faster generations'],
		['V4_5', 'Smart prompts, faster generations'],
		['V4', 'Improved vocals, tracks up to 4 minutes'],
	];

	/** Default and requirement, by operation; the others have no model. */
	const models: Record<string, string> = {
		generate: 'required =V5_5',
		extend: 'required =V5_5',
		upload_cover: 'required =V5_5',
		upload_extend: 'required =V5_5',
		replace_section: 'required =V5_5',
		mashup: 'required =V5_5',
		add_vocals: '=V5_5',
		add_instrumental: '=V5_5',
		sounds: 'required =V5',
	};

	test.each(IDS)('of %s', (id) => {
		const operation = musicOperation(id);
		const model = operation.fields.find(({ name }) => name === 'model');
		const words = [model?.presence === 'required' ? 'required' : '', `=${model?.default}`];
		expect(model && words.filter(Boolean).join(' ')).toBe(models[id]);
		const told = model?.options?.map((option) => [
			option.value,
			describeOption(model, option, operation),
		]);
		expect(told).toEqual(id in models ? remarks : undefined);
	});
});

describe('credits', () => {
	test.each(OPERATIONS)('%s costs %i', (id, credits) => {
		expect(priceOf(musicOperation(id), {})).toEqual({ credits, exact: true });
	});

	test.each([
		['separate_vocal', 10],
		['split_stem', 50],
		['split_stem_advanced', 20],
	])('stems by separation_type: %s costs %i', (separation_type, credits) => {
		expect(priceOf(musicOperation('stems'), { separation_type })).toEqual({ credits, exact: true });
	});
});

describe('sources', () => {
	test.each(OPERATIONS)('of %s', (id, _credits, required, from) => {
		const { source, fields } = musicOperation(id);
		expect(source?.required ?? false).toBe(required);
		expect([...(source?.operations ?? [])].sort()).toEqual([...from].sort());
		const field = fields.find(({ name }) => name === 'source');
		const documented = ['replace_section', 'stems'].includes(id) ? 'optional' : undefined;
		expect(field?.presence).toBe(required ? 'required' : documented);
		expect(field?.type).toBe(field && 'source');
	});

	const pairs = OPERATIONS.filter(([, , required]) => required).flatMap(([id, , , from]) =>
		IDS.map((made) => [id, made, from.includes(made)] as const),
	);

	test.each(pairs)('%s of a job of %s: %p', (id, made, allowed) => {
		const incoming = { jobId: 'job-1', operation: made };
		const problems = wrongSource(musicOperation(id), { source: 'job-1' }, incoming);
		expect(problems.map(({ field }) => field)).toEqual(allowed ? [] : ['source']);
	});

	test('what is wrong is said by name', () => {
		const incoming = { jobId: 'job-1', operation: 'lyrics' };
		expect(wrongSource(musicOperation('midi'), { source: 'job-1' }, incoming)).toEqual([
			{
				field: 'source',
				message: 'Source Job ID (source) must be a job of stems, but is one of lyrics',
			},
		]);
	});

	test.each([
		['another job', { source: 'job-2' }, { jobId: 'job-1', operation: 'lyrics' }],
		['an item that does not tell', { source: 'job-1' }, { jobId: 'job-1' }],
		['no source', {}, { jobId: 'job-1', operation: 'lyrics' }],
	])('%s is not judged', (_name, values, incoming) => {
		expect(wrongSource(musicOperation('wav'), values, incoming)).toEqual([]);
	});
});

test.each(IDS)('%s is submitted and read at paths of the credential', (id) => {
	expect(musicOperation(id)).toMatchObject({
		method: 'POST',
		path: { openPoint: 'musicSubmitPath' },
		status: { openPoint: 'musicStatusPath' },
	});
});
