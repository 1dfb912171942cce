import fc from 'fast-check';

import { createJob } from '../../../nodes/shared/orders/startJob.ts';
import { identifierIn, stateIn } from '../../../nodes/shared/orders/readRecord.ts';
import { pollJob } from '../../../nodes/shared/orders/waitForJob.ts';
import { flat } from '../../../nodes/shared/output/itemFields.ts';
import { jobOutput } from '../../../nodes/shared/output/jobOutput.ts';
import { entryOutput } from '../../../nodes/shared/run/records.ts';
import { listIn, jobRecord, parseJson } from '../../../nodes/shared/service/bodies.ts';
import { resultIn, resultUrls, urlsIn } from '../../../nodes/shared/output/resultUrls.ts';
import { readRequest } from '../../../nodes/shared/request/readRequest.ts';
import { refusal, unreadable, ServiceError } from '../../../nodes/shared/service/serviceError.ts';
import { CATALOGS } from '../../../nodes/shared/spec/catalogs.ts';
import { GENERATE_IMAGE } from '../../../nodes/shared/spec/images.ts';
import type { CreateOperation, Operation } from '../../../nodes/shared/spec/operation.ts';
import { fakeService } from '../../support/fakeService.mts';
import { VirtualClock } from '../../support/virtualClock.mts';
import { ALL } from '../../support/sampled.mts';
import { webUrls } from '../../support/webUrls.mts';

/**
 * Mutated and random answers of the service through every reader, and values of forms through every
 * check. A run is repeated with its seed: FUZZ_SEED=… npm run test:unit -- fuzz
 */

const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31);

/** Answers of each kind. */
const RUNS = ALL ? 600 : 150;

beforeAll(() => console.log(`FUZZ_SEED=${seed}`));

jest.setTimeout(60_000);

const NAMES = [
	'data',
	'success',
	'generation_id',
	'task_id',
	'job_id',
	'id',
	'audio_id',
	'status',
	'state',
	'error',
	'details',
	'error_message',
	'generation_type',
	'image_url',
	'video_url',
	'urls',
	'tracks',
	'results',
	'result',
	'lyrics',
	'credits_used',
	'credits_charged',
	'credits_remaining',
	'model',
	'video_model',
	'created_at',
	'completed_at',
	'operations',
	'models',
	'fields',
	'name',
	'label',
	'type',
	'options',
	'value',
	'credits',
	'credits_by_option',
	'source_operations',
	'__proto__',
	'constructor',
	'toString',
	'a.b',
	'a[0]',
	'',
];

const leaf = fc.oneof(
	fc.constantFrom<unknown>(
		...[null, true, false, 0, -0, 1e308, -1, 0.1, '', '..', '../../api/profile', 'image', 'audio'],
		...['queued', 'processing', 'completed', 'failed', 'text', 'video', 'select', 'source'],
		...['http://', 'https://a.example/b.png', 'HTTP://A/ b', 'file:///etc/passwd'],
		...['javascript:alert(1)', 'https://[::1]/x', 'http://a:99999/', '\u0000\u202e\r\n', '\ud800'],
	),
	fc.string(),
	fc.double({ noNaN: true, noDefaultInfinity: true }),
	fc.integer(),
	webUrls(),
);

/** Any JSON value, with the names and values that the readers look for. */
const json: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
	value: fc.oneof(
		{ maxDepth: 5, depthSize: 'small' },
		{ weight: 3, arbitrary: leaf },
		{ weight: 1, arbitrary: fc.array(tie('value'), { maxLength: 4 }) },
		{
			weight: 4,
			arbitrary: fc.dictionary(
				fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...NAMES) }, fc.string()),
				tie('value'),
				{ maxKeys: 8 },
			),
		},
	),
})).value;

/** A right answer with values put in, replaced and left out anywhere. */
const mutated = (right: object) =>
	fc
		.array(fc.tuple(fc.nat(), fc.constantFrom('replace', 'remove', 'add'), json), {
			maxLength: 4,
		})
		.map((changes) => asSent(changes.reduce<unknown>(mutate, structuredClone(right))));

/** What a service can send of a value: arrays have no names, texts no prototypes. */
const asSent = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

function mutate(value: unknown, [at, how, other]: [number, string, unknown]): unknown {
	const places = placesIn(value);
	const [parent, name] = places[at % (places.length || 1)] ?? [];
	if (!parent || name === undefined) return other;
	if (how === 'remove') delete parent[name];
	else parent[how === 'add' ? (NAMES[at % NAMES.length] ?? '') : name] = other;
	return value;
}

type Parent = Record<string, unknown>;

function placesIn(value: unknown): Array<[Parent, string]> {
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(
		([name, inner]): Array<[Parent, string]> => [[value as Parent, name], ...placesIn(inner)],
	);
}

