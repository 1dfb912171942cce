import { randomUUID } from 'node:crypto';

import { outputsOf } from '../../tools/lib/n8nClient.mts';
import { usePlayedServer } from '../support/playedServer.mts';
import { useSharedN8n } from '../support/useRealN8n.mts';

/** The credential in n8n's HTTP Request node, where n8n's editor leads with Custom API Call, too. */

const n8n = useSharedN8n();
const service = usePlayedServer();
const elsewhere = usePlayedServer();

jest.setTimeout(60_000);

const PROFILE = '/api/profile/';

describe.each([2, 3, 4.2])('version %d', (typeVersion) => {
	const key = `mg_http_${randomUUID()}`;
	const ask = async (url: string, at: { url: string; key: string }, options: object = {}) => {
		const method = { [typeVersion < 3 ? 'requestMethod' : 'method']: 'GET' };
		const authentication = 'predefinedCredentialType';
		const parameters = {
			...method,
			url,
			authentication,
			nodeCredentialType: 'mediaGenApi',
			options,
		};
		const mediaGenApi = await n8n.addCredential({ baseUrl: at.url, apiKey: at.key });
		const type = 'n8n-nodes-base.httpRequest';
		const node = { name: 'Ask', type, typeVersion, parameters, credentials: { mediaGenApi } };
		return await n8n.runChain([node]);
	};

	test('may use the credential at the Base URL', async () => {
		const execution = await ask(`${n8n.sandbox.url}${PROFILE}`, n8n.sandbox);
		expect(execution.error).toBeUndefined();
		expect(outputsOf(execution, 'Ask')[0]?.[0]?.json).toHaveProperty('credits_balance');
		expect(n8n.sandbox.journal.entries.map(({ path }) => path)).toEqual([PROFILE]);
	});

	test('may not use it elsewhere', async () => {
		const { error } = await ask(`${elsewhere.url}${PROFILE}`, { url: service.url, key });
		expect(error?.message).toContain('sent to the Base URL of its credential only');
		expect([...service.requests, ...elsewhere.requests]).toEqual([]);
	});

	test('is not led elsewhere with it', async () => {
		service.answer = () => ({ status: 302, headers: { location: `${elsewhere.url}/steal` } });
		const redirect = { redirect: { followRedirects: true, maxRedirects: 5 } };
		const options = typeVersion < 3 ? { followAllRedirects: true } : { redirect };
		const execution = await ask(`${service.url}/x`, { url: service.url, key }, options);
		expect(execution.error).toBeDefined();
		expect(service.requests).toHaveLength(1);
		expect(elsewhere.requests).toEqual([]);
		expect(JSON.stringify(execution)).not.toContain(key);
	});
});
