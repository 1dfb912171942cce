import { CREDITS, IMAGE, KEY, openSandbox, PROFILE } from './harness.mts';

const KEYS = '/api/api-keys/';

describe('who asks', () => {
	test.each([
		undefined,
		'',
		'Bearer ',
		`Basic ${KEY}`,
		`bearer ${KEY}`,
		`${KEY}x`,
		't1',
		'Bearer t1',
	])('authorization: %s is refused, before anything is read', async (authorization) => {
		const { call, sandbox } = await openSandbox({ authToken: 't1' });
		const answer = await call('POST', IMAGE, '{', { authorization });
		expect(answer).toMatchObject({ status: 401, body: { success: false } });
		expect(sandbox.jobs).toEqual([]);
	});

	test('a token of log-in is one in its own form, a revoked key is none', async () => {
		const { get, sandbox } = await openSandbox({ authToken: 't1' });
		expect((await get(PROFILE, { authorization: 'Token t1' })).status).toBe(200);
		sandbox.account.keys.delete(KEY);
		expect((await get(PROFILE)).status).toBe(401);
	});

	const session = { id: 's1', csrfToken: 'c1' };
	const open = async () => await openSandbox({ session, authToken: 't1' });

	test.each([
		{ authorization: undefined, cookie: 'a=b; sessionid=s1', 'x-csrftoken': 'c1' },
		{ authorization: 'Token t1' },
	])('%j creates a key, which is good', async (headers) => {
		const { call, get } = await open();
		const { status, body } = await call('POST', KEYS, { name: 'mine' }, headers);
		expect(status).toBe(201);
		expect(Object.keys(body)).toEqual(['id', 'name', 'key', 'key_preview', 'created_at']);
		expect((await get(PROFILE, { authorization: `Bearer ${body.key}` })).status).toBe(200);
	});

	test.each<[object, number]>([
		[{}, 401],
		[{ authorization: undefined }, 401],
		[{ cookie: 'sessionid=s2', 'x-csrftoken': 'c1' }, 401],
		[{ cookie: 'sessionid=s1' }, 403],
	])('%j creates none: %d', async (headers, status) => {
		const { call, sandbox } = await open();
		expect((await call('POST', KEYS, { name: 'mine' }, headers)).status).toBe(status);
		expect([...sandbox.account.keys]).toEqual([KEY]);
	});
});

describe('money', () => {
	test('a job is charged when it is created, and stays so when it fails', async () => {
		const { create, clock, sandbox, get } = await openSandbox();
		const { id, body } = await create(IMAGE, { prompt: '[fail]', size: '3:2' });
		expect(body.data).toMatchObject({ credits_used: 8, credits_remaining: 1042 });
		const charge = { jobId: id, operation: 'image.generate', credits: 8, at: clock.now() };
		expect(sandbox.account.charges).toEqual([charge]);
		await clock.advance(5000);
		expect((await get(CREDITS)).body).toEqual({
			credits_balance: 1042,
			total_spent: '10.00',
			total_credits_purchased: 1000,
		});
		const { body: transactions } = await get('/payments/api/transactions/');
		expect(transactions.map(({ credits }: { credits: number }) => credits)).toEqual([-8, 1000]);
	});

	test('the profile is written in part, and takes nothing else', async () => {
		const { call, get, image } = await openSandbox();
		await image();
		await call('PUT', PROFILE, { watermark_text: 'mine' });
		const { body } = await call('PUT', PROFILE, { username: 'x', enable_watermark: 'yes' });
		expect(Object.keys(body.details)).toEqual(['username', 'enable_watermark']);
		expect((await get(PROFILE)).body).toMatchObject({
			...{ credits_balance: 1042, total_images_generated: 1 },
			...{ enable_watermark: true, watermark_text: 'mine' },
		});
	});
});

describe('limits', () => {
	test('a refusal tells when to come back, if the settings say so', async () => {
		const limits = { requestsPerWindow: 2, concurrent: 1 };
		const { create, clock } = await openSandbox({ limits, retryAfter: true });
		const retryAfter = async () =>
			(await create(IMAGE, { prompt: 'a cat' })).headers['retry-after'] as unknown;
		expect(await retryAfter()).toBeUndefined();
		await clock.advance(1500);
		expect([await retryAfter(), await retryAfter()]).toEqual(['4', '59']);
	});

	test('neither media nor what has no key counts', async () => {
		const { get, image, clock } = await openSandbox({ limits: { requestsPerWindow: 2 } });
		const id = await image();
		await clock.advance(5000);
		const statuses = [];
		for (const authorization of ['wrong', 'wrong', `Bearer ${KEY}`, `Bearer ${KEY}`]) {
			statuses.push((await get(CREDITS, { authorization })).status);
			expect((await get(`/media/${id}.png`, { authorization: undefined })).status).toBe(200);
		}
		expect(statuses).toEqual([401, 401, 200, 429]);
	});
});
