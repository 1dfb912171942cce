import * as document from '../../document.mts';
import { detailChoices } from '../../support/detailChoices.mts';
import { CREDENTIAL } from '../../support/product.mts';
import { CREATIONS, READS } from './operations.mts';

/** The transcription has as many rows as were counted in the document, and the product has them all. */

const { ROWS, NOT_SHOWN } = document;

const CREATION_ROWS = [...document.IMAGE_CREATIONS, ...document.VIDEO_CREATIONS];

const counted = <T extends { name: string }>(rows: readonly T[], count: (row: T) => number) =>
	Object.fromEntries(rows.map((row) => [row.name, count(row)]));

const MUSIC_ROWS = document.MUSIC_OPERATIONS.map((row) => ({ ...row, name: row.id }));
const tuning = MUSIC_ROWS[0]!.fields.filter(({ name }) =>
	/^(negative_tags|vocal_gender|\w+_weight|weirdness_constraint)$/.test(name),
);

test('the rows of each table', () => {
	expect({
		records: Object.fromEntries(
			Object.entries(document.RECORDS).map(([name, fields]) => [name, fields.length]),
		),
		fieldTypes: document.FIELD_TYPES.length,
		musicModels: document.MUSIC_MODELS.length,
		tuning: tuning.length,
		sources: document.GEN_SET.length,
		musicOperations: MUSIC_ROWS.length,
		musicFields: counted(MUSIC_ROWS, ({ fields }) => fields.length),
		stemPrices: MUSIC_ROWS.flatMap(({ creditsBy }) => Object.keys(creditsBy?.credits ?? {})).length,
		states: document.STATES.length,
		accountEndpoints: document.ACCOUNT_ENDPOINTS.length,
		imageEndpoints: document.IMAGE_CREATIONS.length + document.IMAGE_READS.length,
		videoFields: counted(document.VIDEO_CREATIONS, ({ fields }) => fields.length),
		prices: counted(CREATION_ROWS, ({ prices }) => prices.length),
		surcharges: CREATION_ROWS.flatMap(({ surcharges = [] }) => surcharges).length,
		videoStudioEndpoints: [...document.VIDEO_CREATIONS, ...document.VIDEO_READS].filter(
			({ name }) => /^(Video Studio|video models)/.test(name),
		).length,
		furtherModes: document.FURTHER_E_MODES.length,
		headerForms: document.HEADER_FORMS.length,
		errors: document.ERRORS.length,
		limits: Object.keys(document.LIMITS).length,
		gaps: NOT_SHOWN.length,
	}).toEqual(ROWS);
});

test('names and values are there once', () => {
	const all = [...CREATION_ROWS, ...MUSIC_ROWS];
	const lists = [
		all.map(({ name }) => name),
		...all.map(({ fields }) => fields.map(({ name }) => name)),
		...all.flatMap(({ fields }) => fields.flatMap(({ values }) => (values ? [values] : []))),
		NOT_SHOWN.map(({ point }) => point),
	];
	expect(lists.filter((list) => new Set(list).size !== list.length)).toEqual([]);
});

test('the conditions name fields of their tables', () => {
	const wrong = [...CREATION_ROWS, ...MUSIC_ROWS].flatMap((row) => {
		const names = row.fields.map(({ name }) => name);
		const { prices = [], surcharges = [] } = row as Partial<document.Creation>;
		const conditions = [
			...row.fields.flatMap(({ required, usedOnlyWith, onlyFor }) => [
				required === true ? {} : required,
				usedOnlyWith,
				onlyFor,
			]),
			...[...prices, ...surcharges].map(({ when }) => when),
			...prices.map(({ unless }) => unless),
		];
		const named = conditions.flatMap((condition) => Object.keys(condition ?? {}));
		return named.filter((name) => !names.includes(name));
	});
	expect(wrong).toEqual([]);
});

test('every row is an operation of a node', () => {
	expect(new Set(CREATIONS.map(({ row }) => row))).toEqual(
		new Set([
			...CREATION_ROWS.map(({ name }) => name),
			...MUSIC_ROWS.map(({ id }) => `music: ${id}`),
		]),
	);
	expect(READS.map(({ name }) => name)).toEqual(
		[...document.ACCOUNT_ENDPOINTS, ...document.IMAGE_READS, ...document.VIDEO_READS].map(
			({ name }) => name,
		),
	);
});

test('a field that the node splits into operations has one for each value', () => {
	const split = [...document.VIDEO_CREATIONS].flatMap(({ name: row, fields }) =>
		fields.flatMap(({ name, values }) => {
			const fixed = CREATIONS.filter((one) => one.row === row).flatMap(
				(one) => one.fixed?.[name] ?? [],
			);
			return fixed.length > 0 ? [{ row, name, fixed, values }] : [];
		}),
	);
	expect(split.map(({ row, name }) => `${row}: ${name}`)).toEqual([
		'family B 2.6: generationMode',
		'family E 2.6: mode',
	]);
	for (const { fixed, values } of split) expect(fixed).toEqual(values);
});

test('each setting for what is not shown is in the credential', () => {
	const properties = new Set([
		...CREDENTIAL.properties.map(({ name }) => name),
		...detailChoices().map(({ value }) => value),
	]);
	const settings = [
		...NOT_SHOWN.flatMap(({ settings: names = [] }) => names),
		...CREATIONS.flatMap(({ pathSetting }) => pathSetting ?? []),
	];
	expect(settings.filter((name) => !properties.has(name))).toEqual([]);
});
