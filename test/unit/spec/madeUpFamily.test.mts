import '../../support/withMadeUpFamily.mts';

import { readFileSync } from 'node:fs';
import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { nodeType } from '../../support/product.mts';
import { VirtualN8n } from '../../support/virtualRun.mts';

const TEXT = {
	resource: 'vidZ',
	operation: 'textToVideo',
	prompt: 'a cat',
	model: 'fine',
	seconds: 6,
	additionalFields: { sound: true },
};

/** Runs the node once, with one item. */
async function run(parameters: IDataObject, settings: IDataObject = {}) {
	const n8n = new VirtualN8n({}, settings);
	const { items, error } = await n8n.run({ items: [{}], parameters, kind: 'video' });
	return { n8n, item: items[0]?.json, error };
}

const valuesOf = (property: INodeProperties | undefined) =>
	property?.options?.map((option) => 'value' in option && option.value);

/** Imports as a file in `nodes/shared/spec/video/` has them. */
const asInSpecFolder = (code: string) =>
	code
		.replaceAll('../../nodes/shared/spec/video/', './')
		.replaceAll('../../nodes/shared/spec/', '../')
		.replaceAll(".ts';", "';");

/** Shorter paths are broken otherwise. */
const oneLineImports = (code: string) =>
	code.replace(/^import [^;]+/gm, (text) => text.replace(/\s+/g, ' ').replace(', }', ' }'));

describe('a family that is one table and one entry in the list of families', () => {
	test('has a form', () => {
		const all = nodeType('video').description.properties;
		expect(valuesOf(all.find(({ name }) => name === 'resource'))).toContain('vidZ');
		const form = all.filter(({ displayOptions }) =>
			displayOptions?.show?.resource?.includes('vidZ'),
		);
		const property = (name: string) => form.find((candidate) => candidate.name === name);
		expect(valuesOf(property('operation'))).toEqual(['textToVideo', 'videoEdit']);
		expect(property('seconds')).toMatchObject({
			...{ displayName: 'Seconds', type: 'number', required: true },
			typeOptions: { minValue: 3, maxValue: 15, numberPrecision: 0 },
		});
	});

	test('makes a video', async () => {
		const { n8n, item, error } = await run(TEXT);
		expect(error).toBeUndefined();
		const [job] = n8n.state.jobs.list;
		expect(item).toMatchObject({
			jobId: job?.id,
			status: 'completed',
			mediaType: 'video',
			mediaUrl: `https://service.example/media/${job?.id}.mp4`,
			creditsUsed: 362,
			details: { model: 'fine' },
		});
		expect(n8n.state.account.charges).toMatchObject([
			{ operation: 'vidZ.textToVideo', credits: 362 },
		]);
		expect(job?.body).toEqual({
			mode: 'text',
			prompt: 'a cat',
			model: 'fine',
			seconds: 6,
			sound: true,
		});
	});

	test('is the one that docs/maintainers/addAFamily.md shows', () => {
		const [, shown = ''] =
			/```ts\n(.*?)```/s.exec(readFileSync('docs/maintainers/addAFamily.md', 'utf8')) ?? [];
		const tested = readFileSync('test/support/madeUpFamily.mts', 'utf8');
		expect(oneLineImports(shown)).toBe(oneLineImports(asInSpecFolder(tested)));
	});
});
