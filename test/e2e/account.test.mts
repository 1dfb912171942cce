import type { Credential } from '../../tools/lib/n8nClient.mts';
import { isN8nBefore } from '../support/n8nVersion.mts';
import type { RunOptions } from '../support/realN8n.mts';
import { toldBy } from '../support/toldBy.mts';
import { useSharedN8n } from '../support/useRealN8n.mts';

/** What a user of the account node sees, in a real n8n server. */

const n8n = useSharedN8n();

jest.setTimeout(60_000);

async function account(
	resource: string,
	operation: string,
	parameters: object = {},
	options: Partial<RunOptions> = {},
) {
	const ran = await n8n.run({
		node: 'mediaGenAccount',
		parameters: { resource, operation, ...parameters },
		...options,
	});
	return { ...ran, json: (ran.outputs[0] ?? []).map(({ json }) => json) };
}

const requests = () => n8n.sandbox.journal.entries;

describe('profile', () => {
	test('get', async () => {
		const { json } = await account('profile', 'get');
		expect(json).toEqual([
			expect.objectContaining({ username: 'sandbox', enable_watermark: true }),
		]);
	});

	test.each([{ enable_watermark: false }, { watermark_text: 'mine' }, { watermark_text: '' }])(
		'update sends only what is given: %j',
		async (given) => {
			const { json } = await account('profile', 'update', { additionalFields: given });
			expect(requests().map(({ method, path, body }) => [method, path, body])).toEqual([
				['PUT', '/api/profile/', given],
			]);
			expect(json).toEqual([expect.objectContaining(given)]);
		},
	);

	test('update with nothing given is refused before any request', async () => {
		const { error } = await account('profile', 'update');
		expect(error?.message).toBe('Additional Fields is empty: add what is to be changed');
		expect(requests()).toEqual([]);
	});

	test.each([
		[{ status: 204, body: '' }, { status: 204 }],
		[{ status: 200, body: { message: 'saved' } }, { message: 'saved' }],
	])('update answered by %j, since the answer is not shown', async (answer, expected) => {
		n8n.sandbox.faults.add({
			match: { operation: 'profile.update' },
			fault: { kind: 'status', ...answer },
		});
		const additionalFields = { watermark_text: 'mine' };
		const { json } = await account('profile', 'update', { additionalFields });
		expect(json).toEqual([expected]);
	});
});

describe('credits', () => {
	test('summary', async () => {
		const { json } = await account('credits', 'get');
		expect(json).toEqual([expect.objectContaining({ credits_balance: 1050 })]);
	});

	test.each(['array', 'results', 'data'] as const)('transactions, shape %s', async (shape) => {
		n8n.sandbox.settings.shapes.list.body = shape;
		const { json } = await account('credits', 'transactions');
		expect(json).toEqual([expect.objectContaining({ type: 'purchase', credits: 1000 })]);
	});

	test('transactions that are no list are one item', async () => {
		n8n.sandbox.settings.shapes.list.body = 'none';
		const { json } = await account('credits', 'transactions');
		expect(json).toHaveLength(1);
	});
});

describe('API key', () => {
	async function credentialWith(data: object): Promise<Credential> {
		const { url, key } = n8n.sandbox;
		return await n8n.addCredential({ baseUrl: url, apiKey: key, ...data });
	}

	const sessionOf = ({ session }: (typeof n8n)['sandbox']['account']) => ({
		sessionToken: session.id,
		csrfToken: session.csrfToken,
	});

	test('with a browser session: the full key is in the output, once', async () => {
		const credential = await credentialWith(sessionOf(n8n.sandbox.account));
		const { json, execution } = await account('apiKey', 'create', { name: 'mine' }, { credential });
		const { key } = json[0] as { key: string };
		expect(json).toEqual([expect.objectContaining({ name: 'mine', key })]);
		expect(n8n.sandbox.account.keys.has(key)).toBe(true);
		// What n8n has stored; the client repeats part of it.
		const { data, workflowData } = execution as unknown as Record<string, unknown>;
		expect(JSON.stringify({ data, workflowData }).split(key)).toHaveLength(2);
		const [{ headers } = { headers: {} }] = requests();
		expect(headers).toMatchObject({ cookie: expect.stringContaining('sessionid=') });
		expect(headers).not.toHaveProperty('authorization');
	});

	test('with a legacy auth token, and no API key', async () => {
		const [authToken] = n8n.sandbox.account.authTokens;
		// Older versions save no credential without what it requires: anything has to stand there.
		const apiKey = isN8nBefore('2.20') ? 'none' : '';
		const credential = await credentialWith({ authToken, apiKey });
		const { json } = await account('apiKey', 'create', { name: 'mine' }, { credential });
		expect(json).toEqual([expect.objectContaining({ name: 'mine' })]);
	});

	test('with neither, an error before any request', async () => {
		const { error } = await account('apiKey', 'create', { name: 'mine' });
		expect(error?.message).toContain('the credential has neither');
		expect(error?.description).toContain('Enter Session ID and CSRF Token');
		expect(requests()).toEqual([]);
	});

	test('with a session that has ended', async () => {
		const credential = await credentialWith({ sessionToken: 'old', csrfToken: 'old' });
		const { error } = await account('apiKey', 'create', { name: 'mine' }, { credential });
		expect(toldBy(error)).toContain('Authentication credentials were not provided.');
	});

	test('the session goes with no other request', async () => {
		const credential = await credentialWith(sessionOf(n8n.sandbox.account));
		await account('profile', 'get', {}, { credential });
		const [{ headers } = { headers: {} }] = requests();
		expect(headers).not.toHaveProperty('cookie');
		expect(headers).not.toHaveProperty('x-csrftoken');
	});
});

describe('session', () => {
	test.each([
		['logIn', '/api/login/', {}],
		['register', '/api/register/', { email: 'a@example.com' }],
	])('%s is disabled: the error has the words of the service', async (operation, path, more) => {
		const fields = { username: 'ann', password: 'pass-4711', ...more };
		const { error, execution } = await account('session', operation, fields);
		expect(requests().map((request) => [request.path, request.body])).toEqual([[path, fields]]);
		expect(execution.status).toBe('error');
		expect(toldBy(error)).toContain('is currently disabled.');
	});
});
