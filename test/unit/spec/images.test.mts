import { catalogProperties } from '../../../nodes/shared/form/catalogProperties.ts';
import { priceOf } from '../../../nodes/shared/spec/price.ts';
import { IMAGE_CATALOG } from '../../../nodes/shared/spec/catalogs.ts';
import { GENERATE_IMAGE, GENERATE_IMAGE_UNIFIED } from '../../../nodes/shared/spec/images.ts';
import { panelOf } from '../../support/formPanel.mts';
import type { Operation } from '../../../nodes/shared/spec/types.ts';

/** Literals from the document (section "Images") on one side, the tables on the other. */

const operations = Object.fromEntries(
	IMAGE_CATALOG.operations.map((operation) => [
		`${operation.resource}.${operation.operation}`,
		operation,
	]),
);

test.each([
	['image.generate', 'POST', '/api/v1/generate/'],
	['image.generateUnified', 'POST', '/api/v1/image/generate'],
	['job.get', 'GET', '/api/v1/generate/{generation_id}/'],
	['job.wait', 'GET', '/api/v1/generate/{generation_id}/'],
	['job.history', 'GET', '/api/v1/generate/history/'],
	['model.list', 'GET', '/api/v1/models/image/'],
	// Sends nothing.
	['job.recover', 'GET', ''],
])('%s is %s %s', (name, method, path) => {
	expect(operations[name]).toMatchObject({ method, path });
});

test('there are no other operations', () => {
	expect(Object.keys(operations)).toHaveLength(7);
});

const values = (operation: Operation, field: string) =>
	operation.fields.find(({ name }) => name === field)?.options?.map(({ value }) => value);

test('the known aspect ratio, among others that are not shown', () => {
	expect(values(GENERATE_IMAGE_UNIFIED, 'aspectRatio')).toEqual(['1:1']);
	expect(GENERATE_IMAGE_UNIFIED.fields[1]).toMatchObject({ openValues: true });
});

test('fields of the bodies and queries', () => {
	const names = (name: string) => operations[name]?.fields.map((field) => field.name);
	expect(names('image.generate')).toEqual(['prompt', 'size']);
	expect(names('image.generateUnified')).toEqual(['prompt', 'aspectRatio']);
	expect(names('job.history')).toEqual(['limit', 'offset', 'type']);
	expect(names('model.list')).toEqual([]);
});

test.each(['1:1', '3:2', '2:3'])('an image of size %s costs 8 credits', (size) => {
	expect(priceOf(GENERATE_IMAGE, { prompt: 'x', size })).toEqual({ credits: 8, exact: true });
});

test('the price of a unified image is not shown', () => {
	expect(priceOf(GENERATE_IMAGE_UNIFIED, { prompt: 'x' })).toMatchObject({
		credits: null,
		exact: false,
	});
});

test('the form of an image, in order', () => {
	const form = panelOf(IMAGE_CATALOG, GENERATE_IMAGE).filter(
		({ name }) => !['resource', 'operation', 'durableRole'].includes(name),
	);
	expect(form.map(({ name }) => name)).toEqual([
		// In the form of an agent's tool.
		'toolDescription',
		'prompt',
		'size',
		// As a text, in the form of an agent's tool.
		'size',
		'price',
		'waitForCompletion',
		'downloadMedia',
		// In the form of an agent's tool.
		'output',
		'outputFields',
		'options',
	]);
	expect(form[1]).toMatchObject({ displayName: 'Prompt', type: 'string', required: true });
	expect(form[2]).toMatchObject({ displayName: 'Size', type: 'options', default: '1:1' });
	expect(form[3]).toMatchObject({ displayName: 'Size', type: 'string', default: '1:1' });
	expect(form[4]).toMatchObject({ displayName: 'This job costs 8 credits.', type: 'notice' });
	expect(form[5]).toMatchObject({ type: 'boolean', default: true });
	expect(form[6]).toMatchObject({ displayName: 'Download File', type: 'boolean', default: false });
});

test('the dropdown says what an image costs', () => {
	const operation = catalogProperties(IMAGE_CATALOG).find(({ name }) => name === 'operation');
	expect(operation?.options?.[0]).toMatchObject({
		description: 'Make an image from a text prompt (8 credits)',
	});
});
