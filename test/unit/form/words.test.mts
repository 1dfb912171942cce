import type { INodeProperties } from 'n8n-workflow';

import { catalogProperties } from '../../../nodes/shared/form/catalogProperties.ts';
import {
	ACCOUNT_CATALOG,
	IMAGE_CATALOG,
	MUSIC_CATALOG,
	VIDEO_CATALOG,
} from '../../../nodes/shared/spec/catalogs.ts';
import type { Catalog, Field, Operation } from '../../../nodes/shared/spec/operation.ts';
import {
	AN_EXPRESSION,
	combinations,
	nested,
	panelOf,
	valuesOf,
	visible,
} from '../../support/formPanel.mts';
import { sampled } from '../../support/sampled.mts';

/** What every panel has, over all tables: words, lengths, and no more at a time than one can read. */

const NODES: Array<[node: string, catalog: Catalog]> = [
	['Image', IMAGE_CATALOG],
	['Video', VIDEO_CATALOG],
	['Music', MUSIC_CATALOG],
	['Account', ACCOUNT_CATALOG],
];

type Case = [name: string, catalog: Catalog, operation: Operation];

const OPERATIONS = NODES.flatMap(([node, catalog]) =>
	catalog.operations.map(
		(operation): Case => [
			`${node}: ${operation.resource}.${operation.operation}`,
			catalog,
			operation,
		],
	),
);

const fieldsOf = ({ fields, controls = [] }: Operation) => [...controls, ...fields];

test('there is something to test', () => {
	expect(OPERATIONS.length).toBeGreaterThan(50);
});

describe('every field', () => {
	const TEXTS = ['text', 'textarea', 'url', 'urlList', 'upload', 'source'];

	const lacks = ({ type, label, placeholder, description, options = [] }: Field) => [
		...(label.trim() ? [] : ['label']),
		...(description?.trim() ? [] : ['description']),
		...(TEXTS.includes(type) && !placeholder?.trim() ? ['placeholder'] : []),
		...(type === 'select' && options.length === 0 ? ['options'] : []),
	];

	test.each(OPERATIONS)('%s: has words', (_, __, operation) => {
		const lacking = fieldsOf(operation).map((field) => [field.name, ...lacks(field)]);
		expect(lacking.filter(({ length }) => length > 1)).toEqual([]);
	});

	test('a placeholder is an example, and starts like one', () => {
		const all = NODES.flatMap(([, catalog]) => catalogProperties(catalog).flatMap(withNested));
		const placeholders = all
			.filter(({ type }) => type === 'string' || type === 'number')
			.flatMap(({ placeholder }) => placeholder ?? []);
		expect(placeholders.length).toBeGreaterThan(50);
		const others = placeholders.filter((text) => !/^e\.g\. \S/.test(text));
		// A path is an example by itself.
		expect([...new Set(others)].filter((text) => text !== 'result.url')).toEqual([]);
	});
});

function withNested(property: INodeProperties): INodeProperties[] {
	return [property, ...nested(property).flatMap(withNested)];
}

/** Texts below a property: its own, and those of the entries of a dropdown. */
function texts({ name, description, hint, options = [] }: INodeProperties): Text[] {
	const entries = options.flatMap((option) =>
		'value' in option ? [{ name: `${name}: ${option.name}`, text: option.description ?? '' }] : [],
	);
	return [{ name, text: description ?? '' }, { name, text: hint ?? '' }, ...entries].filter(
		({ text }) => text !== '',
	);
}

interface Text {
	name: string;
	text: string;
}

const sentences = (text: string) =>
	text
		.replace(/<[^>]*>/g, '')
		.replace(/\be\.g\.\s/g, '')
		.split(/[.!?](?:\s+|$)/)
		.filter((sentence) => sentence.trim() !== '');

describe.each(NODES)('texts of MediaGen %s', (_, catalog) => {
	const properties = catalogProperties(catalog).flatMap(withNested);
	const descriptions = properties.flatMap(texts);
	const notices = properties
		.filter(({ type }) => type === 'notice')
		.map(({ name, displayName }) => ({ name, text: displayName }));
	const all = [
		...descriptions,
		...notices,
		...properties.map(({ name, displayName }) => ({ name, text: displayName })),
		...catalog.operations.map(({ operation, action }) => ({ name: operation, text: action })),
		...catalog.resources.map(({ value, description = '' }) => ({ name: value, text: description })),
	];
	const unique = (found: Text[]) => [...new Set(found.map(({ name, text }) => `${name}: ${text}`))];

	test('are at most 160 characters', () => {
		expect(unique(descriptions.filter(({ text }) => text.length > 160))).toEqual([]);
	});

	test('are at most two sentences', () => {
		expect(unique(descriptions.filter(({ text }) => sentences(text).length > 2))).toEqual([]);
	});

	test('notices are at most three short sentences', () => {
		expect(unique(notices.filter(({ text }) => sentences(text).length > 3))).toEqual([]);
	});

	test('begin with a capital after a full stop', () => {
		expect(unique(descriptions.filter(({ text }) => /^[a-z]|\. [a-z]/.test(text)))).toEqual([]);
	});

	test.each([/sent as it stands/i, /\blooks\b/i, /\btold\b/i])('do not say %s', (words) => {
		expect(unique(all.filter(({ text }) => words.test(text)))).toEqual([]);
	});

	test('say credit and credits by number', () => {
		const wrong = /(?<![\d.,])1 credits\b|(?<![\d.,])(?!1 )\d+ credit\b/;
		expect(wrong.test('1 credits') && wrong.test('8 credit') && wrong.test('21 credit')).toBe(true);
		expect(wrong.test('1 credit') || wrong.test('11 credits') || wrong.test('0 credits')).toBe(
			false,
		);
		expect(unique(all.filter(({ text }) => wrong.test(text)))).toEqual([]);
	});

	test('actions are short enough for a name on the canvas, and no two are the same', () => {
		const actions = catalog.operations.map(({ action }) => action);
		// Two lines.
		expect(actions.filter((action) => action.length > 46)).toEqual([]);
		expect(actions.filter((action) => !/^[A-Z][a-z]+ [^A-Z]/.test(action))).toEqual([]);
		expect(actions.filter((action, index) => actions.indexOf(action) !== index)).toEqual([]);
	});
});

