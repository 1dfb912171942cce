import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { useRealN8n } from '../support/useRealN8n.mts';

/** The credential's Test against whoever answers at the Base URL. */

const n8n = useRealN8n();
jest.setTimeout(60_000);

let answer: { status?: number; body: string; type?: string };
let server: Server;

beforeAll(async () => {
	server = createServer((_request, response) => {
		response.writeHead(answer.status ?? 200, { 'content-type': answer.type ?? 'application/json' });
		response.end(answer.body);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterAll(() => server.close());

const testIt = async () => {
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	const credential = await n8n.addCredential({ baseUrl: url, apiKey: 'k' });
	try {
		return (await n8n.client.testCredential(credential)) as { status: string; message: string };
	} catch (error) {
		return { status: 'threw', message: (error as Error).message };
	}
};

test.each<[string, typeof answer, string]>([
	['an empty list', { body: '[]' }, 'Error'],
	['null', { body: 'null' }, 'Error'],
	['a text', { body: '"hello"' }, 'Error'],
	['a number', { body: '5' }, 'Error'],
	['nothing', { body: '' }, 'Error'],
	['204', { status: 204, body: '' }, 'Error'],
	['no balance', { body: '{"credits_balance": null}' }, 'Error'],
	['a balance of text', { body: '{"credits_balance": "free for all"}' }, 'Error'],
	['an error with status 200', { body: '{"success": false, "error": "bad key"}' }, 'Error'],
	[
		'an envelope, which Check Balance reads',
		{ body: '{"success": true, "data": {"credits_balance": 5}}' },
		'OK',
	],
	['HTML', { body: '<html>hi</html>', type: 'text/html' }, 'Error'],
	['a list of one', { body: '[{"credits_balance": 5}]' }, 'Error'],
	['418', { status: 418, body: '' }, 'Error'],
	['299', { status: 299, body: '{}' }, 'Error'],
])('%s', async (what, given, expected) => {
	answer = given;
	const { status, message } = await testIt();
	console.log(what, '=>', status, message);
	expect(status).toBe(expected);
});
