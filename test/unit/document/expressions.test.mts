import type { IDataObject } from 'n8n-workflow';

import type { Values } from './cases.mts';
import { FREE_FIELDS, placesOf, savedWith } from './nodeForm.mts';
import { CREATIONS, type Creation } from './operations.mts';
import { Studio, textOf, type Outcome } from './studio.mts';

/** What expressions give: read as the value that it names, or refused before any request. */

let studio: Studio;
beforeAll(() => void (studio = new Studio()));

const creationOf = (name: string) => CREATIONS.find((creation) => creation.name === name)!;

/** Runs it with an expression in one field, which gives this. */
async function runWith(row: string, field: string, given: unknown): Promise<Outcome> {
	const creation = creationOf(row);
	const all = await studio.requests.of(creation);
	const free = field === FREE_FIELDS ? {} : undefined;
	const evaluated = evaluatedTo(creation, all, field, given);
	return await studio.create(creation, all, { free, evaluated });
}

function evaluatedTo(creation: Creation, values: Values, field: string, given: unknown) {
	const [place] = placesOf(creation, field);
	if (!place?.inside) return { [field]: given } as IDataObject;
	const around = savedWith(creation, values)[place.inside] as IDataObject;
	return { [place.inside]: { ...around, [field]: given } } as IDataObject;
}

const bodyOf = ({ sent }: Outcome) => sent.find(({ method }) => method === 'POST')?.body as Values;

/** With what separates addresses elsewhere. */
const a = 'https://x.example/a.png?w=1,2;h=3';
const b = 'https://x.example/b.png';

/** In which field of which operation, which values, and what is sent; of nothing, the field is left out. */
const READ: Array<[row: string, field: string, given: unknown[], sent: unknown]> = [
	['family B 3.0', 'durationSeconds', ['4'], 4],
	['music: generate', 'style_weight', [' 0.5 '], 0.5],
	['music: extend', 'continue_at', ['60.5'], 60.5],
	['family D', 'generate_audio', ['false', 'FALSE', ' false '], false],
	['family A', 'enableFallback', ['true', 'TRUE', ' True\n'], true],
	['family A', 'enableFallback', [undefined, null, ''], undefined],
	['family B 2.6, textToVideo', 'duration', [5], '5'],
	['family B 3.0', 'aspectRatio', ['16:9', '16:9 ', ' 16:9\n'], '16:9'],
	['image', 'prompt', [7], '7'],
	['image', 'prompt', ['false'], 'false'],
	['music: generate', 'title', [1984], '1984'],
	['music: generate', 'negative_tags', ['', null], undefined],
	['family E 2.6, imageToVideo', 'image_url', [` ${b}\n`, `${b};`, `${b},`], b],
	['music: upload_cover', 'upload', [` ${b}\n`], b],
	['standard video', 'source_image_urls', [[a, b], [[a, b]], [` ${a}\n`, b]], [a, b]],
	[
		'standard video',
		'source_image_urls',
		[`${a}, ${b}`, `${a}\n${b}\n`, `${a} ,\r\n\t${b}`],
		[a, b],
	],
	['standard video', 'source_image_urls', [`${a} | ${b}`], [a, b]],
	['standard video', 'source_image_urls', [`${a},`, `${a} |`, ['', a, null, undefined]], [a]],
	['standard video', 'source_image_urls', [[], '', ['']], undefined],
	['Video Studio', FREE_FIELDS, ['{"a": 1}', { a: 1 }], { a: 1 }],
];

test.each(READ)('%s: %s is read as what it names', async (row, field, given, sent) => {
	for (const value of given) {
		const body = bodyOf(await runWith(row, field, value));
		expect(field === FREE_FIELDS ? body : body[field]).toEqual(sent);
	}
});

/** What is refused, and a part of why. */
const REFUSED: Array<[row: string, field: string, given: unknown[], words: string]> = [
	['family D', 'generate_audio', ['yes', 1, '1', {}, 'TRUE!'], 'must be true or false'],
	['family D', 'generate_audio', [undefined, null, '', '  '], 'is empty'],
	['standard video', 'video_model', [undefined, null, '  '], '(video_model) is empty'],
	['image', 'prompt', [' ', '\u200b', '\u00ad', '\u0000', '\ufeff', '\u00a0'], 'Prompt is empty'],
	['image', 'prompt', ['[object Object]', 'Of [object Object], please'], 'where an object stood'],
	[
		'music: generate',
		'prompt',
		[undefined, null],
		'(prompt) is an expression that returns nothing',
	],
	['music: generate', 'style', [undefined, null], '(style) is an expression that returns nothing'],
	['family A', 'imageUrls', [[`${b};${b}`], [`${b},b.png`]], 'must be'],
	['family A', 'imageUrls', [`${b}\nftp://x.example/c.png`], 'is "ftp://x.example/c.png"'],
	['family A', 'imageUrls', [`${b}\n${b}\n${b}`], 'must have 1 to 2 URLs, but has 3'],
	['family E 2.6, imageToVideo', 'image_url', [`${b}|b.png`, `${b},${b}`], 'must be'],
	['Video Studio', FREE_FIELDS, ['{"prompt":'], '(payload) must be a JSON object'],
	['Video Studio', FREE_FIELDS, ['{}', {}, { prompt: null }], 'is empty'],
];

test.each(REFUSED)('%s: %s is refused before any charge', async (row, field, given, words) => {
	for (const value of given) expect(await refuses(row, field, value)).toContain(words);
});

const LABELS = (row: string, field: string) =>
	placesOf(creationOf(row), field).map(({ property }) => property.displayName.replace(/ \(.*/, ''));

async function refuses(row: string, field: string, given: unknown): Promise<string> {
	const outcome = await runWith(row, field, given);
	expect(outcome.sent).toEqual([]);
	const text = textOf(outcome) ?? '';
	expect([field, ...LABELS(row, field)].some((name) => text.includes(name))).toBe(true);
	return text;
}

describe('pictures that an expression loses are missed', () => {
	const cases = [
		['standard video', 'source_image_urls'],
		['family A', 'imageUrls'],
		['family D', 'input_urls'],
	].flatMap(([row, field]) =>
		[undefined, null, [undefined], [null, undefined]].map((given) => ({ row, field, given })),
	);

	test.each(cases)('$row: $field of $given', async ({ row, field, given }) => {
		await refuses(row!, field!, given);
	});
});

test.each([null, undefined])('so is a prompt that is paid for without it, of %j', async (given) => {
	const song = creationOf('music: generate');
	const saved = { custom_mode: false };
	const outcome = await studio.create(song, saved, { evaluated: { prompt: given } as never });
	expect(outcome.sent).toEqual([]);
	expect(textOf(outcome)).toContain('Prompt');
});

describe('an identifier', () => {
	const get = async (jobId: unknown) =>
		await studio.run('image', { resource: 'job', operation: 'get', startedWith: 'generation' }, {
			jobId,
		} as never);

	test('stays in its segment of the path', async () => {
		const { sent } = await get('../../api/profile');
		expect(sent[0]!.path).toBe('/api/v1/generate/..%2F..%2Fapi%2Fprofile/');
	});

	test.each(['..', '.', '', 'a\ud83d', undefined])('of %j is none', async (jobId) => {
		const outcome = await get(jobId);
		expect(outcome.sent).toEqual([]);
		// The row may be one whose creation is in doubt.
		expect(outcome.error?.description).not.toContain('nothing was charged');
	});
});
