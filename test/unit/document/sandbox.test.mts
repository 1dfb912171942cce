import { receive } from '../../../sandbox/receive.mts';
import type { Answer } from '../../../sandbox/service.mts';
import { newState } from '../../../sandbox/state.mts';
import type { SandboxSettingsInput } from '../../../sandbox/settings.mts';
import {
	ERRORS,
	HEADER_FORMS,
	IMAGE_CREATIONS,
	IN_ENVELOPE,
	LIMITS,
	RECORDS,
	STATE_AT_CREATION,
	STATES,
	SUCCESS,
	UPLOADED_AUDIO,
	VIDEO_CREATIONS,
	type Field,
} from '../../document.mts';
import { VirtualClock } from '../../support/virtualClock.mts';
import {
	fullRequest,
	inside,
	isRequired,
	mistyped,
	otherwise,
	outside,
	priceCases,
	usable,
	type Case,
	type Values,
} from './cases.mts';
import { CREATIONS, type Creation } from './operations.mts';
import { Requests } from './requests.mts';

/** Walk 3: the sandbox takes what is inside the document, refuses what is outside, and charges its prices. */

const KEY = 'mg_sandbox_test';

type Body = Record<string, unknown>;

class Service {
	readonly clock = new VirtualClock();
	readonly state;

	constructor(settings: SandboxSettingsInput = {}) {
		this.state = newState({
			key: KEY,
			authToken: 'a_token',
			credits: { purchased: 10_000_000, welcome: 0 },
			jobMs: { min: 0, max: 0 },
			queuedMs: 0,
			limits: { requestsPerWindow: 1_000_000 },
			shapes: { music: { upload: 'url' } },
			mediaBase: 'https://cdn.example',
			...settings,
			clock: this.clock,
		});
	}

	async send(method: string, path: string, body?: object, authorization = `Bearer ${KEY}`) {
		const headers = { authorization, 'content-type': 'application/json' };
		const sent = { method, path, query: {}, headers, body: body && JSON.stringify(body) };
		const answer = await receive(this.state, { ...sent, origin: 'https://service.example' });
		const { status, body: answered } = answer as Answer;
		return { status, body: answered as Body };
	}

	async create(creation: Creation, values: Values) {
		const { path, pathSetting = '', operation, fixed } = creation;
		const open = this.state.settings.openPaths[pathSetting] ?? '';
		const body = { ...values, ...fixed };
		return await this.send('POST', path ?? open.replace('{operation}', operation), body);
	}

	get charges() {
		return this.state.account.charges.map(({ credits }) => credits);
	}
}

let service: Service;
let requests: Requests;

beforeAll(() => {
	service = new Service();
	requests = new Requests(async (creation, values) => {
		const { body } = await service.create(creation, values);
		const source = String(Object(body.data).generation_id);
		const record = await service.send('GET', `/open/music/status/${source}/`);
		const { tracks, stems } = Object(record.body.result) as Record<string, Body[] | undefined>;
		return { source, audio_id: (tracks ?? stems)?.[0]?.audio_id };
	});
});

const isShown = ({ fields, kind }: Creation) => fields.length > 0 || kind === 'music';

/** A request with all fields, and these values. */
async function requestOf(creation: Creation, given?: Values): Promise<Values> {
	const values = await requests.of(creation, given);
	return isShown(creation) ? values : { prompt: 'a kite', ...values };
}

async function accepts(creation: Creation, values: Values): Promise<void> {
	const { status, body } = await service.create(creation, values);
	expect({ status, details: body.details }).toEqual({ status: SUCCESS.creation });
}

async function refuses(creation: Creation, values: Values, field: string): Promise<void> {
	const before = service.charges.length;
	const { status, body } = await service.create(creation, values);
	expect({ status, names: Object.keys(body) }).toEqual({
		status: 400,
		names: RECORDS['error body'],
	});
	expect(body.success).toBe(false);
	expect(Object.keys(Object(body.details))).toEqual([field]);
	expect(service.charges).toHaveLength(before);
}

const without = (values: Values, name: string): Values =>
	Object.fromEntries(Object.entries(values).filter(([one]) => one !== name));

const each = <T extends object>(of: (creation: Creation) => T[]) =>
	CREATIONS.flatMap((creation) =>
		of(creation).map((one) => ({ creation, name: creation.name, ...one })),
	);

const cases = (of: (field: Field) => Case[]) => each((creation) => usable(creation).flatMap(of));

/** It has to be one of the takes that the service knows. */
const isKnownText = ({ field }: Case) => field !== 'audio_id';

