import type { INodeProperties } from 'n8n-workflow';

import {
	ACCOUNT_ENDPOINTS,
	IMAGE_CREATIONS,
	IMAGE_READS,
	MUSIC_OPERATIONS,
	NOT_SHOWN,
	VIDEO_CREATIONS,
	VIDEO_READS,
	type Field,
} from '../../document.mts';
import { detailChoices } from '../../support/detailChoices.mts';
import { isPriceNotice, priceInNotices } from '../../support/priceNotice.mts';
import { CREDENTIAL, nodeType, type ItemKind } from '../../support/product.mts';
import { fullRequest, priceCases, usable, type Values } from './cases.mts';
import { FREE_FIELDS, handedOver, noticesIn, placesOf, savedWith, shownWith } from './nodeForm.mts';
import { CREATIONS, READS } from './operations.mts';

/** Walk 1: the forms of the nodes have each field of the document, and say what it says. */

/** Values that a form starts with on purpose, in place of the document's. */
const OUR_DEFAULTS: Readonly<Record<string, unknown>> = {
	// Nobody publishes a prompt by accident.
	prompt_directory_optin: false,
};

/** Fields that a form requires although the document does not say so: nothing useful comes without them. */
const OUR_REQUIREMENTS = [
	...['image.prompt', 'unified image.prompt'],
	...['register.username', 'register.email', 'register.password'],
	...['log in.username', 'log in.password', 'create API key.name'],
	// Audio From says which of the two is given.
	...['music: stems.source', 'music: stems.upload', 'music: replace_section.upload'],
];

/** Filled in by the form itself, and so never missing. */
const isFilledIn = ({ type, default: start }: INodeProperties) =>
	type === 'options' || type === 'boolean' || (start !== '' && start !== null);

function optionsOf({ options = [] }: INodeProperties): unknown[] {
	return options.flatMap((option) => ('value' in option ? [option.value] : []));
}

/** What a property says, in the words of the document. */
function checkValues(field: Field, property: INodeProperties): void {
	const { type, values, shown, min, max, step, isWhole, maxLength, minItems, maxItems } = field;
	const { typeOptions = {}, description = '' } = property;
	if (type === 'choice' && values) expect(optionsOf(property)).toEqual(values);
	if (shown) {
		// A text that starts with what is shown, and says that there may be others.
		expect(property.type).toBe('string');
		expect([property.default]).toEqual(shown);
		expect(description).toContain(`documents ${shown[0]}, and may take others`);
	}
	if (type === 'toggle') expect(property.type).toBe('boolean');
	if (type === 'number') {
		expect(property.type).toBe('number');
		expect(typeOptions).toMatchObject({
			...(min === undefined ? {} : { minValue: min }),
			...(max === undefined ? {} : { maxValue: max }),
			...(step === undefined ? {} : { numberStepSize: step }),
			...(isWhole ? { numberPrecision: 0 } : {}),
		});
		expect(Object.keys(typeOptions)).not.toContain(max === undefined ? 'maxValue' : 'none');
	}
	if (maxLength !== undefined) expect(description).toContain(`t most ${maxLength} characters`);
	if (maxItems !== undefined) expect(description).toContain(`${minItems} to ${maxItems}`);
}

function checkRequired(row: string, field: Field, property: INodeProperties, fixed: Values): void {
	const { required, requiredWith, name } = field;
	const isRequired =
		required === true ||
		requiredWith !== undefined ||
		(typeof required === 'object' && isShownOnlyWith(required, property, fixed));
	if (OUR_REQUIREMENTS.includes(`${row}.${name}`)) expect(property.required).toBe(true);
	else if (isRequired) expect(property.required ?? isFilledIn(property)).toBe(true);
	else expect(property.required ?? false).toBe(false);
}

/** Whether the property is there only for requests that meet the condition. */
function isShownOnlyWith(condition: object, property: INodeProperties, fixed: Values): boolean {
	const shown = shownWith(property);
	return Object.entries(condition).every(
		([name, value]) => fixed[name] === value || [shown[name]].flat().join() === String(value),
	);
}

function check(row: string, field: Field, property: INodeProperties, fixed: Values = {}): void {
	checkValues(field, property);
	checkRequired(row, field, property, fixed);
	if (field.default === undefined) return;
	expect(property.default).toEqual(OUR_DEFAULTS[field.name] ?? field.default);
}

const FIELDS = CREATIONS.flatMap((creation) =>
	usable(creation).map((field) => ({ ...creation, field: field.name, it: field })),
);

test.each(FIELDS)('$name: $field', ({ row, field, it, fixed, ...creation }) => {
	const places = placesOf(creation, field);
	expect(places).not.toEqual([]);
	for (const { property } of places) check(row, it, property, fixed);
});

const PARAMETERS = READS.flatMap((read) =>
	read.fields.map((field) => ({ ...read, field: field.name, it: field })),
);

