import type { INodeProperties } from 'n8n-workflow';

import {
	CREATE_OPTIONS,
	FOLLOW_OPTIONS,
	STATUS_OPTIONS,
	waitingProperties,
} from '../../../nodes/shared/form/waiting.ts';
import { CATALOGS } from '../../../nodes/shared/spec/catalogs.ts';

/** What is up front about waiting, and the collection *Options*. */

const operations = CATALOGS.flatMap((catalog) => catalog.operations);

const collections = [CREATE_OPTIONS, FOLLOW_OPTIONS, STATUS_OPTIONS];
const optionsIn = ({ options = [] }: INodeProperties) => options as INodeProperties[];
const all = [
	...collections.flatMap(optionsIn),
	...operations.flatMap((operation) => waitingProperties(operation)),
];

test('every option is described in at most two sentences and 160 characters', () => {
	const texts = all.flatMap(({ type, description = '', options = [] }) => [
		description,
		// Names of fields are described with the output.
		...(type === 'multiOptions' || type === 'fixedCollection' ? [] : options).map(
			(option) => ('description' in option ? option.description : undefined) ?? '',
		),
	]);
	for (const text of texts) {
		expect(text.length).toBeGreaterThan(0);
		expect(text.length).toBeLessThanOrEqual(160);
		expect(text.split('. ').length).toBeLessThanOrEqual(2);
	}
});

test.each([
	['timeout', 'Timeout (Seconds)'],
	['maxCredits', 'Max Credits per Run'],
	['estimateOnly', 'Estimate Only'],
	['outputByStatus', 'Output by Status'],
])('%s is labelled %s', (name, label) => {
	const labels = all.filter((option) => option.name === name).map((option) => option.displayName);
	expect(new Set(labels)).toEqual(new Set([label]));
});

test.each(['image', 'video', 'audio', 'text'])(
	'an operation that makes %s has Download File up front',
	(mediaType) => {
		const own = operations.filter((one) => one.kind === 'create' && one.mediaType === mediaType);
		expect(own.length).toBeGreaterThan(0);
		for (const operation of own) {
			const [wait, download] = waitingProperties(operation);
			expect(wait?.name).toBe('waitForCompletion');
			const displayName = 'Download File';
			expect(download).toMatchObject({
				name: 'downloadMedia',
				displayName,
				default: mediaType === 'image',
			});
		}
	},
);

test('so has what reads jobs, without a switch to wait', () => {
	for (const operation of operations.filter(({ kind }) => kind === 'status')) {
		expect(waitingProperties(operation).map(({ name }) => name)).toEqual(['downloadMedia']);
	}
});

test('where the files go is asked only where they are downloaded', () => {
	for (const option of all.filter(({ name }) => name === 'binaryPropertyName')) {
		expect(option.displayOptions?.show).toMatchObject({ '/downloadMedia': [true] });
	}
});
