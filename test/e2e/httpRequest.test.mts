import { randomUUID } from 'node:crypto';

import type { Execution } from '../../tools/lib/n8nClient.mts';
import { useHostileServer } from '../support/useHostileServer.mts';
import { useSharedN8n } from '../support/useRealN8n.mts';

/** The credential in n8n's HTTP Request node, where n8n's editor leads with Custom API Call, too. */

const n8n = useSharedN8n();
const hostile = useHostileServer();
const elsewhere = useHostileServer();

const PROFILE = '/api/profile/';

describe.each([2, 3, 4.2])('version %d', (typeVersion) => {
	const ask = async (
		url: string,
		baseUrl: string,
		apiKey: string,
		options: object = {},
	): Promise<Execution> => {
		const credential = await n8n.addCredential({ baseUrl, apiKey, headerForm: 'bearer' });
		return await n8n.runChain([
			{
				name: 'Ask',
				type: 'n8n-nodes-base.httpRequest',
				typeVersion,
				credentials: { mediaGenApi: credential },
				parameters: {
					[typeVersion < 3 ? 'requestMethod' : 'method']: 'GET',
					url,
					authentication: 'predefinedCredentialType',
					nodeCredentialType: 'mediaGenApi',
					options,
				},
			},
		]);
	};

	test('may use the credential at the Base URL', async () => {
		const { url, key } = n8n.sandbox;
		const { error, runData } = await ask(`${url}${PROFILE}`, url, key);
		expect(error).toBeUndefined();
		expect(runData.Ask?.[0]?.data.main[0][0].json).toHaveProperty('credits_balance');
		expect(n8n.sandbox.journal.entries.map(({ path }) => path)).toEqual([PROFILE]);
	});

	test('may not use it elsewhere', async () => {
		const key = `mg_http_${randomUUID()}`;
		const { error } = await ask(`${elsewhere.url}${PROFILE}`, hostile.url, key);
		expect(error?.message).toContain('sent to the Base URL of its credential only');
		expect([...hostile.requests, ...elsewhere.requests]).toEqual([]);
	});

	test('is not led elsewhere with it', async () => {
		const key = `mg_http_${randomUUID()}`;
		hostile.answer = () => ({ status: 302, headers: { location: `${elsewhere.url}/steal` } });
		const redirect = { redirect: { followRedirects: true, maxRedirects: 5 } };
		const options = typeVersion < 3 ? { followAllRedirects: true } : { redirect };
		const execution = await ask(`${hostile.url}/x`, hostile.url, key, options);
		expect(execution.error).toBeDefined();
		expect(hostile.requests).toHaveLength(1);
		expect(elsewhere.requests).toEqual([]);
		expect(JSON.stringify(execution)).not.toContain(key);
	});
});
