import { catalogProperties } from '../../../nodes/shared/form/catalogProperties.ts';
import { validate } from '../../../nodes/shared/request/validate.ts';
import { ACCOUNT_CATALOG } from '../../../nodes/shared/spec/catalogs.ts';
import { panelOf } from '../../support/formPanel.mts';
import type { Operation } from '../../../nodes/shared/spec/types.ts';
import { inTableWords } from '../../support/tableWords.mts';

/** Literals from the document (section "Account and keys") on one side, the tables on the other. */

const operations: Record<string, Operation> = Object.fromEntries(
	ACCOUNT_CATALOG.operations.map((operation) => [
		`${operation.resource}.${operation.operation}`,
		operation,
	]),
);

test.each([
	['profile.get', 'GET', '/api/profile/', {}],
	[
		'profile.update',
		'PUT',
		'/api/profile/',
		{ enable_watermark: 'toggle', watermark_text: 'text' },
	],
	['credits.get', 'GET', '/payments/api/credits/', {}],
	['credits.transactions', 'GET', '/payments/api/transactions/', {}],
	['apiKey.create', 'POST', '/api/api-keys/', { name: 'text required' }],
	[
		'session.logIn',
		'POST',
		'/api/login/',
		{ username: 'text required', password: 'text required' },
	],
	[
		'session.register',
		'POST',
		'/api/register/',
		{ username: 'text required', email: 'text required', password: 'text required' },
	],
])('%s is %s %s', (name, method, path, fields) => {
	expect(operations[name]).toMatchObject({ method, path });
	expect(inTableWords(operations[name]?.fields ?? [])).toEqual(fields);
});

test('besides these there are the estimate and the check, which have no address', () => {
	expect(Object.keys(operations)).toHaveLength(9);
	expect(operations['price.estimate']).toMatchObject({ kind: 'estimate', path: '' });
	expect(operations['connection.check']).toMatchObject({ kind: 'check', path: '' });
});

test('the profile is updated with one field or both, not with none', () => {
	const update = operations['profile.update'] as Operation;
	expect(validate(update, { enable_watermark: false })).toEqual([]);
	expect(validate(update, { watermark_text: 'x' })).toEqual([]);
	expect(validate(update, {}).map(({ message }) => message)).toEqual([
		'Enable Watermark (enable_watermark) is required, unless you give Watermark Text',
	]);
});

test('the form of an update has its fields where only those that are added are sent', () => {
	const form = panelOf(ACCOUNT_CATALOG, operations['profile.update'] as Operation);
	expect(form.map(({ name }) => name)).toEqual([
		'toolDescription',
		'resource',
		'operation',
		'additionalFields',
	]);
	expect(form[3]?.options?.map(({ name }) => name)).toEqual(['enable_watermark', 'watermark_text']);
});

test.each(['session.logIn', 'session.register'])('%s says that it is disabled', (name) => {
	expect(operations[name]?.label).toContain('Disabled by the Service');
	expect(operations[name]?.description).toContain('disabled by the service');
});

test('a password is hidden in the form and in messages', () => {
	// One property, for signing in and for registering.
	const passwords = catalogProperties(ACCOUNT_CATALOG).filter(({ name }) => name === 'password');
	expect(passwords.map(({ typeOptions }) => typeOptions?.password)).toEqual([true]);
	const logIn = operations['session.logIn'] as Operation;
	expect(validate(logIn, { username: 'a', password: 123456 })).toEqual([
		{ field: 'password', message: 'Password (password) must be a text' },
	]);
});

test('the creation of a key says that it must be stored', () => {
	expect(operations['apiKey.create']?.fields[0]?.description).toContain('store it now');
});