test.each(PARAMETERS)('$name: $field', ({ name, field, it, ...read }) => {
	const places = placesOf(read, field);
	expect(places).not.toEqual([]);
	for (const { property } of places) check(name, it, property);
});

describe('a saved node with all fields keeps them', () => {
	test.each(CREATIONS)('$name', (creation) => {
		const values = fullRequest(creation, { source: 'a job' });
		const { additionalFields, ...top } = handedOver(creation, savedWith(creation, values));
		const kept = { ...top, ...Object(additionalFields) };
		expect(Object.keys(values).filter((name) => !(name in kept))).toEqual([]);
	});
});

/** The operations whose fields the document does not show. */
const OPEN = CREATIONS.filter(({ fields }) => fields.length === 0).filter(
	({ kind }) => kind !== 'music',
);

test.each(OPEN)('$name: any fields, as JSON', (creation) => {
	expect(placesOf(creation, FREE_FIELDS).map(({ property }) => property.type)).toEqual(['json']);
});

test.each(CREATIONS)('$name: the file is downloaded if it is an image', (creation) => {
	const { resource, operation, kind, row } = creation;
	const { downloadMedia } = handedOver(creation, { resource, operation });
	expect(downloadMedia).toBe(kind === 'image' || row === 'music: cover_art');
});

const PRICED = CREATIONS.flatMap((creation) =>
	priceCases(creation).map((price) => ({ ...creation, price })),
);

const priceIn = (creation: (typeof CREATIONS)[number], values: Values) =>
	noticesIn(creation, savedWith(creation, values))
		.filter(isPriceNotice)
		.map(({ displayName }) => displayName);

describe('the price in the panel', () => {
	test.each(PRICED)('$name: $price.high for $price.values', ({ price, ...creation }) => {
		const { values, high: credits, exact } = price;
		const request = fullRequest(creation, { source: 'a job', ...values });
		const shown = priceIn(creation, request);
		const labelOf = (name: string) => placesOf(creation, name)[0]?.property.displayName ?? name;
		const on = Object.keys(request).filter((name) => request[name] === true);
		const seconds = Number(request.durationSeconds ?? 1);
		expect(priceInNotices(shown, on.map(labelOf), seconds)).toBe(credits);
		// Where it may be less, the line says why.
		if (!exact) expect(shown[0]).toContain('; less ');
	});

	test.each(CREATIONS.filter(({ prices }) => prices.length === 0))(
		'$name: not documented',
		(creation) => {
			const shown = priceIn(creation, fullRequest(creation));
			expect(shown).toEqual([expect.stringContaining('not document')]);
		},
	);
});

/** The transcription has as many rows as were counted in the document, and the product has them all. */

const CREATION_ROWS = [...IMAGE_CREATIONS, ...VIDEO_CREATIONS];

const MUSIC_ROWS = MUSIC_OPERATIONS.map((row) => ({ ...row, name: row.id }));

test('every row is an operation of a node', () => {
	expect(new Set(CREATIONS.map(({ row }) => row))).toEqual(
		new Set([
			...CREATION_ROWS.map(({ name }) => name),
			...MUSIC_ROWS.map(({ id }) => `music: ${id}`),
		]),
	);
	expect(READS.map(({ name }) => name)).toEqual(
		[...ACCOUNT_ENDPOINTS, ...IMAGE_READS, ...VIDEO_READS].map(({ name }) => name),
	);
});

test('each setting for what is not shown is in the credential', () => {
	const properties = new Set([
		...CREDENTIAL.properties.map(({ name }) => name),
		...detailChoices().map(({ value }) => value),
	]);
	const settings = [
		...NOT_SHOWN.flatMap(({ settings: names = [] }) => names),
		...CREATIONS.flatMap(({ pathSetting }) => pathSetting ?? []),
	];
	expect(settings.filter((name) => !properties.has(name))).toEqual([]);
});

/** The collection *Options*: what a person can add, and what that does at once. */

/** By name, what the form begins with when it is added. */
const OPTIONS = {
	binaryPropertyName: 'data',
	continueExecution: '',
	estimateOnly: true,
	maxConcurrentJobs: 1,
	maxCredits: 100,
	outputByStatus: true,
	resultField: '',
	simplify: true,
	timeout: 1800,
	waitMode: 'durable',
};

const collectionsOf = (kind: ItemKind) =>
	nodeType(kind).description.properties.filter(({ name }) => name === 'options');

test.each(['image', 'video', 'music'] as const)(
	'%s: these and no others, and each does at once what its name says',
	(kind) => {
		const added = collectionsOf(kind)
			.flatMap(({ options = [] }) => options as INodeProperties[])
			.map((option) => [option.name, option.default] as const);
		expect(Object.fromEntries(added)).toEqual(OPTIONS);
	},
);
