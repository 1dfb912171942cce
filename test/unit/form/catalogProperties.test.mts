import { catalogProperties } from '../../../nodes/shared/form/catalogProperties.ts';
import { CATALOGS, VIDEO_CATALOG } from '../../../nodes/shared/spec/catalogs.ts';
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
		standardVideo: 'Start here: fully documented, from text or images, 120 to 300 credits',
		vidA31: 'First and last frame, 8 s, from text or images, 100 to 450 credits',
		vidB30:
			'Any length, several shots, from text or images, 3 to 15 s, with or without sound, 60 to 600 credits',
		vidB26:
			'Landscape, portrait or square, from text or images, 5 or 10 s, with or without sound, 45 to 220 credits',
		vidC: 'Landscape, portrait or square, 10 s, 1080p, from text or images, 70 to 80 credits',
		vidD: 'Short clips, lowest prices, from text or images, 4, 8 or 12 s, 480p or 720p, with or without sound, 8 to 84 credits',
		vidE26:
			'Also changes a video, from text, an image or a video, 5, 10 or 15 s, 720p or 1080p, 70 to 315 credits',
	});
});

/** By the document: paths that it does not show, and nothing else that serves. */
describe('what needs an address that the service does not document', () => {
	const NEEDS = "Needs an address from the service's support";
	const needy = (name: string, index: number) =>
		forms[index]!.filter((property) => property.name === name)
			.flatMap(({ options = [] }) => options)
			.flatMap((option) =>
				'value' in option && option.description?.endsWith(NEEDS) ? [option.value] : [],
			);

	test('says so in its description: a resource where all of it does', () => {
		const [image, video, music, account] = [0, 1, 2, 3].map((index) => needy('resource', index));
		expect({ image, account }).toEqual({ image: [], account: [] });
		expect(video).toEqual(['vidE']);
		expect(music).toEqual(['song', 'track', 'lyrics', 'artwork', 'voice', 'catalog']);
	});

	test('an operation where the others do not', () => {
		expect([0, 1, 2, 3].map((index) => needy('operation', index))).toEqual([
			[],
			['imageToVideo'],
			[],
			[],
		]);
	});

	test('is the last of the video families', () => {
		const [resources] = forms[1]!.filter(({ name }) => name === 'resource');
		const values = resources!.options!.map((option) => 'value' in option && option.value);
		expect(values.slice(-4)).toEqual(['videoStudio', 'vidE', 'job', 'model']);
	});

	const COST = { resource: 'vidC', operation: 'imageToVideo' };

	test.each([
		[1, COST, '>an address from the', 'Path: Family C Image to Video is set'],
		[2, { resource: 'catalog', operation: 'other' }, '>addresses', 'Status Path: Music are set'],
	])('has one line below its fields, with a link (%#)', (index, values, what, setting) => {
		const shown = visible(forms[index]!, { ...values, payloadMode: 'json', fieldsMode: 'json' });
		const names = shown.map(({ name }) => name);
		const at = names.indexOf('pathNotice');
		expect(names.lastIndexOf('pathNotice')).toBe(at);
		const text = shown[at]!.displayName;
		expect(text).toContain(what);
		expect(text).toContain(`${setting}).`);
		expect(text).toContain(
			'href="https://github.com/mediagen/n8n-nodes-mediagen/blob/HEAD/docs/credential.md#more-settings"',
		);
		expect(names.slice(at + 1)[0]).toBe('waitForCompletion');
	});
});
