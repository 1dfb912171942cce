import { existsSync, readdirSync, readFileSync } from 'node:fs';

import { TOP_FIELDS } from '../../../nodes/shared/output/itemFields';
import { DETAILS, isListed } from '../../../nodes/shared/spec/answers';
import { triggerProperties } from '../../../nodes/shared/form/trigger';
import { doubtText, failed, timedOut } from '../../../nodes/shared/orders/jobErrors';
import { ERROR_TEXTS } from '../../../nodes/shared/service/serviceError';
import {
	IMAGE_CATALOG,
	JOB_TRIGGER,
	MUSIC_CATALOG,
	VIDEO_CATALOG,
} from '../../../nodes/shared/spec/catalogs';
import { GENERATE_IMAGE } from '../../../nodes/shared/spec/images';
import { ACCOUNT_KINDS, CONCURRENT_GENERATIONS } from '../../../nodes/shared/spec/limits';
import { MUSIC_OPERATIONS } from '../../../nodes/shared/spec/music/operations';
import { priceLines } from '../../../nodes/shared/spec/price';
import { VIDEO_FAMILIES } from '../../../nodes/shared/spec/video/families';
import { UPLOADED_AUDIO } from '../../document.mts';

/** What pages for users repeat of the tables, for those who read them from end to end. */

/** A page without the spaces and line breaks of its formatting. */
const textOf = (page: string) => readFileSync(`docs/${page}.md`, 'utf8').replace(/\s+/g, ' ');

/** The cells of the rows of a page's tables. */
const rowsOf = (page: string): string[][] =>
	readFileSync(`docs/${page}.md`, 'utf8')
		.split('\n')
		.filter((line) => line.startsWith('| '))
		.map((line) =>
			line
				.slice(1, -1)
				.split('|')
				.map((cell) => cell.trim()),
		);

const rowOf = (page: string, first: string) => rowsOf(page).find(([cell]) => cell === first);

describe('docs/batches.md', () => {
	test.each(ACCOUNT_KINDS)('has the limits of $label', ({ label, requests, words }) => {
		const amount = words.replace(`${requests} requests`, String(requests));
		expect(rowOf('batches', label)).toEqual([label, amount, String(CONCURRENT_GENERATIONS)]);
	});
});

describe('docs/videoNode.md', () => {
	const numbersIn = (text = '') => text.match(/\d+/g) ?? [];

	/** How long the videos of a family may be: its values or bounds; else what its description says. */
	const lengths = VIDEO_FAMILIES.map(({ resource, creations }) => {
		const [field] = creations.flatMap(({ fields }) =>
			fields.filter(({ name }) => /duration/i.test(name)),
		);
		const { options, typeOptions: { minValue, maxValue } = {} } = field?.property ?? {};
		const values = options?.flatMap((option) => ('value' in option ? [String(option.value)] : []));
		const bounds = [minValue, maxValue].flatMap((bound) =>
			bound === undefined ? [] : [`${bound}`],
		);
		const told = /\b(\d+) s\b/.exec(resource.description ?? '')?.[1];
		return { family: resource.label, length: values ?? [...bounds, ...(told ? [told] : [])] };
	});

	test.each(lengths)('has the length of $family', ({ family, length }) => {
		expect(numbersIn(rowOf('videoNode', family)?.[1]?.replace('1080p', ''))).toEqual(length);
	});
});

test('docs/musicNode.md has the number of operations and the bounds of uploads', () => {
	const text = textOf('musicNode');
	expect(text).toContain(`the ${MUSIC_OPERATIONS.length} operations`);
	expect(text).toContain(UPLOADED_AUDIO.formats.join(' or '));
	expect(text).toContain(`at most ${UPLOADED_AUDIO.maxSeconds / 60} minutes`);
});

test('docs/gettingStarted.md has all fields of the output of a job', () => {
	// The prompt is that of a job that the trigger has found.
	const fields = [...TOP_FIELDS.job, DETAILS].filter((name) => name !== 'prompt');
	const shown = textOf('gettingStarted');
	expect(fields).toContain('mediaUrl');
	expect(fields.filter((name) => !shown.includes(`\`${name}\``))).toEqual([]);
});

test('docs/prices.md has a price as the panel says it', () => {
	const texts = priceLines(GENERATE_IMAGE).map(({ text }) => text);
	const price = 'This job costs 8 credits.';
	expect(texts).toContain(price);
	expect(textOf('prices')).toContain(`"${price}"`);
});

