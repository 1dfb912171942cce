import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

import { ORDER, readExamples } from '../../../tools/lib/examples.mts';
import { GALLERY, gallery } from '../../../tools/lib/gallery.mts';
import { fileOf, pictureOf, THEMES } from '../../../tools/lib/pictureFiles.mts';

const textOf = (file: string) => readFileSync(file, 'utf8');

/** Bytes of a picture. */
const LARGEST = 200_000;

const examples = readExamples().map(({ name }) => name);

test('docs/examples.md is what the examples say (npm run reference writes it)', () => {
	expect(textOf(GALLERY)).toBe(gallery());
});

test('every example has its place in the order, and every place its example', () => {
	expect(examples).toEqual(ORDER);
});

test('no example fixes the address of a form, a chat or a webhook: everybody would know it', () => {
	const fixed = readExamples().flatMap(({ name, workflow }) =>
		workflow.nodes
			.filter(
				({ webhookId, parameters = {} }) => webhookId !== undefined || pathIn(parameters) !== '',
			)
			.map((node) => `${name}: ${node.name}`),
	);
	expect(fixed).toEqual([]);
});

/** What a person may choose as an address, in the parameters of a trigger. */
function pathIn(parameters: { path?: string; options?: { path?: string } }): string {
	return parameters.path ?? parameters.options?.path ?? '';
}

test('every example is run by a test', () => {
	const folder = 'test/examples';
	const tests = readdirSync(folder).map((file) => textOf(path.join(folder, file)));
	const run = (name: string) => tests.some((text) => text.includes(`'${name}.json'`));
	expect(examples.filter((name) => !run(name))).toEqual([]);
});

describe.each(THEMES)('pictures, %s (npm run screenshots makes them)', (theme) => {
	test.each(examples)('of the example %s, in the gallery', (name) => {
		const picture = pictureOf(name);
		expect(existsSync(fileOf(picture, theme))).toBe(true);
		expect(statSync(fileOf(picture, theme)).size).toBeLessThan(LARGEST);
		expect(textOf(GALLERY)).toContain(`"${fileOf(picture, theme).replace('docs/', '')}"`);
	});

	test.each([
		...['imageNode', 'videoNodeA31', 'videoNodeE26', 'musicNode', 'accountNode', 'triggerNode'],
		...['durableNode', 'credential', 'batch', 'results'],
	])('%s', (name) => {
		expect(existsSync(fileOf(name, theme))).toBe(true);
	});
});
