import { once } from 'node:events';
import { request } from 'node:https';
import { createServer, type AddressInfo } from 'node:net';

import {
	brokenConnection,
	gaveUp,
	noAnswer,
	refusal,
	unreadable,
	ServiceError,
} from '../../../nodes/shared/service/serviceError.ts';

/** Statuses from the document (section "Errors"), and what a user reads. */
test.each([
	[400, 'refused', 'malformed or incomplete', 'Correct the fields'],
	[401, 'refused', 'missing, invalid or revoked', 'valid key'],
	[402, 'refused', 'Not enough purchased credits', 'Welcome credits work on the website only'],
	[403, 'refused', 'denied access', 'may not do this'],
	[404, 'refused', 'does not know', 'Check the ID'],
	[429, 'refused', 'limit', '100 requests a minute and 5 generations'],
	[500, 'unknown', 'internal error', 'Try again later'],
	[502, 'unknown', 'answered with status 502', 'Try again later'],
	[302, 'unknown', 'answered with status 302', 'check the Base URL'],
	[418, 'unknown', 'status 418', 'Base URL'],
])('status %i', (status, outcome, message, description) => {
	const error = refusal(status, { success: false, error: 'Because.' }, '');
	expect(error).toMatchObject({ status, outcome });
	expect(error.message).toContain(message);
	expect(error.description).toContain(description);
	expect(error.description).toContain('The service said: Because.');
});

test.each([300, 399, 499, 501, 599])('status %i proves nothing', (status) => {
	expect(refusal(status, undefined, '').outcome).toBe('unknown');
});

test('what the service did not say is not shown', () => {
	const { message, description } = refusal(500, { success: false, details: {} }, 'text');
	expect(message).toBe('The service had an internal error');
	expect(description).toBe('It is not caused by your workflow. Try again later.');
});

test('every entry of details is named', () => {
	const details = { prompt: 'too long', size: ['not allowed'], model: 'unknown' };
	expect(refusal(400, { success: false, error: 'Invalid', details }, '').message).toBe(
		'The service refused the request as malformed or incomplete: prompt: too long, size: not allowed and model: unknown',
	);
});

