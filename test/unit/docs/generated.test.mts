import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

import { withSentence, withTable, type Results } from '../../../tools/bench.mts';
import { openPoints } from '../../../tools/lib/docs/openPoints.mts';
import { withPrices } from '../../../tools/lib/docs/prices.mts';
import { ORDER, readExamples, fileOf, pictureOf, THEMES } from '../../../tools/lib/examples.mts';
import { GALLERY } from '../../../tools/lib/gallery.mts';
import { PAGES, PRICED_PAGE } from '../../../tools/reference.mts';
import { ALL } from '../../support/sampled.mts';

const textOf = (file: string) => readFileSync(file, 'utf8');

const OPEN_POINTS = 'docs/openPoints.md';

/** The table of what works at once, as it stands on its page. */
const readinessInPage = async () =>
	textOf(OPEN_POINTS)
		.split('\n\n')
		.find((block) => block.startsWith('|'))!;

const results = (): Results => JSON.parse(textOf('docs/bench.json'));

test.each<[string, () => string | Promise<string>]>([
	...Object.entries({
		...PAGES,
		// To find out what works at once takes as long as a hundred tests: every night.
		...(!ALL && { [OPEN_POINTS]: () => openPoints(readinessInPage) }),
	}),
	[PRICED_PAGE, () => withPrices(textOf(PRICED_PAGE))],
	['docs/speed.md', () => withTable(textOf('docs/speed.md'), results())],
	['README.md', () => withSentence(textOf('README.md'), results())],
])('%s is what npm run reference or npm run bench writes', async (file, write) => {
	expect(await write()).toBe(textOf(file));
});

// From the document: which endpoints have a path and a status path there.
test.each([
	[/Standard Video, Family A.*Video Studio.*(Result.*){5}/],
	[/Family B 2\.6.*(Result.*){4}Job ID/],
	[/Unified.*(Result.*){2}Job ID.*Result.*Job ID/],
	[/Family C > Image to Video.*(Needs a path.*){5}/],
	[/MediaGen Music +\| Song, .*Voice.*(Needs a path.*){5}/],
])('what works at once: %s', (row) => {
	expect(textOf(OPEN_POINTS)).toMatch(row);
});

const examples = readExamples();

describe('examples', () => {
	test('stand in the order of the gallery, and each is run by a test', () => {
		const names = examples.map(({ name }) => name);
		expect(names).toEqual(ORDER);
		const folder = 'test/examples';
		const tests = readdirSync(folder).map((file) => textOf(path.join(folder, file)));
		const isRun = (name: string) => tests.some((text) => text.includes(`'${name}.json'`));
		expect(names.filter((name) => !isRun(name))).toEqual([]);
	});

	test('none fixes the address of a form, a chat or a webhook: everybody would know it', () => {
		const nodes = examples.flatMap(({ workflow }) => workflow.nodes);
		const pathIn = (given: { path?: string; options?: { path?: string } } = {}) =>
			given.path ?? given.options?.path;
		const fixed = nodes.filter((node) => node.webhookId ?? pathIn(node.parameters));
		expect(fixed.map(({ name }) => name)).toEqual([]);
	});

	test.each(examples)('$name has its pictures in the gallery', ({ name }) => {
		for (const theme of THEMES) {
			const file = fileOf(pictureOf(name), theme);
			expect(existsSync(file)).toBe(true);
			expect(statSync(file).size).toBeLessThan(200_000);
			expect(textOf(GALLERY)).toContain(`"${file.replace('docs/', '')}"`);
		}
	});
});
