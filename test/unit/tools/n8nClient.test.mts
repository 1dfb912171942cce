import Fastify from 'fastify';

import { N8nClient } from '../../../tools/lib/n8nClient.mts';

const BUSY = { message: 'SQLITE_ERROR: cannot start a transaction within a transaction' };

/** n8n that answers `POST /rest/workflows` with these, the last one again and again. */
async function n8nThatAnswers(...answers: Array<[status: number, body: object]>) {
	const server = Fastify();
	const seen: unknown[] = [];
	server.post('/rest/workflows', async (request, reply) => {
		const [status, body] = answers[Math.min(seen.push(request.body), answers.length) - 1]!;
		return await reply.status(status).send(body);
	});
	const url = await server.listen({ host: '127.0.0.1', port: 0 });
	return { client: new N8nClient(url), seen, close: async () => await server.close() };
}

test('a request that met another transaction is made again', async () => {
	const n8n = await n8nThatAnswers([500, BUSY], [500, BUSY], [200, { data: { id: 'w1' } }]);
	await expect(n8n.client.request('POST', '/rest/workflows', { name: 'a' })).resolves.toEqual({
		id: 'w1',
	});
	expect(n8n.seen).toEqual([{ name: 'a' }, { name: 'a' }, { name: 'a' }]);
	await n8n.close();
});

test.each([
	['another error', 500, { message: 'SQLITE_FULL: database or disk is full' }, 20, 1],
	['one that lasts', 500, BUSY, 2, 3],
] as const)('%s is thrown', async (_, status, body, tries, requests) => {
	const n8n = await n8nThatAnswers([status, body]);
	await expect(n8n.client.request('POST', '/rest/workflows', {}, tries)).rejects.toThrow(
		`n8n answered 500 to POST /rest/workflows: ${body.message}`,
	);
	expect(n8n.seen).toHaveLength(requests);
	await n8n.close();
});