const URL_1 = 'https://cdn.example/a.png';
const RECORD = {
	id: 'gen-1',
	status: 'completed',
	generation_type: 'image',
	image_url: URL_1,
	prompt: 'a',
	credits_used: 8,
	created_at: '2026-01-01T00:00:00Z',
};
const RIGHT = {
	creation: { success: true, data: { generation_id: 'gen-1', status: 'processing' } },
	record: RECORD,
	music: {
		job_id: 'j',
		status: 'completed',
		tracks: [
			{ audio_id: 'a', links: { mp3: URL_1, wav: `${URL_1}?` } },
			{ id: 7, url: URL_1 },
		],
		result: { lyrics: 'la' },
	},
	list: { results: [RECORD, RECORD], count: 2 },
	refusal: { success: false, error: 'Invalid', details: { prompt: 'too long', size: ['no'] } },
};

/** Every third answer is random, the others are right ones with changes. */
const answersLike = (kind: keyof typeof RIGHT) =>
	fc.oneof(
		{ weight: 1, arbitrary: json.map(asSent) },
		{ weight: 2, arbitrary: mutated(RIGHT[kind]) },
	);

async function check<T>(arbitrary: fc.Arbitrary<T>, look: (value: T) => unknown, numRuns = RUNS) {
	await fc.assert(
		fc.asyncProperty(arbitrary, async (value) => {
			await look(value);
		}),
		{ seed, numRuns },
	);
}

const isText = (value: unknown) => typeof value === 'string';
const isTextOrNull = (value: unknown) => value === null || isText(value);
const isNumber = (value: unknown) => typeof value === 'number';
const isUrl = (value: unknown) =>
	isText(value) && ['http:', 'https:'].includes(new URL(String(value)).protocol);

type Other = Record<string, unknown>;
const isOther = ({ path, url }: Other) => isText(path) && isUrl(url);

/** Tens of thousands of times; `expect` would take most of the time. */
function isTrue(condition: boolean) {
	if (!condition) throw new Error('A value that is not what it should be');
}

/** A shown text: one line of bounded length. */
function expectShown({ message, description }: ServiceError) {
	for (const text of [message, description]) {
		isTrue(!/[\p{Cc}\u2028\u2029\u202a-\u202e]/u.test(text));
	}
	isTrue(message.length < 5000 && description.length < 10_000);
}

function expectOutput(given: ReturnType<typeof jobOutput>) {
	isTrue(Object.keys(given).length <= 10);
	const item = flat(given);
	isTrue(isText(item.jobId) && isTextOrNull(item.status));
	isTrue([undefined, null].includes(item.mediaUrl as null) || isUrl(item.mediaUrl));
	isTrue(((item.mediaUrls ?? []) as unknown[]).every(isUrl));
	isTrue(((item.otherUrls ?? []) as Other[]).every(isOther));
	// What is not known is left out.
	isTrue(
		[item.creditsUsed, item.creditsRemaining, item.waitedMs].every((value = 0) => isNumber(value)),
	);
	isTrue(
		[item.mediaType, item.model, item.createdAt, item.completedAt].every((value = '') =>
			isText(value),
		),
	);
	for (const take of (item.takes ?? []) as Array<Record<string, unknown>>) {
		isTrue(isText(take.audioId ?? '') && isUrl(take.mediaUrl));
		isTrue(((take.otherUrls ?? []) as Other[]).every(isOther));
	}
	const kept: unknown = JSON.parse(JSON.stringify(item));
	expect(typeof kept).toBe('object');
}

const OPTIONS = { simplify: true, resultField: '' };

test.each(['record', 'music', 'creation'] as const)('a status answer: %s', async (kind) => {
	const clock = new VirtualClock();
	await check(answersLike(kind), async (body) => {
		const record = jobRecord(body);
		if (record) {
			const identifier = identifierIn(record);
			isTrue(identifier === undefined || (isText(identifier.value) && identifier.value !== ''));
			const state = stateIn(record);
			isTrue(state === undefined || isText(state));
			const urls = urlsIn(record, { image_url: URL_1 });
			isTrue(urls.every(({ url }) => isUrl(url)));
			expect(typeof resultIn(record)).toBe('object');
		}
		const awaited = { id: 'gen-1', path: '/x', startedAt: 0 };
		const seen = await pollJob(fakeService([body]).service, awaited, clock).catch(serviceError);
		if (seen instanceof ServiceError) return expectShown(seen);
		for (const mediaType of [undefined, 'image', 'audio', 'text'] as const) {
			expectOutput(jobOutput(seen, { mediaType, request: {} }, OPTIONS));
		}
		expectOutput(jobOutput(seen, {}, { ...OPTIONS, resultField: 'tracks[0]' }));
	});
});

const serviceError = (error: unknown) => {
	expect(error).toBeInstanceOf(ServiceError);
	return error as ServiceError;
};

