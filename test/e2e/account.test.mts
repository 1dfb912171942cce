import type { Credential } from '../../tools/lib/n8nClient.mts';
import { usePlayedServer } from '../support/playedServer.mts';
import { toldBy } from '../support/toldBy.mts';
import { isN8nBefore, useSharedN8n } from '../support/useRealN8n.mts';

/** The account node and the credential, in a real n8n server. */

const n8n = useSharedN8n();
const site = usePlayedServer();

jest.setTimeout(60_000);

async function account(resource: string, operation: string, more = {}, credential?: Credential) {
	const parameters = { resource, operation, ...more };
	const ran = await n8n.run({
		...{ node: 'mediaGenAccount', parameters },
		...(credential && { credential }),
	});
	return { ...ran, json: (ran.outputs[0] ?? []).map(({ json }) => json) };
}

const credentialWith = async (data: object) =>
	await n8n.addCredential({ baseUrl: n8n.sandbox.url, apiKey: n8n.sandbox.key, ...data });

const requests = () => n8n.sandbox.journal.entries;

test.each([
	['profile', 'get', {}, { username: 'sandbox', enable_watermark: true }],
	['profile', 'update', { additionalFields: { watermark_text: '' } }, { watermark_text: '' }],
	['credits', 'get', {}, { credits_balance: 1050 }],
	['credits', 'transactions', {}, { type: 'purchase', credits: 1000 }],
])('%s: %s', async (resource, operation, more, expected) => {
	const { json } = await account(resource, operation, more);
	expect(json).toEqual([expect.objectContaining(expected)]);
});

test.each([
	['logIn', '/api/login/', {}],
	['register', '/api/register/', { email: 'a@example.com' }],
])('session: %s is disabled: the error has the words of the service', async (name, path, more) => {
	const fields = { username: 'ann', password: 'pass-4711', ...more };
	const { error } = await account('session', name, fields);
	expect(requests().map((request) => [request.path, request.body])).toEqual([[path, fields]]);
	expect(toldBy(error)).toContain('is currently disabled.');
});

describe('an API key is created', () => {
	test('with a browser session: the full key is in the output, once', async () => {
		const { session } = n8n.sandbox.account;
		const tokens = { sessionToken: session.id, csrfToken: session.csrfToken };
		const credential = await credentialWith(tokens);
		const { json, execution } = await account('apiKey', 'create', { name: 'mine' }, credential);
		const { key } = json[0] as { key: string };
		expect(json).toEqual([expect.objectContaining({ name: 'mine', key })]);
		expect(n8n.sandbox.account.keys.has(key)).toBe(true);
		// What n8n has stored; the client repeats part of it.
		const { data, workflowData } = execution as unknown as Record<string, unknown>;
		expect(JSON.stringify({ data, workflowData }).split(key)).toHaveLength(2);
		expect(requests()[0]?.headers).not.toHaveProperty('authorization');
	});

	test('with a legacy auth token, and no API key', async () => {
		const [authToken] = n8n.sandbox.account.authTokens;
		// Older versions save no credential without what it requires: anything has to stand there.
		const apiKey = isN8nBefore('2.20') ? 'none' : '';
		const credential = await credentialWith({ authToken, apiKey });
		const { json } = await account('apiKey', 'create', { name: 'mine' }, credential);
		expect(json).toEqual([expect.objectContaining({ name: 'mine' })]);
	});
});

describe('the test of the credential', () => {
	test.each([
		['as it is shown', (url: string) => url],
		['with a space at its start', (url: string) => ` ${url}`],
		['with a slash and a space at its end', (url: string) => `${url}/ `],
		['with a line break at its end', (url: string) => `${url}\r\n`],
	])('takes a Base URL %s, and reads the credits, which costs nothing', async (_, written) => {
		const credential = await credentialWith({ baseUrl: written(n8n.sandbox.url) });
		expect((await n8n.client.testCredential(credential)).status).toBe('OK');
		expect(requests().map(({ path }) => path)).toEqual(['/payments/api/credits/']);
	});

	test.each<[string, { apiKey?: string; path?: string }, string]>([
		['a wrong key', { apiKey: 'wrong' }, 'The API key is missing, invalid or revoked'],
		['an address that is too long', { path: '/v2' }, 'the Base URL, usually without a path'],
	])('refuses %s, and says why', async (_, { path = '', ...wrong }, message) => {
		const credential = await credentialWith({ baseUrl: `${n8n.sandbox.url}${path}`, ...wrong });
		expect(await n8n.client.testCredential(credential)).toEqual({
			status: 'Error',
			// Older versions have a text of their own for a status.
			message: isN8nBefore('2.35') ? expect.any(String) : expect.stringContaining(message),
		});
	});

	test('refuses the address of any other site, and says why', async () => {
		site.answer = () => ({
			headers: { 'content-type': 'text/html' },
			body: ['<html>Welcome</html>'],
		});
		const credential = await credentialWith({ baseUrl: site.url });
		expect(await n8n.client.testCredential(credential)).toEqual({
			status: 'Error',
			message: expect.stringContaining('is not the Media Generation Service'),
		});
	});

	test('refuses a Base URL with a password, and does not show it', async () => {
		const baseUrl = n8n.sandbox.url.replace('://', '://svc:S3cretPassw0rd@');
		const credential = await credentialWith({ baseUrl });
		expect(await n8n.client.testCredential(credential)).toEqual({
			status: 'Error',
			message:
				'The Base URL has a user name, a password, a query or a fragment; enter the address alone',
		});
		expect(requests()).toEqual([]);
	});
});