test('docs/money.md names the operations whose jobs the history lists', () => {
	const listed = [IMAGE_CATALOG, VIDEO_CATALOG, MUSIC_CATALOG].flatMap(
		({ resources, operations }) =>
			operations
				.filter((operation) => operation.kind === 'create' && isListed(operation))
				.map(({ resource, label }) => {
					const { label: of = '' } = resources.find(({ value }) => value === resource) ?? {};
					return `_${of} > ${label}_`;
				}),
	);
	expect(textOf('money')).toContain(`any other operation than ${listed.join(' and ')}`);
});

describe('docs/money.md says what is seen', () => {
	const job = { id: '1', record: {}, waitedMs: 0, creation: {}, state: undefined };

	test.each([
		ERROR_TEXTS[402].message,
		ERROR_TEXTS[429].message,
		ERROR_TEXTS.unnamed.message,
		doubtText(GENERATE_IMAGE).split(':')[0],
		timedOut(job, { timeoutMs: 1000, isAnswered: false }).message.replaceAll('1', '…'),
		failed(job).message.replace('1', '…'),
	])('%s', (message) => {
		expect(textOf('money')).toContain(message);
	});
});

test.each(Object.values(ERROR_TEXTS))('Troubleshooting has the error: $message', ({ message }) => {
	expect(textOf('troubleshooting')).toContain(message.split('{}').shift());
});

test.each([
	...['Image', 'Video', 'Music', 'Account', 'Trigger'].map(
		(node) => `nodes/${node}/MediaGen${node}.node.json`,
	),
	'credentials/MediaGenApi.credentials.ts',
])('the documentation that %s names is there', (file) => {
	const named = [...readFileSync(file, 'utf8').matchAll(/\/blob\/HEAD\/([\w/.]+)/g)];
	expect(named).not.toEqual([]);
	expect(named.map(([, page = '']) => page).filter((page) => !existsSync(page))).toEqual([]);
});

/** The document leaves open what it does not show; what is not shown may be there. */
describe('what the service does not document is not denied', () => {
	const pages = readdirSync('docs').filter((name) => name.endsWith('.md'));

	test.each(pages)('%s: a history of music', (page) => {
		expect(textOf(page.replace(/\.md$/, ''))).not.toMatch(
			/no music history|has no history|is missing from the history/i,
		);
	});

	test('nor in the form of the trigger', () => {
		const texts = triggerProperties(JOB_TRIGGER).map(({ description }) => description);
		expect(texts.join(' ')).toContain('documents no history of them');
	});

	test('more operations of music than are documented', () => {
		expect(textOf('musicNode')).toContain('the 21 operations that the service documents');
	});
});

describe('what the document tells, and no field of a form', () => {
	test.each([
		['musicNode', 'A song has two takes. The service keeps both in your library'],
		['imageNode', 'The service has a unified and a legacy set of image models'],
		['openPoints', 'Which endpoints are legacy'],
		['credential', 'it must not be in client-side code'],
		['credential', 'A legacy auth token'],
		['accountNode', 'never in client-side code'],
		['accountNode', '`total_spent` is the money that you have paid for them'],
		['videoNode', "`estimated_time`, the service's own estimate in words"],
		['openPoints', '**Callbacks of image jobs'],
		['openPoints', '**Answer to one generation too many at a time'],
		['triggerNode', 'callbacks (webhooks)'],
		['videoNode', 'Fast (a video typically takes 30 to 45 seconds) or quality (45 to 60 seconds)'],
		['reference', 'Typical time: 30 to 45 s for Fast (modelA_fast)'],
		['batches', 'the sixth begins when one of the others has ended'],
	])('%s: %s', (page, text) => {
		expect(textOf(page)).toContain(text);
	});
});

// From the document (section "Music catalog", model entries).
test.each([
	['V5_5', 'Newest; supports a custom duration'],
	['V5', 'Better expression, faster generation'],
	['V4_5PLUS', 'Richer sound, tracks up to 8 minutes'],
	['V4_5ALL', 'Smart prompts, faster generations'],
	['V4_5', 'Smart prompts, faster generations'],
	['V4', 'Improved vocals, tracks up to 4 minutes'],
])('docs/reference.md has the remark of the model %s, once', (model, remark) => {
	const rows = rowsOf('reference').filter(([cell]) => cell === `\`${model}\``);
	expect(rows).toEqual([[`\`${model}\``, remark]]);
});
