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

const a = 'https://x.example/a.png?w=1,2';
const b = 'https://x.example/b.png';

describe('read as what it names', () => {
	test.each<[row: string, field: string, given: unknown, sent: unknown]>([
		['family B 3.0', 'durationSeconds', '4', 4],
		['music: generate', 'style_weight', ' 0.5 ', 0.5],
		['music: extend', 'continue_at', '60.5', 60.5],
		['family D', 'generate_audio', 'false', false],
		['family A', 'enableFallback', 'true', true],
		['family B 2.6, textToVideo', 'duration', 5, '5'],
		['family B 3.0', 'aspectRatio', '16:9', '16:9'],
		['image', 'prompt', 7, '7'],
		['image', 'prompt', ' ', undefined],
		['image', 'prompt', 'false', 'false'],
		['music: generate', 'title', 1984, '1984'],
		['music: generate', 'negative_tags', '', undefined],
		['music: generate', 'negative_tags', null, undefined],
		['family E 2.6, imageToVideo', 'image_url', ` ${b}\n`, b],
		['music: upload_cover', 'upload', ` ${b}\n`, b],
	])('%s: %s of %j', async (row, field, given, sent) => {
		const outcome = await runWith(row, field, given);
		if (given === ' ') expect(outcome.sent).toEqual([]);
		else expect(bodyOf(outcome)[field]).toEqual(sent);
	});

	test.each<[given: unknown, sent: unknown]>([
		[
			[a, b],
			[a, b],
		],
		[[[a, b]], [a, b]],
		[`${a}, ${b}`, [a, b]],
		[
			[` ${a}\n`, b],
			[a, b],
		],
		[`${a}\n${b}\n`, [a, b]],
		[`${a} ,\r\n\t${b}`, [a, b]],
		[`${a},`, [a]],
		[['', a, null, undefined], [a]],
		[[], undefined],
		['', undefined],
		[[''], undefined],
	])('a list of URLs of %j', async (given, sent) => {
		const outcome = await runWith('standard video', 'source_image_urls', given);
		expect(bodyOf(outcome).source_image_urls).toEqual(sent);
	});

	test.each<[given: unknown, sent: unknown]>([
		['{"a": 1}', { a: 1 }],
		[{ a: { b: [1] } }, { a: { b: [1] } }],
	])('fields of %j', async (given, sent) => {
		expect(bodyOf(await runWith('Video Studio', FREE_FIELDS, given))).toEqual(sent);
	});
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

describe('refused as what no field can be', () => {
	const circle: Record<string, unknown> = {};
	circle.self = circle;
	const throwing = {
		toString() {
			throw new TypeError('raw');
		},
	};
	const ODD: Record<string, unknown> = {
		'an object that contains itself': circle,
		'a list that contains itself': [circle],
		'a BigInt': 1n,
		'an object with a BigInt': { a: 1n },
		'a symbol': Symbol('s'),
		'a function': () => 'hidden code',
		'an object with a function': { a: { b: () => 'hidden code' } },
		'an object without a prototype': Object.assign(Object.create(null), { a: 1 }),
		'a list with an object whose toString is no function': [{ toString: 'x' }],
		'an object whose toString throws': throwing,
		'an object whose toJSON throws': { toJSON: throwing.toString },
		'a date that is none': new Date(NaN),
	};
	/** Of each type of field one. */
	const FIELDS = [
		['standard video', 'prompt'],
		['standard video', 'video_model'],
		['standard video', 'source_image_urls'],
		['family A', 'enableTranslation'],
		['family B 3.0', 'durationSeconds'],
		['family B 3.0', 'qualityMode'],
		['family D', 'generate_audio'],
		['family E 2.6, imageToVideo', 'image_url'],
		['music: generate', 'style_weight'],
		['music: wav', 'source'],
		['music: voice_generate', 'upload'],
	] as const;
	test.each(FIELDS)('%s: %s', async (row, field) => {
		for (const [kind, value] of Object.entries(ODD)) {
			const text = await refuses(row, field, value);
			expect([kind, text]).toEqual([
				kind,
				expect.not.stringMatching(/hidden code|raw|TypeError|\[object/),
			]);
		}
	});
});

test.each([
	['family E 2.6, imageToVideo', 'image_url'],
	['standard video', 'source_image_urls'],
])('%s: what may be secret in a wrong %s is not told', async (row, field) => {
	const text = await refuses(row, field, 'ftp://me:SECRET@x.example/a.png?token=SECRET');
	expect(text).not.toContain('SECRET');
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
		expect((await get(jobId)).sent).toEqual([]);
	});
});

describe('the earlier job, where the item tells of it', () => {
	const wav = (item: IDataObject) =>
		studio.run(
			'music',
			{
				resource: 'track',
				operation: 'wav',
				source: 'job-1',
				audio_id: 'a',
				waitForCompletion: false,
			},
			undefined,
			{ jobId: 'job-1', ...item },
		);

	test('a song can', async () => {
		const { sent } = await wav({ details: { operation: 'generate', startedWith: 'music' } });
		expect(sent.map(({ method }) => method)).toContain('POST');
	});
});
