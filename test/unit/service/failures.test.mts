import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { request } from 'node:https';
import { createServer, type AddressInfo, type Server } from 'node:net';

import { brokenConnection, refusal, unreadable } from '../../../nodes/shared/service/failures.ts';
import { ServiceError } from '../../../nodes/shared/service/serviceError.ts';

/** Statuses from the document (section "Errors"), and what a user reads. */
test.each([
	[400, 'refused', 'malformed or incomplete', 'Correct the fields'],
	[401, 'refused', 'missing, invalid or revoked', 'valid key'],
	[402, 'refused', 'Not enough purchased credits', 'Welcome credits work on the website only'],
	[403, 'refused', 'denied access', 'may not do this'],
	[404, 'refused', 'does not know', 'Check the ID'],
	[429, 'refused', 'limit', '100 requests a minute and 5 generations'],
	[500, 'unknown', 'internal error', 'Try again later'],
	[502, 'unknown', 'answered with status 502', 'down for the moment'],
	[302, 'unknown', 'redirected', 'not followed'],
	[418, 'unknown', 'status 418', 'Base URL'],
])('status %i', (status, outcome, message, description) => {
	const error = refusal(status, { success: false, error: 'Because.' }, '');
	expect(error).toMatchObject({ status, outcome });
	expect(error.message).toContain(message);
	expect(error.description).toContain(description);
	expect(error.description).toContain('The service said: Because.');
});

test('every entry of details is named', () => {
	const details = { prompt: 'too long', size: ['not allowed'], model: 'unknown' };
	expect(refusal(400, { success: false, error: 'Invalid', details }, '').message).toBe(
		'The service refused the request as malformed or incomplete: prompt: too long, size: ["not allowed"] and model: unknown',
	);
});

test('a body that is not JSON is shown by its start', () => {
	const html = `<html>\n<h1>Bad Gateway</h1>${'x'.repeat(1000)}`;
	const { description } = refusal(502, undefined, html);
	expect(description).toContain('The answer starts: <html> <h1>Bad Gateway</h1>xxx');
	expect(description.length).toBeLessThan(400);
	expect(unreadable(200, '').description).toContain('(empty)');
});

const wrapped = (code: string, syscall?: string) => ({
	name: 'NodeApiError',
	cause: Object.assign(new Error(), { code, syscall }),
});

test.each([
	['ECONNREFUSED', 'unreachable', 'the connection was refused'],
	['ENOTFOUND', 'unreachable', 'host name'],
	['EAI_AGAIN', 'unreachable', 'could not be looked up'],
	['ECONNABORTED', 'unknown', 'did not answer within 30 seconds'],
	['ETIMEDOUT', 'unknown', 'did not answer within 30 seconds'],
	['ECONNRESET', 'unknown', 'broke off'],
	['something new', 'unknown', 'broke off'],
])('%s', (code, outcome, message) => {
	const error = brokenConnection(wrapped(code), 30_000);
	expect(error.outcome).toBe(outcome);
	expect(error.message).toContain(message);
});