test('an answer to a creation', async () => {
	const clock = new VirtualClock();
	await check(answersLike('creation'), async (body) => {
		const { service } = fakeService([body]);
		const request = { method: 'POST', path: '/x' } as const;
		const job = await createJob(service, GENERATE_IMAGE as CreateOperation, request, clock).catch(
			serviceError,
		);
		if (job instanceof ServiceError) {
			expect(job.outcome).toBe('unknown');
			return expectShown(job);
		}
		isTrue(isText(job.id) && job.id !== '');
		if ('path' in job.status) {
			const { path } = job.status;
			expect(new URL(path, 'https://a.example').pathname).toBe(path);
		}
		expectOutput(
			jobOutput(
				{ ...job, state: stateIn(job.creation), record: job.creation, waitedMs: 0 },
				{},
				OPTIONS,
			),
		);
	});
});

test('a list', async () => {
	await check(answersLike('list'), (body) => {
		const found = listIn(body);
		const entries = 'entries' in found ? found.entries : [found.single];
		for (const entry of entries) {
			const item = entryOutput(entry);
			isTrue(typeof item === 'object' && item !== null && !Array.isArray(item));
		}
	});
});

test('a refusal', async () => {
	const statuses = fc.integer({ min: 300, max: 599 });
	await check(fc.tuple(statuses, answersLike('refusal'), fc.string()), ([status, body, text]) => {
		const error = refusal(status, JSON.stringify(body) ?? text);
		// Those of the document (section "Errors"), but for its server error.
		const isRefused = [400, 401, 402, 403, 404, 429].includes(status);
		expect(error.outcome).toBe(isRefused ? 'refused' : 'unknown');
		expectShown(error);
		expectShown(unreadable(200, text));
	});
});

test('a text that may be JSON', async () => {
	const broken = fc.tuple(json, fc.nat(), fc.string({ maxLength: 3 })).map(([value, at, text]) => {
		const whole = JSON.stringify(value);
		const cut = at % (whole.length + 1);
		return whole.slice(0, cut) + text + whole.slice(cut + text.length);
	});
	await check(
		fc.oneof(
			broken,
			fc.string(),
			json.map((value) => JSON.stringify(value)),
		),
		(text) => {
			const same = parseJson(text);
			let expected: unknown;
			try {
				expected = JSON.parse(text);
			} catch {
				expected = undefined;
			}
			expect(same).toEqual(expected);
		},
	);
});

test('a record of 50,000 URLs is read, and is one take', () => {
	const names = Array.from({ length: 50_000 }, (_, index) => `n${index}`);
	const record = Object.fromEntries(names.map((name) => [name, `http://a/${name}`]));
	const job = { id: 'j', state: 'completed', record, waitedMs: 0 };
	const { main, others } = resultUrls(job, { mediaType: 'audio' }, '');
	expect(main.map(({ url }) => url)).toEqual(['http://a/n0']);
	expect(others).toHaveLength(names.length - 1);
});

test('brackets in texts do not count as depth, brackets outside do', () => {
	const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
	expect(parseJson(JSON.stringify('[{"\\'.repeat(100_000)))).toBeDefined();
	expect(parseJson(nested(100))).toBeDefined();
	expect(parseJson(nested(101))).toBeUndefined();
	expect(parseJson(nested(1_000_000))).toBeUndefined();
});

/** What a person, an expression or an agent may put into a field. */
const formValue = fc.oneof(
	json,
	fc.constantFrom<unknown>(undefined, NaN, Infinity, -Infinity, new Date(0), Symbol.iterator),
	fc.bigInt(),
	fc.string({ minLength: 1, maxLength: 20 }).map((text) => text.repeat(500)),
);

const OPERATIONS: Operation[] = CATALOGS.flatMap(({ operations }) => [...operations]);

test('values of forms, through the checks of every operation', async () => {
	const choices = fc.tuple(
		fc.constantFrom(...OPERATIONS),
		fc.infiniteStream(formValue),
		fc.dictionary(fc.string(), formValue, { maxKeys: 2 }),
		fc.nat(),
	);
	await check(choices, ([operation, stream, unknown, mask]) => {
		const given = operation.fields.filter((_, index) => ((mask >> index % 30) & 1) === 1);
		const values = Object.fromEntries(given.map(({ name }) => [name, stream.next().value]));
		const read = (name: string, fallback: unknown) =>
			name === 'additionalFields' ? unknown : (values[name] ?? fallback);
		const { problems } = readRequest(operation, read);
		isTrue(problems.every(({ field, message }) => isText(field) && isText(message)));
	});
});

test.each(
	OPERATIONS.map((operation) => [`${operation.resource}.${operation.operation}`, operation]),
)('%s takes any value for any field', async (_, operation) => {
	const { fields } = operation as Operation;
	if (fields.length === 0) return;
	await check(
		fc.tuple(fc.constantFrom(...fields), formValue),
		([{ name }, value]) => {
			readRequest(operation as Operation, (parameter, fallback) =>
				parameter === name ? value : fallback,
			);
		},
		100,
	);
});
