import type { ICredentialTestRequest } from 'n8n-workflow';

import { CREDENTIAL } from '../../support/product.mts';

const rules = (CREDENTIAL.test.rules ?? []) as Array<
	NonNullable<ICredentialTestRequest['rules']>[number]
>;

const textOf = (status: number) =>
	rules.find(({ type, properties }) => type === 'responseCode' && properties.value === status)
		?.properties.message;

test('it reads the credit balance', () => {
	expect(CREDENTIAL.test.request).toEqual({
		baseURL: '={{ $credentials.baseUrl }}',
		url: '/payments/api/credits/',
	});
});

test('every status of the document, of a redirect and of a proxy is told, once', () => {
	const told = rules.flatMap(({ type, properties }) =>
		type === 'responseCode' ? [properties.value] : [],
	);
	expect(told.sort()).toEqual([
		...[301, 302, 303, 307, 308],
		...[400, 401, 402, 403, 404, 405, 406, 407, 410, 421, 429],
		...[500, 502, 503, 504],
	]);
});

test.each([
	[302, 'check the Base URL'],
	[400, 'malformed or incomplete. Correct the fields'],
	[401, 'The API key is missing, invalid or revoked. Enter a valid key'],
	[402, 'Not enough purchased credits. Buy credits in the dashboard'],
	[403, 'The service denied access. The key is known'],
	[404, 'the Base URL of the credential'],
	[429, '100 requests a minute'],
	[500, 'Try again later'],
	[503, 'Try again later'],
])('status %i says what is wrong and what to do', (status, text) => {
	expect(textOf(status)).toContain(text);
});

test('a 200 without credits_balance is that of another site', () => {
	expect(rules.find(({ type }) => type === 'responseSuccessBody')?.properties).toMatchObject({
		key: 'credits_balance',
		value: undefined,
		message: expect.stringContaining('is not the Media Generation Service'),
	});
});