test.each(CREATIONS)('$name: a request with all fields', async (creation) => {
	await accepts(creation, await requestOf(creation));
});

describe('inside', () => {
	test.each(cases(inside).filter(isKnownText))(
		'$name: $field $shown',
		async ({ creation, field, value }) => {
			await accepts(creation, await requestOf(creation, { [field]: value }));
		},
	);
});

describe('outside', () => {
	test.each(cases(outside))('$name: $field $shown', async ({ creation, field, value }) => {
		await refuses(creation, await requestOf(creation, { [field]: value }), field);
	});
});

describe('of another type', () => {
	test.each(cases(mistyped))('$name: $field $shown', async ({ creation, field, value }) => {
		await refuses(creation, await requestOf(creation, { [field]: value }), field);
	});
});

// Family B 3.0 has fields that are not shown only in a mode that is not shown.
/** All fields of family B 3.0 are shown but those of its image mode. */
const isWhole = (creation: Creation) => isShown(creation) && creation.row !== 'family B 3.0';

test.each(CREATIONS.filter(isWhole))('$name: a field that it does not have', async (creation) => {
	await refuses(creation, { ...(await requestOf(creation)), nobody: 1 }, 'nobody');
});

describe('a field that is missing', () => {
	const fields = each((creation) =>
		usable(creation).map((field) => ({ field, named: field.name })),
	);

	test.each(fields)('$name: $named', async ({ creation, field, named }) => {
		const all = await requestOf(creation);
		// The others may need it.
		const dependent = creation.fields.filter(({ requiredWith }) => requiredWith === named);
		const values = dependent.reduce((some, { name }) => without(some, name), without(all, named));
		const isNeeded =
			isRequired(field, { ...all, ...creation.fixed }) || field.requiredWith !== undefined;
		if (isNeeded) await refuses(creation, values, named);
		else await accepts(creation, values);
	});

	test.each(each(({ sources }) => (sources.length > 0 ? [{ sources }] : [])))(
		'$name: the earlier job, of $sources',
		async ({ creation, sources }) => {
			const values = await requestOf(creation);
			await refuses(creation, without(without(values, 'source'), 'audio_id'), 'source').catch(() =>
				refuses(creation, without(values, 'source'), 'source'),
			);
			const { body } = await service.create(creation, { ...values, source: 'another' });
			expect(Object(body.details).source).toContain(sources.join(', '));
		},
	);
});

describe('conditions', () => {
	const limited = each(({ fields }) =>
		fields.flatMap((field) => {
			const condition = field.usedOnlyWith ?? field.onlyFor;
			return condition ? [{ field: field.name, condition, isAllowed: !field.onlyFor }] : [];
		}),
	);

	test.each(limited)(
		'$name: $field without $condition',
		async ({ creation, field, condition, isAllowed }) => {
			const given = {
				...otherwise(condition, creation.fields),
				[field]: fullRequest(creation)[field],
			};
			const values = await requestOf(creation, given);
			if (isAllowed) await accepts(creation, values);
			else await refuses(creation, values, field);
		},
	);
});

describe('prices', () => {
	test.each(each(priceCases))(
		'$name: $high for $values',
		async ({ creation, values, low, high }) => {
			const body = await requestOf(creation, values);
			const charged = [];
			for (const priceWithin of ['low', 'high'] as const) {
				service.state.settings.priceWithin = priceWithin;
				await accepts(creation, body);
				charged.push(service.charges.at(-1));
			}
			expect(charged).toEqual([low, high]);
		},
	);

	const defaults = each(({ surcharges, fields }) =>
		surcharges.flatMap(({ when }) =>
			fields.flatMap(({ name: field, default: start }) =>
				field in when && start !== undefined ? [{ field, start }] : [],
			),
		),
	);

	test.each(defaults)(
		'$name: without $field, that of $start',
		async ({ creation, field, start }) => {
			const values = await requestOf(creation, { [field]: start });
			await accepts(creation, values);
			await accepts(creation, without(values, field));
			const [expected, charged] = service.charges.slice(-2);
			expect(charged).toBe(expected);
		},
	);
});

const IMAGE = CREATIONS.find(({ row }) => row === 'image')!;
const image = { prompt: 'a kite', size: '1:1' };

