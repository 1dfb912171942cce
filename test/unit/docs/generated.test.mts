import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

import { withSentence, withTable, type Results } from '../../../tools/bench.mts';
import { withPrices } from '../../../tools/lib/docs/prices.mts';
import { reference } from '../../../tools/lib/docs/reference.mts';
import { ORDER, readExamples } from '../../../tools/lib/examples.mts';
import { PRICED_PAGE, REFERENCE } from '../../../tools/reference.mts';

const textOf = (file: string) => readFileSync(file, 'utf8');

const results = (): Results => JSON.parse(textOf('docs/bench.json'));

test.each<[string, () => string]>([
	[REFERENCE, reference],
	[PRICED_PAGE, () => withPrices(textOf(PRICED_PAGE))],
	['docs/speed.md', () => withTable(textOf('docs/speed.md'), results())],
	['README.md', () => withSentence(textOf('README.md'), results())],
])('%s is what npm run reference or npm run bench writes', (file, write) => {
	expect(write()).toBe(textOf(file));
});

const examples = readExamples();

describe('examples', () => {
	test('are those in the folder, and each is run by a test', () => {
		const files = readdirSync('examples');
		expect(files.sort()).toEqual(ORDER.map((name) => `${name}.json`).sort());
		const folder = 'test/examples';
		const tests = readdirSync(folder).map((file) => textOf(path.join(folder, file)));
		const isRun = (name: string) => tests.some((text) => text.includes(`'${name}.json'`));
		expect(ORDER.filter((name) => !isRun(name))).toEqual([]);
	});

	test('none fixes the address of a form, a chat or a webhook: everybody would know it', () => {
		const nodes = examples.flatMap(({ workflow }) => workflow.nodes);
		const pathIn = (given: { path?: string; options?: { path?: string } } = {}) =>
			given.path ?? given.options?.path;
		const fixed = nodes.filter((node) => node.webhookId ?? pathIn(node.parameters));
		expect(fixed.map(({ name }) => name)).toEqual([]);
	});

	test.each(examples)('$name has its pictures in the gallery', ({ name }) => {
		const gallery = textOf('docs/examples.md');
		for (const theme of ['', '-dark']) {
			const file = `images/examples/${name}${theme}.png`;
			expect(statSync(`docs/${file}`).size).toBeLessThan(200_000);
			expect(gallery).toContain(`"${file}"`);
		}
		expect(gallery).toContain(`(../examples/${name}.json)`);
	});
});
