import * as document from '../../document.mts';
import { detailChoices } from '../../support/detailChoices.mts';
import { CREDENTIAL } from '../../support/product.mts';
import { CREATIONS, READS } from './operations.mts';

/** The transcription has as many rows as were counted in the document, and the product has them all. */

const { NOT_SHOWN } = document;

const CREATION_ROWS = [...document.IMAGE_CREATIONS, ...document.VIDEO_CREATIONS];

const MUSIC_ROWS = document.MUSIC_OPERATIONS.map((row) => ({ ...row, name: row.id }));

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
