import { NodeHelpers, type INodeParameters, type INodeProperties } from 'n8n-workflow';
import { CREDENTIAL } from '../../support/product.mts';

const { properties } = CREDENTIAL;

/** What the editor shows, by label, for the values that are in the form. */
const shown = (values: INodeParameters): INodeProperties[] =>
	properties.filter(
		(property) =>
			property.type !== 'hidden' && NodeHelpers.displayParameter(values, property, null, null),
	);

const labels = (shownProperties: INodeProperties[]) =>
	shownProperties.filter(({ type }) => type !== 'notice').map(({ displayName }) => displayName);

const CLOSED = { moreSettings: false };
const OPEN = { moreSettings: true };

test('the credential asks for two things, and has one switch', () => {
	expect(labels(shown(CLOSED))).toEqual(['Base URL', 'API Key', 'More Settings']);
});

test('the switch shows the rest under headings, what most may need first', () => {
	const rest = shown(OPEN).slice(3);
	const headings = rest.filter(({ type }) => type === 'notice');
	expect(headings.map(({ displayName }) => displayName.split(':')[0])).toEqual([
		'Connection',
		'Paths',
		'Files and Fields',
		'Creating API Keys',
	]);
	expect(rest[0]).toBe(headings[0]);
	expect(labels(rest).slice(0, 3)).toEqual(['Account', 'Header Form', 'Allow Plain HTTP']);
	expect(labels(rest).slice(-3)).toEqual(['Session ID', 'CSRF Token', 'Auth Token (Legacy)']);
	expect(labels(rest)).toEqual(expect.arrayContaining(['Upload Files As']));
});

/** One value for each setting, none of them the default. */
const ENTERED: INodeParameters = Object.fromEntries(
	shown(OPEN)
		.filter(({ type, name }) => type !== 'notice' && name !== 'moreSettings')
		.map(({ name, type, options, default: byDefault }) => [
			name,
			type === 'boolean'
				? !byDefault
				: type === 'options'
					? (options!.at(-1) as { value: string }).value
					: `of ${name}`,
		]),
);

describe.each([
	['on', true],
	['off', false],
])('with the switch %s', (_, moreSettings) => {
	const values = { ...ENTERED, ...(moreSettings ? OPEN : {}) };

	test('nothing that was entered is lost when the credential is saved', () => {
		// As n8n's editor calls it: without defaults, without what is not displayed.
		const saved = NodeHelpers.getNodeParameters(properties, values, false, false, null, null);
		expect(saved).toEqual(values);
	});

	test('and all of it counts when a node reads it', () => {
		// As n8n's server calls it: with defaults, without what is not displayed.
		const read = NodeHelpers.getNodeParameters(properties, values, true, false, null, null);
		expect(read).toMatchObject({ ...ENTERED, moreSettings });
	});
});

test('what is secret stays so in either place', () => {
	const secrets = properties.filter(({ typeOptions }) => typeOptions?.password);
	const places = (name: string) => secrets.filter((secret) => secret.name === name).length;
	expect(places('apiKey')).toBe(1);
	for (const name of ['sessionToken', 'csrfToken', 'authToken']) expect(places(name)).toBe(2);
});

/** Section "Authentication", items 2 and 4. */
describe('what one has to know of a key', () => {
	test('it must not be in client-side code', () => {
		const key = properties.find(({ name }) => name === 'apiKey');
		expect(key?.description).toContain('never put it into code that runs in a browser or an app');
	});

	test('a legacy auth token is sent with the form Token', () => {
		const forms = shown(OPEN).find(({ name }) => name === 'headerForm')?.options ?? [];
		const told = forms.flatMap((form) =>
			'value' in form && form.description?.includes('legacy auth token') ? [form.value] : [],
		);
		expect(told).toEqual(['token']);
	});
});
