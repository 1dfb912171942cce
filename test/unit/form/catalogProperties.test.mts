import { catalogProperties } from '../../../nodes/shared/form/catalogProperties.ts';
import { CATALOGS } from '../../../nodes/shared/spec/catalogs.ts';

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

test('a price stands in the line of the price, and nowhere else', () => {
	const texts = forms
		.flat()
		.filter(({ name }) => name !== 'price' && name !== 'toolDescription')
		.filter((property) => /\d credits?\b/.test(JSON.stringify(property)));
	expect(texts.map(({ name }) => name)).toEqual([]);
});

test('the family that needs an address is the last of the video families', () => {
	const [resources] = forms[1]!.filter(({ name }) => name === 'resource');
	const values = resources!.options!.map((option) => 'value' in option && option.value);
	expect(values.slice(-4)).toEqual(['videoStudio', 'vidE', 'job', 'model']);
});
