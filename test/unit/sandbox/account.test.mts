import axios from 'axios';

import { KEY, openSandbox } from './harness.mts';

const PROFILE = '/api/profile/';
const TRANSACTIONS = '/payments/api/transactions/';

test('the profile, as it was written last', async () => {
	const { get, put, image } = await openSandbox();
	await image();
	expect((await put(PROFILE, { watermark_text: 'mine' })).status).toBe(200);
	expect((await put(PROFILE, { enable_watermark: false })).status).toBe(200);
	expect((await get(PROFILE)).body).toEqual({
		id: 1,
		username: 'sandbox',
		email: 'sandbox@example.com',
		credits_balance: 1042,
		total_images_generated: 1,
		enable_watermark: false,
		watermark_text: 'mine',
		created_at: expect.any(String),
	});
});

test('a profile takes no other fields', async () => {
	const { put } = await openSandbox();
	const answer = await put(PROFILE, { username: 'x', enable_watermark: 'yes' });
	expect(answer.status).toBe(400);
	expect(Object.keys(answer.body.details)).toEqual(
		expect.arrayContaining(['username', 'enable_watermark']),
	);
});

test.each([
	['array', (body: any) => body],
	['results', (body: any) => body.results],
	['data', (body: any) => body.data],
] as const)('transactions, in the shape %s', async (shape, entriesOf) => {
	const { get, image, settings } = await openSandbox();
	settings.shapes.list.body = shape;
	await image();
	const { body } = await get(TRANSACTIONS);
	expect(entriesOf(body).map((entry: any) => [entry.type, entry.credits])).toEqual([
		['charge', -8],
		['purchase', 1000],
	]);
});

describe('the creation of a key', () => {
	const session = { id: 's1', csrfToken: 'c1' };

	async function create(headers: Record<string, string | undefined>) {
		const opened = await openSandbox({ session, authToken: 't1' });
		const url = `${opened.sandbox.url}/api/api-keys/`;
		const answer = await axios.post(url, { name: 'mine' }, { headers, validateStatus: () => true });
		return { ...opened, answer };
	}

	test.each([{ Cookie: 'a=b; sessionid=s1', 'X-CSRFToken': 'c1' }, { Authorization: 'Token t1' }])(
		'%j: the key is given once, and is good',
		async (headers) => {
			const { answer, get } = await create(headers);
			expect(answer.status).toBe(201);
			const { key, ...rest } = answer.data;
			expect(rest).toEqual({
				id: expect.any(String),
				name: 'mine',
				key_preview: expect.stringMatching(/^mg_sandbox_/),
				created_at: expect.any(String),
			});
			expect((await get(PROFILE, { authorization: `Bearer ${key}` })).status).toBe(200);
		},
	);

	test.each([
		[{}, 401],
		[{ Authorization: `Bearer ${KEY}` }, 401],
		[{ Authorization: 'Token wrong' }, 401],
		[{ Cookie: 'sessionid=s2', 'X-CSRFToken': 'c1' }, 401],
		[{ Cookie: 'sessionid=s1' }, 403],
	])('%j is refused with %d', async (headers, status) => {
		const { answer, account } = await create(headers);
		expect(answer.status).toBe(status);
		expect([...account.keys]).toEqual([KEY]);
	});
});

test.each(['/api/login/', '/api/register/'])('%s is disabled, for everyone', async (path) => {
	const { post } = await openSandbox();
	const body = { username: 'a', email: 'a@example.com', password: 'b' };
	for (const options of [{}, { authorization: null }]) {
		const answer = await post(path, body, options);
		expect(answer.status).toBe(403);
		expect(answer.body).toEqual({ success: false, error: expect.any(String) });
	}
});

test('a session opens nothing else', async () => {
	const { sandbox } = await openSandbox({ session: { id: 's1', csrfToken: 'c1' } });
	const headers = { Cookie: 'sessionid=s1', 'X-CSRFToken': 'c1' };
	const answer = await axios.get(sandbox.url + PROFILE, { headers, validateStatus: () => true });
	expect(answer.status).toBe(401);
});
