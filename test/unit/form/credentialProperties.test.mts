import { NodeHelpers, type INodeParameters, type INodePropertyOptions } from 'n8n-workflow';
import { CREDENTIAL } from '../../support/product.mts';
import { detailChoices } from '../../support/detailChoices.mts';

const { properties } = CREDENTIAL;

test('what most people need comes first, and nothing is hidden', () => {
	expect(properties.map(({ displayName }) => displayName)).toEqual([
		...['Base URL', 'API Key', 'Account', 'Header Form', 'Allow Plain HTTP'],
		...['Upload Files As', 'Service Details', 'Session ID', 'CSRF Token', 'Auth Token (Legacy)'],
	]);
	expect(properties.filter(({ required }) => required).map(({ name }) => name)).toEqual([
		'baseUrl',
		'apiKey',
	]);
	expect(
		properties.filter(({ displayOptions, type }) => displayOptions ?? type === 'hidden'),
	).toEqual([]);
});

/** One value for each setting, none of them the default. */
const ENTERED = Object.fromEntries(
	properties.map(({ name, type, options, default: byDefault }) => {
		if (type === 'boolean') return [name, !byDefault];
		if (type === 'options') return [name, (options!.at(-1) as INodePropertyOptions).value];
		const rows = detailChoices().map(({ value }) => ({ what: value, value: `of ${value}` }));
		return [name, type === 'fixedCollection' ? { rows } : `of ${name}`];
	}),
) as INodeParameters;

test('nothing that was entered is lost when the credential is saved', () => {
	// As n8n's editor calls it: without defaults.
	const saved = NodeHelpers.getNodeParameters(properties, ENTERED, false, false, null, null);
	// A row that says what the dropdown starts with is saved without saying so; it comes back when it is read.
	expect(NodeHelpers.getNodeParameters(properties, saved!, true, false, null, null)).toEqual(
		ENTERED,
	);
});

test('what is secret is shown as dots', () => {
	const secrets = properties.filter(({ typeOptions }) => typeOptions?.password);
	expect(secrets.map(({ name }) => name)).toEqual([
		...['apiKey', 'sessionToken', 'csrfToken', 'authToken'],
	]);
});