describe('connections that never carried a request', () => {
	test.each([
		['CERT_HAS_EXPIRED', 'has expired', 'has to be renewed'],
		['CERT_NOT_YET_VALID', 'not valid yet', 'clock'],
		['DEPTH_ZERO_SELF_SIGNED_CERT', 'does not trust', 'NODE_EXTRA_CA_CERTS'],
		['SELF_SIGNED_CERT_IN_CHAIN', 'does not trust', 'NODE_EXTRA_CA_CERTS'],
		['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'does not trust', 'NODE_EXTRA_CA_CERTS'],
		['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'does not trust', 'NODE_EXTRA_CA_CERTS'],
		['ERR_TLS_CERT_ALTNAME_INVALID', 'for another host name', 'Base URL'],
		['HOSTNAME_MISMATCH', 'for another host name', 'Base URL'],
		['CERT_REVOKED', 'was refused', 'CERT_REVOKED'],
		['EHOSTUNREACH', 'no way', 'network'],
		['ENETUNREACH', 'no way', 'network'],
		['ERR_INVALID_CHAR', 'cannot be sent in a header', 'API key'],
	])('%s', (code, message, description) => {
		const error = brokenConnection(wrapped(code), 30_000);
		expect(error.outcome).toBe('unreachable');
		expect(error.message).toContain(message);
		expect(error.description).toContain(description);
		expect(error.description).toContain('Nothing was sent, nothing was charged');
	});

	test.each(['ETIMEDOUT', 'EADDRNOTAVAIL', 'ECONNRESET', 'something new'])(
		'%s while connecting',
		(code) => {
			const error = brokenConnection(wrapped(code, 'connect'), 30_000);
			expect(error).toMatchObject({ outcome: 'unreachable' });
			expect(error.message).toBe('The connection to the Base URL could not be made');
			expect(error.description).toContain(code);
		},
	);

	test('are not the ones that broke while they were open, whatever the code is', () => {
		for (const code of ['EHOSTUNREACH', 'ENETUNREACH', 'ECONNREFUSED', 'EPIPE', 'EPROTO']) {
			for (const syscall of ['read', 'write']) {
				expect(brokenConnection(wrapped(code, syscall), 30_000).outcome).toBe('unknown');
			}
		}
	});

	const failing = (message: string, facts: object) =>
		brokenConnection({ cause: Object.assign(new Error(message), facts) }, 30_000);

	const WRONG_VERSION =
		'write EPROTO 80:error:0A00010B:SSL routines:ssl3_get_record:wrong version number:a.c:350:\n';
	const BEFORE_TLS =
		'Client network socket disconnected before secure TLS connection was established';

	test.each([
		[WRONG_VERSION, { code: 'EPROTO', syscall: 'write' }, 'does not speak https'],
		[BEFORE_TLS, { code: 'ECONNRESET' }, 'before it was secure'],
	])('end before TLS is there: %s', (message, facts, shown) => {
		const error = failing(message, facts);
		expect(error.outcome).toBe('unreachable');
		expect(error.message).toContain(shown);
		expect(error.description).toContain('Nothing was sent, nothing was charged');
	});

	test.each([
		['write EPROTO 80:error:0A000126:SSL routines::decryption failed', 'EPROTO', 'write'],
		[WRONG_VERSION, 'EPROTO', 'read'],
		[WRONG_VERSION, 'ECONNRESET', 'write'],
		['read ECONNRESET', 'ECONNRESET', 'read'],
		['socket hang up', 'ECONNRESET', undefined],
		[BEFORE_TLS, 'EPIPE', 'write'],
	])('are not those of other words: %s (%s, %s)', (message, code, syscall) => {
		expect(failing(message, { code, syscall }).outcome).toBe('unknown');
	});

	test.each<[string, () => Server]>([
		['plain http', () => createHttpServer()],
		[
			'nothing and ends the connection',
			() => createServer((socket) => socket.once('data', () => socket.end())),
		],
	])('https to a port that speaks %s', async (_, make) => {
		const server = make().listen(0, '127.0.0.1');
		await once(server, 'listening');
		const { port } = server.address() as AddressInfo;
		const sent = request({ host: '127.0.0.1', port, method: 'POST' });
		const error = await new Promise((resolve) => sent.on('error', resolve).end('{}'));
		server.close();
		expect(brokenConnection(error, 30_000).outcome).toBe('unreachable');
	});

	test.each(['constructor', '__proto__', 'toString'])('%s is no code', (code) => {
		expect(brokenConnection(wrapped(code), 30_000).outcome).toBe('unknown');
	});
});

test('an error of our own that n8n has wrapped is found again', () => {
	const own = new ServiceError({ message: 'own', description: '', outcome: 'unreachable' });
	expect(brokenConnection({ cause: { cause: own } }, 1)).toBe(own);
});
