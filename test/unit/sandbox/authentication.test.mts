import { KEY, openSandbox } from './harness.mts';

const CREDITS = '/payments/api/credits/';

describe('authentication', () => {
	it.each([`Bearer ${KEY}`, `Token ${KEY}`, KEY])(
		'accepts the header %s',
		async (authorization) => {
			const { get } = await openSandbox();
			expect((await get(CREDITS, { authorization })).status).toBe(200);
		},
	);

	it.each([null, '', 'Bearer ', 'Bearer wrong', `Basic ${KEY}`, `bearer ${KEY}`, `${KEY}x`])(
		'answers 401 to the header %s',
		async (authorization) => {
			const { get } = await openSandbox();
			const answer = await get(CREDITS, { authorization });
			expect(answer.status).toBe(401);
			expect(answer.body).toEqual({ success: false, error: expect.any(String) });
		},
	);

	it('accepts a legacy auth token as the document has it, in the form Token alone', async () => {
		const { account, get, post } = await openSandbox({ authToken: 't1' });
		const status = async (authorization: string) => (await get(CREDITS, { authorization })).status;
		const image = { prompt: 'a cat', size: '1:1' };
		const made = await post('/api/v1/generate/', image, { authorization: 'Token t1' });
		expect(made.status).toBe(201);
		expect(await status('Token t1')).toBe(200);
		expect(await status('Bearer t1')).toBe(401);
		expect(await status('t1')).toBe(401);
		account.authTokens.delete('t1');
		expect(await status('Token t1')).toBe(401);
	});

	it('answers 401 to a revoked key', async () => {
		const { account, get } = await openSandbox();
		account.keys.delete(KEY);
		expect((await get(CREDITS)).status).toBe(401);
	});

	it.each([
		['POST', '/api/v1/generate/'],
		['POST', '/api/v1/image/generate'],
		['GET', '/api/v1/generate/some-id/'],
		['GET', '/api/v1/generate/history/'],
		['GET', '/api/v1/models/image/'],
		['GET', '/api/v1/models/video/'],
		['GET', '/vidA31/api/status/some-id/'],
		['GET', '/api/v1/video-studio/status/some-id/'],
		['GET', '/api/v1/video-studio/history/'],
		['GET', '/open/status/some-id/'],
		['GET', CREDITS],
	] as const)('%s %s needs it', async (method, path) => {
		const { get, post, sandbox } = await openSandbox();
		const options = { authorization: null };
		const answer =
			method === 'GET' ? await get(path, options) : await post(path, { prompt: 'x' }, options);
		expect(answer.status).toBe(401);
		expect(sandbox.jobs).toEqual([]);
	});

	it('comes before validation', async () => {
		const { post } = await openSandbox();
		const answer = await post('/api/v1/generate/', '{', { authorization: 'wrong' });
		expect(answer.status).toBe(401);
	});
});