const PANELS = OPERATIONS.map(([name, catalog, operation]) => ({
	name,
	operation,
	panel: panelOf(catalog, operation),
}));

/** Names of the parameters on which the properties of a panel depend. */
function deciders(panel: readonly INodeProperties[]): string[] {
	const conditions = panel.flatMap(({ displayOptions = {} }) =>
		Object.keys({ ...displayOptions.show, ...displayOptions.hide }),
	);
	const names = conditions.map((name) => name.replace(/^\//, ''));
	const chosen = ['resource', 'operation', '@tool'];
	return [...new Set(names)].filter((name) => !chosen.includes(name));
}

/** What a panel holds at first. */
function starting(panel: readonly INodeProperties[], { resource, operation }: Operation) {
	const starts = panel.map(({ name, default: start }) => [name, start] as const);
	// Of several properties of one name the first is the dropdown; the others are its text for a tool.
	return { ...Object.fromEntries(starts.reverse()), resource, operation };
}

/** The values of the deciding parameters that a person can choose, in every combination. */
function choices(panel: readonly INodeProperties[], more: readonly unknown[] = []) {
	const lists = deciders(panel).flatMap((name) => {
		const property = panel.find((candidate) => candidate.name === name);
		if (!property) return [];
		// Of the numbers both ends, and what is no number of the form.
		const values = valuesOf(property);
		const few = property.type === 'number' ? [values[0], values.at(-1)] : values;
		return [[name, [...few, ...more]] as const];
	});
	return sampled(combinations(Object.fromEntries(lists)), 40);
}

describe('what shows at the same time', () => {
	test.each(PANELS)('$name: at most eight fields of the service', (of) => {
		const { operation, panel } = of;
		const start = starting(panel, operation);
		const tooMany = choices(panel).filter((chosen) => {
			const names = visible(panel, { ...start, ...chosen }).map(({ name }) => name);
			const fields = operation.fields.filter(({ name }) => names.includes(name));
			return fields.length > 8;
		});
		expect(tooMany).toEqual([]);
	});

	const twice = (shown: readonly INodeProperties[]) =>
		shown.map(({ name }) => name).filter((name, index, names) => names.indexOf(name) !== index);

	describe.each([
		['node', false],
		['tool', true],
	])('of a %s', (_kind, asTool) => {
		test.each(PANELS)('$name: no two of one name, expressions or not', (of) => {
			const { operation, panel } = of;
			const start = starting(panel, operation);
			const found = choices(panel, [AN_EXPRESSION]).flatMap((chosen) =>
				twice(visible(panel, { ...start, ...chosen }, { asTool })),
			);
			expect([...new Set(found)]).toEqual([]);
		});
	});

	test.each(OPERATIONS)('%s: nor in a collection', (_, catalog, operation) => {
		const names = panelOf(catalog, operation).map((collection) => [
			collection.name,
			...twice(nested(collection)),
		]);
		expect(names.filter(({ length }) => length > 1)).toEqual([]);
	});
});

test.each(OPERATIONS)(
	'%s: what can be added is in the order of its names',
	(_, catalog, operation) => {
		for (const collection of panelOf(catalog, operation)) {
			const labels = nested(collection).map(({ displayName }) => displayName);
			if (collection.type === 'collection')
				expect(labels).toEqual([...labels].sort((one, other) => one.localeCompare(other)));
		}
	},
);

describe('what a useful request needs', () => {
	/** Required with a default, in a form that is full without it. */
	const WITH_A_DEFAULT = ['song.replace_section: model'];
	/** Sends nothing but what is added. */
	const ADDED_ALONE = ['profile.update: enable_watermark', 'profile.update: watermark_text'];

	const needed = ({ fields, rules = [] }: Operation) => {
		const either = rules.flatMap((rule) => (rule.kind === 'oneOf' ? rule.fields : []));
		return fields.filter(
			({ name, presence, requiredWhen }) =>
				presence === 'required' || requiredWhen !== undefined || either.includes(name),
		);
	};

	test('is up front', () => {
		const hidden = OPERATIONS.flatMap(([, catalog, operation]) => {
			const { resource, operation: name, fixed = {} } = operation;
			const upFront = panelOf(catalog, operation).map((property) => property.name);
			return needed(operation)
				.filter(({ requiredWhen = {} }) =>
					Object.entries(requiredWhen).every(
						([other, values]) => !(other in fixed) || values.includes(fixed[other]!),
					),
				)
				.filter((field) => !upFront.includes(field.name))
				.map((field) => `${resource}.${name}: ${field.name}`);
		});
		expect([...new Set(hidden)].sort()).toEqual([...ADDED_ALONE, ...WITH_A_DEFAULT].sort());
	});

	test('is marked as required where nothing else will do', () => {
		const unmarked = OPERATIONS.flatMap(([, catalog, operation]) => {
			const panel = panelOf(catalog, operation);
			return operation.fields
				.filter(({ presence, type }) => presence === 'required' && type !== 'fields')
				.flatMap(({ name }) => panel.filter((property) => property.name === name))
				.filter(({ required }) => !required)
				.map(({ name }) => `${operation.operation}: ${name}`);
		});
		expect(unmarked).toEqual([]);
	});
});