describe('answers', () => {
	const shown = [...IMAGE_CREATIONS, ...VIDEO_CREATIONS].flatMap(
		({ name: row, answer, statusPath = '' }) => (answer ? [{ row, answer, statusPath }] : []),
	);

	test.each(shown)('$row: $answer', async ({ row, answer, statusPath }) => {
		const creation = CREATIONS.find((one) => one.row === row)!;
		const { status, body } = await service.create(creation, await requestOf(creation));
		expect(status).toBe(SUCCESS.creation);
		expect(IN_ENVELOPE).toContain(answer);
		expect({ ...body, data: {} }).toEqual({ success: true, data: {} });
		const data = body.data as Body;
		expect(Object.keys(data).sort()).toEqual([...RECORDS[answer]].sort());
		expect(data.status).toBe(STATE_AT_CREATION);
		const [identifier] = RECORDS[answer];
		const read = await service.send('GET', statusPath.replace(/\{\w+\}/, String(data[identifier])));
		expect(read.status).toBe(SUCCESS.read);
		const record = 'data' in read.body ? (read.body.data as Body) : read.body;
		const named: readonly string[] =
			RECORDS[
				answer === 'generation creation result' ? 'generation record' : 'family-A status result'
			];
		// The field for the URL of an image is not shown.
		const more = row === 'image' ? ['image_url'] : [];
		expect(Object.keys(record).filter((name) => ![...named, ...more].includes(name))).toEqual([]);
	});

	test('states', async () => {
		const slow = new Service({ queuedMs: 1000, jobMs: { min: 3000, max: 3000 } });
		const ids: string[] = [];
		for (const prompt of ['a kite', 'a kite [fail]']) {
			const { body } = await slow.create(IMAGE, { ...image, prompt });
			ids.push(String(Object(body.data).generation_id));
		}
		const read = async () => {
			const answers = ids.map(async (id) => await slow.send('GET', `/api/v1/generate/${id}/`));
			return (await Promise.all(answers)).map(({ body }) => body.status);
		};
		const [queued, processing, completed, failed] = STATES;
		expect(await read()).toEqual([queued, queued]);
		await slow.clock.advance(1000);
		expect(await read()).toEqual([processing, processing]);
		await slow.clock.advance(2000);
		expect(await read()).toEqual([completed, failed]);
	});

	test('an uploaded file is at most eight minutes long', () => {
		expect(UPLOADED_AUDIO.maxSeconds).toBe(8 * 60);
	});
});

describe('limits', () => {
	test.each([
		{ caller: 'user', given: {}, ...LIMITS.user },
		{ caller: 'demo', given: { requestsPerWindow: 10, windowMs: 3_600_000 }, ...LIMITS.demo },
	])('$caller: $requests requests in $windowMs ms', async ({ given, requests, windowMs }) => {
		const limited = new Service({ limits: given });
		const read = async () => (await limited.send('GET', '/api/profile/')).status;
		for (let sent = 0; sent < requests; sent++) expect(await read()).toBe(200);
		expect(await read()).toBe(429);
		await limited.clock.advance(windowMs - 1);
		expect(await read()).toBe(429);
		await limited.clock.advance(1);
		expect(await read()).toBe(200);
	});

	test('five generations at a time', async () => {
		const slow = new Service({ jobMs: { min: 5000, max: 5000 } });
		const statuses = [];
		for (let sent = 0; sent <= LIMITS.concurrentGenerations; sent++) {
			statuses.push((await slow.create(IMAGE, image)).status);
		}
		expect(statuses).toEqual([201, 201, 201, 201, 201, 429]);
		await slow.clock.advance(5000);
		expect((await slow.create(IMAGE, image)).status).toBe(201);
	});
});

describe('refusals', () => {
	test.each(HEADER_FORMS)('a key as %s, and a wrong one', async (form) => {
		const read = async (key: string) =>
			(await service.send('GET', '/api/profile/', undefined, form.replace('<API_KEY>', key)))
				.status;
		expect([await read(KEY), await read('another')]).toEqual([200, 401]);
	});

	test('each status that has a cause here', async () => {
		const poor = new Service({ credits: { purchased: 7, welcome: 50 } });
		const answers = [
			await poor.send('POST', IMAGE.path!, { size: '4:3' }),
			await poor.send('GET', '/api/profile/', undefined, 'another'),
			await poor.create(IMAGE, image),
			await poor.send('POST', '/api/login/', { username: 'a', password: 'b' }),
			await poor.send('POST', '/api/register/', { username: 'a', email: 'b', password: 'c' }),
			await poor.send('GET', '/api/v1/generate/another/'),
		];
		expect(answers.map(({ status }) => status)).toEqual([400, 401, 402, 403, 403, 404]);
		for (const { status, body } of answers) {
			expect(ERRORS.map((error) => error.status)).toContain(status);
			expect(body).toMatchObject({ success: false, error: expect.any(String) });
		}
	});
});
