import type { ICredentialTestRequest } from 'n8n-workflow';

import { CREDENTIAL_TEST } from '../../../nodes/shared/service/credentialTest.ts';

const rules = (CREDENTIAL_TEST.rules ?? []) as Array<
	NonNullable<ICredentialTestRequest['rules']>[number]
>;

const textOf = (status: number) =>
	rules.find(({ type, properties }) => type === 'responseCode' && properties.value === status)
		?.properties.message;

test.each([
	[301, 'Redirects are not followed'],
	[302, 'Check the Base URL'],
	[401, 'The API key is missing, invalid or revoked. Enter a valid key'],
	[402, 'Buy credits in the dashboard'],
	[403, 'may not read the credit balance'],
	[404, 'no Media Generation Service at the Base URL'],
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