/** The documented body has `error` and `details`; a proxy or another version has others. */
describe('what the service says is shown in whatever form', () => {
	const RULE = 'Your prompt violates the content policy.';

	test.each<[unknown, string]>([
		[{ detail: RULE }, `detail: ${RULE}`],
		[{ message: 'Please buy credits' }, 'message: Please buy credits'],
		[
			{ success: false, error: { code: 'policy', message: RULE } },
			`code: policy and message: ${RULE}`,
		],
		[{ success: false, error: ['Too rude.', 'Too long.'] }, 'Too rude. / Too long.'],
		[{ success: false, error: 'Invalid', code: 17, hint: null }, 'Invalid; code: 17'],
		[{ prompt: ['This field is required.'] }, 'prompt: This field is required.'],
		[{ prompt: ['Too rude.', 'Too long.'], size: [] }, 'prompt: Too rude. / Too long.'],
		[
			{ errors: { prompt: [{ message: 'Too rude.' }] } },
			'errors: {"prompt":[{"message":"Too rude."}]}',
		],
		[{ data: { error: RULE } }, `data: {"error":"${RULE}"}`],
		[['Too rude.', [['Too long.']]], 'Too rude. / Too long.'],
		['Too rude.', 'Too rude.'],
		[17, '17'],
	])('%j', (body, said) => {
		const { message, description } = refusal(400, body, JSON.stringify(body));
		expect(message).toBe('The service refused the request as malformed or incomplete');
		expect(description).toBe(
			`Correct the fields that are named. The service said: ${said.replace(/([^.])$/, '$1.')}`,
		);
	});

	test.each<[unknown, string]>([
		[{ prompt: ['Too rude.', 'Too long.'] }, 'prompt: Too rude. / Too long.'],
		[[{ field: 'prompt', message: 'Too rude.' }], '{"field":"prompt","message":"Too rude."}'],
		[['Too rude.', 'Too long.'], 'Too rude. / Too long.'],
		['Too rude.', 'Too rude.'],
		[{ prompt: { min: 1 } }, 'prompt: {"min":1}'],
	])('details: %j', (details, said) => {
		const { message, description } = refusal(
			400,
			{ success: false, error: 'Invalid', details },
			'',
		);
		expect(message).toBe(`The service refused the request as malformed or incomplete: ${said}`);
		expect(description).toContain('The service said: Invalid');
	});

	test.each([
		{},
		{ success: false },
		{ error: '', details: [] },
		{ error: null, detail: '' },
		null,
	])('%j says nothing', (body) => {
		expect(refusal(500, body, '')).toMatchObject({
			message: 'The service had an internal error',
			description: 'It is not caused by your workflow. Try again later.',
		});
	});

	test('in one line, without controls, and not without end', () => {
		const evil = 'x\r\n\u001b[31m\u202e'.repeat(10_000);
		const list = Array.from({ length: 5000 }, () => evil);
		for (const body of [evil, list, { error: list }, { [evil]: evil }, { detail: { a: [evil] } }]) {
			const { message, description } = refusal(400, body, '');
			expect(`${message}${description}`).not.toMatch(/[\p{Cc}\u202e]/u);
			expect(`${message}${description}`).toMatch(/The service said: .*x.*\[31m/);
			expect(`${message}${description}`.length).toBeLessThan(1500);
		}
	});
});

test('a body that is not JSON is shown by its start', () => {
	const html = `<html>\n<h1>Bad Gateway</h1>${'x'.repeat(1000)}`;
	const { description } = refusal(502, undefined, html);
	expect(description).toContain('The answer starts: <html> <h1>Bad Gateway</h1>xxx');
	expect(description.length).toBeLessThan(400);
	expect(unreadable(200, '').description).toContain('(empty)');
});

test.each([
	['', true],
	[' \n', true],
	['<html>', false],
	['{"credits_used": NaN}', false],
])('a success with the body %j cannot be read', (body, isEmpty) => {
	const error = unreadable(201, body);
	expect(error).toMatchObject({ outcome: 'unknown', status: 201, isEmpty });
	expect(error.message).toBe('The service sent an answer that cannot be read');
	expect(error.description).toContain(
		`the address of the API, not of a web page. The answer starts: ${isEmpty ? '(empty)' : body}`,
	);
});

test.each([
	['timedOut', 'The service did not answer within 30 seconds'],
	['brokenOff', 'The connection to the service broke off before the answer'],
	['stopped', 'The execution was stopped before the service had answered'],
] as const)('no answer, %s', (cut, message) => {
	const error = noAnswer(cut, 30_000, 200);
	expect(error).toMatchObject({ message, outcome: 'unknown', status: 200 });
	expect(error.description).toContain('check the network');
});

test('a request that waited for its turn in vain was not sent', () => {
	expect(gaveUp()).toMatchObject({
		message: 'The request was given up before it was sent',
		description: expect.stringContaining('Nothing was charged for it.'),
		outcome: 'notSent',
	});
});

const wrapped = (code: string, syscall?: string) => ({
	name: 'NodeApiError',
	cause: Object.assign(new Error(), { code, syscall }),
});

test.each([
	['ECONNREFUSED', 'unreachable', 'the connection was refused'],
	['ENOTFOUND', 'unreachable', 'host name is not known'],
	['EAI_AGAIN', 'unreachable', 'could not be looked up'],
	['ECONNABORTED', 'unknown', 'did not answer within 30 seconds'],
	['ETIMEDOUT', 'unknown', 'did not answer within 30 seconds'],
	['ESOCKETTIMEDOUT', 'unknown', 'did not answer within 30 seconds'],
	['ECONNRESET', 'unknown', 'broke off'],
	['something new', 'unknown', 'broke off'],
])('%s', (code, outcome, message) => {
	const error = brokenConnection(wrapped(code), 30_000);
	expect(error.outcome).toBe(outcome);
	expect(error.message).toContain(message);
});

describe('connections that never carried a request', () => {
	test.each(['SsrfBlockedIpError', 'SsrfBlockedHostnameError'])('%s of n8n', (name) => {
		const error = brokenConnection({ name: 'NodeApiError', cause: { cause: { name } } }, 30_000);
		expect(error.outcome).toBe('unreachable');
		expect(error.message).toContain('N8N_SSRF_ALLOWED_HOSTNAMES');
		expect(error.description).toContain('Nothing was sent, nothing was charged.');
	});

	test.each([
		['CERT_HAS_EXPIRED', 'does not trust its certificate (CERT_HAS_EXPIRED)'],
		['DEPTH_ZERO_SELF_SIGNED_CERT', 'does not trust'],
		['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'does not trust'],
		['ERR_TLS_CERT_ALTNAME_INVALID', 'does not trust'],
		['EHOSTUNREACH', 'no way to its host'],
		['ENETUNREACH', 'no way to its host'],
	])('%s', (code, message) => {
		const error = brokenConnection(wrapped(code), 30_000);
		expect(error.outcome).toBe('unreachable');
		expect(error.message).toContain(message);
		expect(error.description).toContain('Nothing was sent, nothing was charged');
	});

	test.each(['ETIMEDOUT', 'EADDRNOTAVAIL', 'ECONNRESET', 'something new'])(
		'%s while connecting',
		(code) => {
			const error = brokenConnection(wrapped(code, 'connect'), 30_000);
			expect(error).toMatchObject({ outcome: 'unreachable' });
			expect(error.message).toBe(`The Base URL cannot be reached: ${code}`);
		},
	);

	test('are not the ones that broke while they were open, whatever the code is', () => {
		for (const code of ['EHOSTUNREACH', 'ENETUNREACH', 'ECONNREFUSED', 'EPIPE', 'EPROTO']) {
			for (const syscall of ['read', 'write']) {
				expect(brokenConnection(wrapped(code, syscall), 30_000).outcome).toBe('unknown');
			}
		}
	});

	test('https to a port that ends the connection', async () => {
		const server = createServer((socket) => socket.once('data', () => socket.end()));
		server.listen(0, '127.0.0.1');
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

test.each([undefined, null, 'text', 7])(
	'%p, thrown by whom ever, is a broken connection',
	(thrown) => {
		expect(brokenConnection(thrown, 30_000).outcome).toBe('unknown');
	},
);

test('a code that n8n has put into httpCode counts, and a number does not', () => {
	expect(brokenConnection({ httpCode: 'ENOTFOUND' }, 30_000).outcome).toBe('unreachable');
	expect(brokenConnection({ code: 7, httpCode: 500 }, 30_000).outcome).toBe('unknown');
});

test('an error that is its own cause is looked at once', () => {
	const error: { cause?: object } = {};
	error.cause = error;
	expect(brokenConnection(error, 30_000).outcome).toBe('unknown');
});

test('an error of our own that n8n has wrapped is found again', () => {
	const own = new ServiceError({ message: 'own', description: '', outcome: 'unreachable' });
	expect(brokenConnection({ cause: { cause: own } }, 1)).toBe(own);
});
