import axios, { type AxiosInstance } from 'axios';

import type { FaultRuleInput } from '../../../sandbox/faults.mts';
import { startSandbox, type Sandbox } from '../../../sandbox/server.mts';
import { VirtualClock } from '../../support/virtualClock.mts';

const CREDITS = '/payments/api/credits/';
const IMAGE = '/api/v1/generate/';
/** Given, so that it outlasts a reset. */
const KEY = 'mg_sandbox_faults';
const RESET: FaultRuleInput['fault'] = { kind: 'reset' };

describe('faults', () => {
	const clock = new VirtualClock();
	let sandbox: Sandbox;
	let http: AxiosInstance;

	beforeAll(async () => {
		sandbox = await startSandbox({ clock, key: KEY });
		const headers = { Authorization: `Bearer ${KEY}` };
		http = axios.create({ baseURL: sandbox.url, headers, validateStatus: () => true });
	});
	afterAll(() => sandbox.close());
	beforeEach(() => sandbox.reset());

	const create = () => http.post(IMAGE, { prompt: 'a cat' });

	it('before: nothing happens', async () => {
		sandbox.faults.add({ match: { kind: 'create' }, fault: RESET });
		await expect(create()).rejects.toMatchObject({ code: 'ECONNRESET' });
		expect(sandbox.jobs).toEqual([]);
		expect(sandbox.account.credits.purchased).toBe(1000);
		expect(sandbox.journal.entries).toMatchObject([
			{ operation: 'image.generate', status: null, fault: 'reset' },
		]);
	});

	it('after: the job is created and charged, the answer is lost', async () => {
		sandbox.faults.add({ match: { kind: 'create' }, fault: RESET, when: 'after' });
		await expect(create()).rejects.toMatchObject({ code: 'ECONNRESET' });
		expect(sandbox.jobs).toMatchObject([{ body: { prompt: 'a cat' }, state: 'queued' }]);
		expect(sandbox.account.credits.purchased).toBe(992);
	});

	it('status: a body of its own, or the documented one', async () => {
		const page = '<html>Bad Gateway</html>';
		sandbox.faults.add({ fault: { kind: 'status', status: 502, body: page }, times: 1 });
		sandbox.faults.add({ fault: { kind: 'status', status: 500 }, times: 1 });
		const headers = { location: '/elsewhere', 'retry-after': '7' };
		sandbox.faults.add({ fault: { kind: 'status', status: 503, body: { a: 1 }, headers } });

		const [first, second, third] = [await create(), await create(), await create()];
		expect([first.status, first.data]).toEqual([502, page]);
		expect(first.headers['content-type']).toContain('text/html');
		expect([second.status, second.data]).toEqual([500, { success: false, error: 'Server error' }]);
		expect([third.status, third.data]).toEqual([503, { a: 1 }]);
		expect(third.headers).toMatchObject(headers);
		expect(sandbox.journal.entries.map(({ status }) => status)).toEqual([502, 500, 503]);
		expect(sandbox.jobs).toEqual([]);
	});

	it('garbage: the status of a success with half a body', async () => {
		sandbox.faults.add({ fault: { kind: 'garbage' }, when: 'after' });
		const { status, data } = await create();
		expect(status).toBe(201);
		expect(() => JSON.parse(data)).toThrow(SyntaxError);
		expect(sandbox.jobs).toHaveLength(1);
	});

	it('slow: the true answer, later', async () => {
		sandbox.faults.add({ fault: { kind: 'slow', ms: 60_000 } });
		const answer = create();
		await arrivalAt(sandbox);
		await clock.advance(59_999);
		expect(sandbox.jobs).toEqual([]);
		expect(sandbox.journal.entries).toMatchObject([{ status: null, fault: 'slow' }]);
		await clock.advance(1);
		expect((await answer).status).toBe(201);
		expect(sandbox.jobs).toMatchObject([{ createdAt: clock.now() }]);
	});

	it('times: hits as many requests as it says', async () => {
		sandbox.faults.add({ match: { kind: 'create' }, fault: RESET, times: 2 });
		await expect(create()).rejects.toThrow();
		await expect(create()).rejects.toThrow();
		expect((await create()).status).toBe(201);
	});

	it('match: by operation, method and path', async () => {
		const fault = { kind: 'status', status: 500 } as const;
		sandbox.faults.add({ match: { operation: 'image.generate', method: 'POST' }, fault });
		sandbox.faults.add({ match: { pathPattern: 'models/' }, fault });
		sandbox.faults.add({ match: { kind: 'record', pathPattern: /nowhere/ }, fault });
		expect((await create()).status).toBe(500);
		expect((await http.get('/api/v1/models/image/')).status).toBe(500);
		expect((await http.post('/api/v1/image/generate', { prompt: 'a' })).status).toBe(201);
		expect((await http.get(CREDITS)).status).toBe(200);
		sandbox.faults.clear();
		expect((await create()).status).toBe(201);
	});

	it('probability: seeded', async () => {
		const statuses = async () => {
			sandbox.reset();
			const fault = { kind: 'status', status: 500 } as const;
			sandbox.faults.add({ fault, probability: 0.5 });
			const seen = [];
			for (let sent = 0; sent < 20; sent++) seen.push((await http.get(CREDITS)).status);
			return seen;
		};
		const first = await statuses();
		expect(new Set(first)).toEqual(new Set([200, 500]));
		expect(await statuses()).toEqual(first);
	});

	it('hang: no answer, and closing does not wait for it', async () => {
		const other = await startSandbox();
		other.faults.add({ fault: { kind: 'hang' } });
		const hanging = axios.get(other.url + CREDITS).catch((error: Error) => error);
		await arrivalAt(other);
		await other.close();
		expect(await hanging).toMatchObject({ code: 'ECONNRESET' });
	});
});

/** Resolves when a first request has arrived and has met its fault. */
async function arrivalAt({ journal }: Sandbox): Promise<void> {
	while (journal.entries.length === 0) await new Promise(setImmediate);
}
