import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { openPoints } from '../../../tools/lib/docs/openPoints.mts';
import { PAGES, PRICED_PAGE } from '../../../tools/reference.mts';
import { pricesList, withPrices } from '../../../tools/lib/docs/prices.mts';
import { ALL } from '../../support/sampled.mts';

const textOf = (file: string) => readFileSync(file, 'utf8');

const OPEN_POINTS = 'docs/openPoints.md';

/** The table of what works at once, as it stands on its page. */
const readinessInPage = async () =>
	textOf(OPEN_POINTS)
		.split('\n\n')
		.find((block) => block.startsWith('|'))!;

/** To find out what works at once takes as long as a hundred tests: every night. */
const WRITTEN = ALL ? PAGES : { ...PAGES, [OPEN_POINTS]: () => openPoints(readinessInPage) };

test.each(Object.entries(WRITTEN))(
	'%s says what the tables say (npm run reference writes it)',
	async (file, write) => {
		expect(textOf(file)).toBe(await write());
	},
);

test('the prices in docs/money.md are those of the tables (npm run reference writes them)', () => {
	expect(textOf(PRICED_PAGE)).toBe(withPrices(textOf(PRICED_PAGE)));
});

// From the document (sections "Images", "Standard video", "Family-A video" …).
test.each([
	['Image', 'Generate: 8 credits; Generate (Unified): not documented'],
	['Standard Video', '120 to 300 credits'],
	['Family A', '100 to 450 credits'],
	[
		'Family B 3.0',
		'27 to 40 credits a second; less in the standard tier (20, with Sound 30), whose name is not documented, and by an unknown amount if published',
	],
	['Family C', 'Text to Video: 70 to 80 credits; Image to Video: 80 credits'],
	['Family D', '8 to 84 credits'],
	['Video Studio, Family E', 'not documented'],
	['Song', '12 credits; Replace Section: 6 credits; Generate Sounds: 3 credits'],
	['Lyrics and Style', '1 credit'],
	['Voice', 'free'],
])('price: %s: %s', (resource, price) => {
	expect(pricesList().split('\n')).toContain(`  - **${resource}**: ${price}`);
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

const pages = readdirSync('docs', { recursive: true, encoding: 'utf8' })
	.filter((file) => file.endsWith('.md'))
	.map((file) => path.join('docs', file));

test.each([...pages, 'README.md'])('every block of JSON in %s can be read', (file) => {
	const blocks = [...textOf(file).matchAll(/^```json\n(.*?)^```$/gms)].map(([, json = '']) => json);
	expect(blocks.filter((json) => !isJson(json))).toEqual([]);
});

function isJson(text: string): boolean {
	try {
		JSON.parse(text);
		return true;
	} catch {
		return false;
	}
}
