import { randomUUID } from 'node:crypto';

import { runInEngine, type EngineOptions } from '../support/engine.mts';
import { nodeContext } from '../support/nodeContext.mts';
import { useHostileServer } from '../support/useHostileServer.mts';
import { useSandbox } from '../support/useSandbox.mts';
import { CREDENTIAL } from '../support/product.mts';

/** The credential in n8n's own engine: where it is taken along, and what of it is told. */

const sandbox = useSandbox();
const hostile = useHostileServer();

jest.setTimeout(60_000);

describe('a key that was copied with invisible characters', () => {
	const KEY = 'mg_live_0123456789abcdefghijkl';
	const GENERATE = {
		resource: 'image',
		operation: 'generate',
		prompt: 'a',
		size: '1:1',
		waitForCompletion: false,
		options: { simplify: false },
	};

	test.each([
		['a zero-width space at the end', `${KEY}\u200b`],
		['a zero-width joiner inside', `${KEY.slice(0, 10)}\u200d${KEY.slice(10)}`],
		['a word joiner at the start', `\u2060${KEY}`],
		['a line break, as of a wrapped mail', `${KEY.slice(0, 10)}\r\n${KEY.slice(10)}`],
	])('%s: is sent without them, and comes back nowhere', async (_, apiKey) => {
		hostile.answer = ({ headers }) => {
			const { authorization } = headers;
			const data = {
				generation_id: 'g1',
				status: 'processing',
				message: `for ${KEY}`,
				authorization,
			};
			return { status: 201, body: [JSON.stringify({ success: true, data })] };
		};
		const { outputs, error, run } = await runInEngine({
			parameters: GENERATE,
			credential: { baseUrl: hostile.url, apiKey, headerForm: 'bearer' },
		});
		expect(error).toBeUndefined();
		expect(hostile.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
		expect(outputs[0]?.[0]?.json).toMatchObject({ jobId: 'g1', message: 'for ***' });
		expect(JSON.stringify(run)).not.toContain(KEY);
	});
});

/** As n8n tests a credential: with the Base URL as it stands there. */
describe('the test of the credential', () => {
	const tested = async (credential: EngineOptions['credential']) => {
		const context = nodeContext(credential);
		const { url } = CREDENTIAL.test.request;
		return await context.helpers.httpRequestWithAuthentication.call(context, 'mediaGenApi', {
			method: 'GET',
			baseURL: String(credential.baseUrl),
			url: String(url),
			json: true,
		});
	};

	test.each([
		['a space at its end', (url: string) => `${url} `],
		['a line break at its end', (url: string) => `${url}\r\n`],
		['a space at its start', (url: string) => ` ${url}`],
		['a zero-width space behind its slash', (url: string) => `${url}/\u200b`],
		['two slashes at its end', (url: string) => `${url}//`],
	])('takes a Base URL with %s, as the nodes do', async (_, written) => {
		const credential = { baseUrl: written(sandbox.url), apiKey: sandbox.key };
		expect(await tested(credential)).toHaveProperty('credits_balance');
		const { outputs, error } = await runInEngine({
			node: { type: 'n8n-nodes-mediagen.mediaGenAccount' },
			parameters: { resource: 'credits', operation: 'get' },
			credential,
		});
		expect(error).toBeUndefined();
		expect(outputs[0]?.[0]?.json).toHaveProperty('credits_balance');
	});

	test.each([
		['user info', (url: string) => url.replace('://', '://svc:S3cretPassw0rd@')],
		['a query', (url: string) => `${url}/?tab=S3cretPassw0rd`],
		['a fragment', (url: string) => `${url}/#/S3cretPassw0rd`],
	])('refuses one with %s, as the nodes do', async (_, written) => {
		const credential = { baseUrl: written(hostile.url), apiKey: `mg_${randomUUID()}` };
		const refused: Error = await tested(credential).catch((error: Error) => error);
		const { error, run } = await runInEngine({
			parameters: { resource: 'job', operation: 'get', jobId: 'g1' },
			credential,
		});
		for (const { message } of [refused, error ?? refused]) {
			expect(message).toContain(
				'a user name, a password, a query or a fragment; enter the address alone',
			);
		}
		expect(JSON.stringify([refused.message, run])).not.toContain('S3cretPassw0rd');
		expect(hostile.requests).toEqual([]);
	});
});
