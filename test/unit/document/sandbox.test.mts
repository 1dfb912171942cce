import { receive } from '../../../sandbox/receive.mts';
import type { Answer } from '../../../sandbox/service.mts';
import { newState } from '../../../sandbox/state.mts';
import type { SandboxSettingsInput } from '../../../sandbox/settings.mts';
import {
	ERRORS,
	IMAGE_CREATIONS,
	IN_ENVELOPE,
	LIMITS,
	RECORDS,
	STATE_AT_CREATION,
	SUCCESS,
	VIDEO_CREATIONS,
} from '../../document.mts';
import { VirtualClock } from '../../support/virtualClock.mts';
import { outside, usable, type Values } from './cases.mts';
import { CREATIONS, type Creation } from './operations.mts';
import { Requests } from './requests.mts';

/**
 * Walk 3: the sandbox refuses what is outside the document, and answers as that shows. What it takes and charges, the
 * walk through the nodes has.
 */

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

const each = <T extends object>(of: (creation: Creation) => T[]) =>
	CREATIONS.flatMap((creation) =>
		of(creation).map((one) => ({ creation, name: creation.name, ...one })),
	);

describe('outside', () => {
	test.each(each((creation) => usable(creation).flatMap(outside)))(
		'$name: $field $shown',
		async ({ creation, field, value }) => {
			await refuses(creation, await requestOf(creation, { [field]: value }), field);
		},
	);
});

const IMAGE = CREATIONS.find(({ row }) => row === 'image')!;
const image = { prompt: 'a kite', size: '1:1' };

const shown = [...IMAGE_CREATIONS, ...VIDEO_CREATIONS].flatMap(
	({ name: row, answer, statusPath = '' }) => (answer ? [{ row, answer, statusPath }] : []),
);

test.each(shown)('$row answers with a $answer', async ({ row, answer, statusPath }) => {
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
