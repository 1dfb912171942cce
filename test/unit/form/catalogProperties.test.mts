import { catalogProperties } from '../../../nodes/shared/form/catalogProperties.ts';
import { ACCOUNT_CATALOG, CATALOGS, VIDEO_CATALOG } from '../../../nodes/shared/spec/catalogs.ts';
import { visible } from '../../support/formPanel.mts';

const forms = CATALOGS.map((catalog) => catalogProperties(catalog));

test('every dropdown has an entry and a default that is one', () => {
	// n8n does not start with a node whose dropdown of resources or operations is empty.
	const dropdowns = forms
		.flat()
		.filter(({ type, typeOptions }) => type === 'options' && !typeOptions);
	for (const { name, options = [], default: byDefault } of dropdowns) {
		const values = options.map((option) => ('value' in option ? option.value : undefined));
		expect({ name, isThere: values.includes(byDefault as string) }).toEqual({
			name,
			isThere: true,
		});
	}
});

test('no two properties of the same name show at the same time', () => {
	for (const form of forms) {
		const places = form.map(
			({ name, displayOptions }) => `${name} ${JSON.stringify(displayOptions)}`,
		);
		expect(places.filter((place, index) => places.indexOf(place) !== index)).toEqual([]);
	}
});

test('every operation has an action and a description for the list of nodes', () => {
	const operations = forms.flat().filter(({ name }) => name === 'operation');
	const entries = operations.flatMap(({ options = [] }) => options);
	expect(entries.length).toBeGreaterThan(50);
	expect(
		entries.filter((entry) => !('action' in entry && entry.action && entry.description)),
	).toEqual([]);
});

test('a resource says what it is, how long its results are, and what they cost', () => {
	const resources = catalogProperties(VIDEO_CATALOG).find(({ name }) => name === 'resource');
	const described = Object.fromEntries(
		(resources?.options ?? []).map((option) =>
			'value' in option ? [option.value, option.description] : [],
		),
	);
	expect(described).toMatchObject({
		vidA31: '8 s, first and last frame, 100 to 450 credits',
		vidB30: 'With or without sound, 3 to 15 s, 60 to 600 credits',
		vidB26: 'With or without sound, 5 or 10 s, 45 to 220 credits',
		vidD: 'With or without sound, 4, 8 or 12 s, 8 to 84 credits',
		vidE26: 'From text, images or a video, 5, 10 or 15 s, 70 to 315 credits',
	});
});

test('what the service has disabled is in the form, and in no list of actions', () => {
	// n8n's node search takes the operations whose condition names their resource as it stands.
	const form = catalogProperties(ACCOUNT_CATALOG);
	const isListed = (resource: string) =>
		form.some(
			({ name, displayOptions }) =>
				name === 'operation' && displayOptions?.show?.resource?.includes(resource),
		);
	const options = form.find(({ name }) => name === 'resource')?.options ?? [];
	const resources = options.flatMap((option) => ('value' in option ? [String(option.value)] : []));
	expect(resources).toContain('session');
	expect(resources.filter((resource) => !isListed(resource))).toEqual(['session']);
	const shown = visible(form, { resource: 'session' }).find(({ name }) => name === 'operation');
	expect(shown?.options).toMatchObject([{ value: 'logIn' }, { value: 'register' }]);
});
