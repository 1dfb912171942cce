import axios, { type AxiosInstance } from 'axios';

import { startSandbox, type Sandbox } from '../../../sandbox/server.mts';

const CREDITS = '/payments/api/credits/';

/** All that shows who sends a request. */
const secretsOf = ({ account }: Sandbox) => [
	...account.keys,
	account.session.id,
	account.session.csrfToken,
	...account.authTokens,
];

describe('startSandbox', () => {
	let sandbox: Sandbox;
	let http: AxiosInstance;

	beforeEach(async () => {
		sandbox = await startSandbox({ jobMs: { min: 0, max: 0 }, queuedMs: 0 });
		const headers = { Authorization: sandbox.key };
		http = axios.create({ baseURL: sandbox.url, headers, validateStatus: () => true });
	});
	afterEach(() => sandbox.close());

	it('listens on the loopback interface with a key of its own', async () => {
		expect(sandbox.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
		expect(sandbox.key).toMatch(/^mg_sandbox_[\w-]{24}$/);
		expect((await http.get(CREDITS)).status).toBe(200);
	});

	it('serves a finished picture at the address of its record', async () => {
		const created = await http.post('/api/v1/generate/', { prompt: 'a cat', size: '1:1' });
		const record = await http.get(`/api/v1/generate/${created.data.data.generation_id}/`);
		expect(record.data).toMatchObject({ status: 'completed' });
		expect(record.data.image_url).toContain(`${sandbox.url}/media/`);
		const media = await axios.get(record.data.image_url, { responseType: 'arraybuffer' });
		expect(media.headers['content-type']).toBe('image/png');
	});

	it('keeps a journal', async () => {
		await http.post('/api/v1/generate/', { prompt: 'a cat' });
		await http.get('/api/v1/generate/history/?limit=1');
		await http.post('/api/v1/generate/', 'no json', {
			headers: { 'Content-Type': 'application/json' },
		});
		expect(sandbox.journal.entries).toMatchObject([
			{
				method: 'POST',
				path: '/api/v1/generate/',
				query: {},
				headers: { authorization: sandbox.key },
				body: { prompt: 'a cat' },
				status: 201,
				kind: 'create',
				operation: 'image.generate',
			},
			{
				path: '/api/v1/generate/history/',
				query: { limit: '1' },
				status: 200,
				operation: 'job.history',
			},
			{ body: 'no json', status: 400 },
		]);
		expect(sandbox.journal.to('job.history')).toHaveLength(1);
		expect(sandbox.journal.ofKind('create')).toHaveLength(2);
		sandbox.journal.clear();
		expect(sandbox.journal.entries).toEqual([]);
	});

	it('goes back to how it started', async () => {
		await http.post('/api/v1/generate/', { prompt: 'a cat' });
		sandbox.faults.add({ match: { kind: 'list' }, fault: { kind: 'reset' } });
		sandbox.settings.mediaBase = 'https://cdn.example';
		sandbox.settings.limits.requestsPerWindow = 1;
		sandbox.account.keys.clear();
		sandbox.reset();
		expect(sandbox.jobs).toEqual([]);
		expect(sandbox.journal.entries).toEqual([]);
		expect(sandbox.faults.rules).toEqual([]);
		expect(sandbox.settings).toMatchObject({ mediaBase: null, key: sandbox.key });
		expect(sandbox.settings.limits.requestsPerWindow).toBe(100);
		const headers = { Authorization: sandbox.key };
		expect((await http.get(CREDITS, { headers })).data).toMatchObject({ credits_balance: 1050 });
	});

	it('goes back with a new key, session and auth token', async () => {
		const before = secretsOf(sandbox);
		sandbox.reset();
		expect([...sandbox.account.keys]).toEqual([sandbox.key]);
		expect(new Set([...before, ...secretsOf(sandbox)]).size).toBe(8);
		expect((await http.get(CREDITS)).status).toBe(401);
		const headers = { Authorization: sandbox.key };
		expect((await http.get(CREDITS, { headers })).status).toBe(200);
	});

	it('keeps what was given of them', async () => {
		const given = { key: 'k1', session: { id: 's1', csrfToken: 'c1' }, authToken: 't1' };
		const other = await startSandbox(given);
		other.account.keys.clear();
		other.account.authTokens.clear();
		other.reset();
		expect(other.key).toBe('k1');
		expect(secretsOf(other)).toEqual(['k1', 's1', 'c1', 't1']);
		await other.close();
	});

	it('refuses settings that are none', async () => {
		await expect(startSandbox({ queuedMs: -1 })).rejects.toThrow('queuedMs');
		await expect(startSandbox({ colour: 'red' } as object)).rejects.toThrow('colour');
	});

	it('says so when its port is taken', async () => {
		const port = Number(new URL(sandbox.url).port);
		await expect(startSandbox({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
	});

	describe('the control route', () => {
		const bare = { headers: { Authorization: null } };

		it('changes settings', async () => {
			const patch = { openPrice: 3, shapes: { list: { body: 'none' } }, credits: { purchased: 7 } };
			sandbox.settings.shapes.list.pageSize = 5;
			const { status, data } = await http.patch('/sandbox/settings', patch, bare);
			expect(status).toBe(200);
			expect(data).toMatchObject(patch);
			expect(data).not.toHaveProperty('key');
			expect(sandbox.settings.openPrice).toBe(3);
			expect(sandbox.settings.shapes.list).toMatchObject({ body: 'none', pageSize: 5 });
			expect(sandbox.account.credits).toEqual({ purchased: 7, welcome: 50 });
		});

		it.each([{ port: 1 }, { key: 'x' }, { colour: 'red' }, { queuedMs: 'long' }, []])(
			'refuses the settings %j',
			async (patch) => {
				const before = structuredClone(sandbox.settings.shapes);
				const { status, data } = await http.patch('/sandbox/settings', patch, bare);
				expect(status).toBe(400);
				expect(data).toEqual({ success: false, error: expect.any(String) });
				expect(sandbox.settings.shapes).toEqual(before);
			},
		);
	});
});
