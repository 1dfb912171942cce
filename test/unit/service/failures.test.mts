import { brokenConnection, refusal, unreadable } from '../../../nodes/shared/service/failures.ts';
import { ServiceError } from '../../../nodes/shared/service/serviceError.ts';

/** Statuses from the document (section "Errors"), and what a user reads. */
test.each([
	[400, 'refused', 'malformed or incomplete', 'Nothing was charged'],
	[401, 'refused', 'missing, invalid or revoked', 'valid key'],
	[402, 'refused', 'Not enough purchased credits', 'Welcome credits work on the website only'],
	[403, 'refused', 'denied access', 'may not do this'],
	[404, 'refused', 'does not know', 'Check the ID'],
	[429, 'refused', 'limit', '100 requests a minute and 5 generations'],
	[500, 'unknown', 'internal error', 'Try again later'],
	[502, 'unknown', 'answered with status 502', 'down for the moment'],
	[302, 'refused', 'redirected', 'not followed'],
	[418, 'refused', 'status 418', 'Base URL'],
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

const wrapped = (code: string) => ({
	name: 'NodeApiError',
	cause: Object.assign(new Error(), { code }),
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

test('an error of our own that n8n has wrapped is found again', () => {
	const own = new ServiceError({ message: 'own', description: '', outcome: 'unreachable' });
	expect(brokenConnection({ cause: { cause: own } }, 1)).toBe(own);
});
