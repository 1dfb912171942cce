import { Workflow, type IDataObject, type INodeProperties, type INodeTypes } from 'n8n-workflow';

import { subtitleOf } from '../../../nodes/shared/form/expressions.ts';
import { priceNotices } from '../../../nodes/shared/form/notices.ts';
import { readPlanned } from '../../../nodes/shared/request/readValues.ts';
import {
	ACCOUNT_CATALOG,
	CATALOGS,
	IMAGE_CATALOG,
	MUSIC_CATALOG,
	VIDEO_CATALOG,
} from '../../../nodes/shared/spec/catalogs.ts';
import { priceOf, type PriceEstimate } from '../../../nodes/shared/spec/price.ts';
import type { Catalog, CreateOperation } from '../../../nodes/shared/spec/types.ts';
import {
	AN_EXPRESSION,
	combinations,
	nested,
	panelOf,
	valuesOf,
	visible,
} from '../../support/formPanel.mts';
import { operationNamed } from '../../support/operations.mts';
import { isPriceNotice } from '../../support/priceNotice.mts';
import { nodeType } from '../../support/product.mts';

/** What a job costs, by the panel, the canvas and Price > Estimate: one price in all of them. */

/** Fields that decide the price, by the document; the other jobs have one price, or none is shown. */
const DECIDING: Record<string, string[]> = {
	'standardVideo.generate': ['video_model', 'aspect_ratio', 'prompt_directory_optin'],
	'vidA31.generate': ['model', 'enableFallback'],
	'vidB30.generate': ['durationSeconds', 'qualityMode', 'sound', 'prompt_directory_optin'],
	'vidB26.textToVideo': ['duration', 'sound', 'prompt_directory_optin'],
	'vidB26.imageToVideo': ['duration', 'sound', 'prompt_directory_optin'],
	'vidC.textToVideo': ['prompt_directory_optin'],
	'vidD.generate': ['resolution', 'duration', 'generate_audio', 'prompt_directory_optin'],
	'vidE26.textToVideo': ['duration', 'resolution'],
	'vidE26.imageToVideo': ['duration', 'resolution'],
	'vidE26.videoToVideo': ['duration', 'resolution'],
	'track.stems': ['separation_type'],
};

/** The only one that is not at top level. */
const ADDED = ['enableFallback'];

/** The value of Family B 3.0 by which the price is multiplied. */
const UNIT = 'durationSeconds';

/** They change whether the price is known, and not the most that it can be. */
const FOR_DOUBT = ['vidB30.generate.qualityMode', 'vidB30.generate.prompt_directory_optin'];

interface Creation {
	name: string;
	catalog: Catalog;
	operation: CreateOperation;
	panel: INodeProperties[];
	fields: string[];
}

const CREATIONS = CATALOGS.flatMap((catalog) =>
	catalog.operations.flatMap((operation): Creation[] => {
		if (operation.kind !== 'create') return [];
		const name = `${operation.resource}.${operation.operation}`;
		const panel = panelOf(catalog, operation);
		return [{ name, catalog, operation, panel, fields: DECIDING[name] ?? [] }];
	}),
);

test('every creation is here', () => {
	expect(CREATIONS).toHaveLength(39);
	const names = CREATIONS.map(({ name }) => name);
	expect(names).toEqual(expect.arrayContaining(Object.keys(DECIDING)));
});

/** What the form can hold for the deciding fields, in every combination. */
function everyForm({ panel, fields }: Creation, more: readonly unknown[] = []) {
	const all = [
		...panel,
		...panel.filter(({ name }) => name === 'additionalFields').flatMap(nested),
	];
	const lists = fields.map((name) => {
		const property = all.find((candidate) => candidate.name === name)!;
		const unset = ADDED.includes(name) ? [undefined] : [];
		return [name, [...unset, ...valuesOf(property), ...more]] as const;
	});
	return combinations(Object.fromEntries(lists));
}

/** The parameters of the node with these values. */
function parameters({ operation }: Creation, values: Record<string, unknown>): IDataObject {
	const entries = Object.entries(values).filter(([, value]) => value !== undefined);
	const added = entries.filter(([name]) => ADDED.includes(name));
	return {
		resource: operation.resource,
		operation: operation.operation,
		additionalFields: Object.fromEntries(added),
		...Object.fromEntries(entries.filter(([name]) => !ADDED.includes(name))),
	} as IDataObject;
}

/** The parameters of Price > Estimate for the same job. */
function planned({ name }: Creation, values: Record<string, unknown>): IDataObject {
	const switches = ADDED.filter((field) => field in values).map((field) => [
		field,
		values[field] ?? false,
	]);
	return {
		resource: 'price',
		operation: 'estimate',
		plannedOperation: name,
		...values,
		...Object.fromEntries(switches),
	} as IDataObject;
}

/** What the service charges for such a request; "Other" stands for any text. */
function charged({ operation }: Creation, values: Record<string, unknown>): PriceEstimate {
	const sent = Object.entries(values)
		.filter(([, value]) => value !== undefined)
		.map(([name, value]) => [name, value === '__other__' ? 'another value' : value]);
	return priceOf(operation, { ...operation.fixed, ...Object.fromEntries(sent) });
}

const noticesIn = (panel: INodeProperties[], values: IDataObject) =>
	visible(panel, values)
		.filter((property) => property.type === 'notice' && isPriceNotice(property))
		.map(({ displayName }) => displayName);

const inCredits = (credits: number) => (credits === 1 ? '1 credit' : `${credits} credits`);

/** What the panel says of the price of a form: one amount, and where that is the most, why. */
function said(creation: Creation, values: Record<string, unknown>): string[] {
	const { credits, exact, reason } = charged(creation, values);
	if (credits === null) return ['The service does not document the price of this job.'];
	if (credits === 0) return ['This job is free.'];
	const amount = `This job costs ${inCredits(credits)}.`;
	return exact ? [amount] : [amount, `It may cost less. ${reason}.`];
}

/** What the canvas says of it, behind the action. */
function saidInShort({ credits, exact }: PriceEstimate): string {
	if (credits === null) return 'price unknown';
	if (credits === 0) return 'free';
	return `${exact ? '' : 'at most '}${inCredits(credits)}`;
}

/** Less than the panel says for any form: 3 s of the standard tier, where a typed quality names that. */
const LOWER: Record<string, number> = { 'vidB30.generate': 60 };

const inside = (expression: string) => expression.slice('={{'.length, -'}}'.length);

const readers = new Map(
	CATALOGS.map((catalog) => [
		catalog,
		new Function('$rawParameter', `return ${inside(subtitleOf(catalog))}`) as (
			raw: IDataObject,
		) => string,
	]),
);

const subtitle = (catalog: Catalog, raw: IDataObject) => readers.get(catalog)!(raw);

describe.each(CREATIONS)('$name', (creation) => {
	const { catalog, operation, panel, fields } = creation;
	const all = everyForm(creation);

	test('the panel shows one price, the one that is charged', () => {
		const shown = all.map((values) => noticesIn(panel, parameters(creation, values)));
		expect(shown).toEqual(all.map((values) => said(creation, values)));
	});

	test('the subtitle ends with it', () => {
		const prices = all.map((values) =>
			subtitle(catalog, parameters(creation, values)).replace(/^.* · /, ''),
		);
		expect(prices).toEqual(all.map((values) => saidInShort(charged(creation, values))));
	});

	test('Price > Estimate has the fields that decide it, and gives it', () => {
		const estimatePanel = panelOf(ACCOUNT_CATALOG, operationNamed('price.estimate'));
		const shown = all.map((values) =>
			visible(estimatePanel, planned(creation, values)).map((property) => property.name),
		);
		const others = ({ qualityMode }: Record<string, unknown>) =>
			qualityMode === '__other__' ? ['qualityModeOther'] : [];
		const names = new Set(shown.map((own) => [...own].sort().join()));
		const expected = all.map((values) =>
			['resource', 'operation', 'plannedOperation', ...fields, ...others(values)].sort().join(),
		);
		expect(names).toEqual(new Set(expected));
		for (const values of all) {
			const form = planned(creation, values);
			const other = { qualityModeOther: 'another value', aspectRatioOther: 'another value' };
			const given = readPlanned(operation, (name) => ({ ...form, ...other })[name]);
			expect(given.problems).toEqual([]);
			expect(priceOf(given.planned, given.values)).toEqual(charged(creation, values));
		}
	});

	const credits = all.flatMap((values) => charged(creation, values).credits ?? []);
	const [low, high] = [
		Math.min(...credits, LOWER[creation.name] ?? Infinity),
		Math.max(...credits),
	];
	const withExpressions = everyForm(creation, [AN_EXPRESSION]).filter((values) =>
		Object.values(values).includes(AN_EXPRESSION),
	);

	if (fields.length > 0) {
		const amounts = fields.filter((name) => !FOR_DOUBT.includes(`${creation.name}.${name}`));
		const isExpression = (values: Record<string, unknown>) => (name: string) =>
			values[name] === AN_EXPRESSION;

		test('an expression gives the range in the panel', () => {
			const rated = amounts.filter((name) => name !== UNIT);
			const forms = withExpressions.filter((values) => rated.some(isExpression(values)));
			const range = new RegExp(
				`^This job costs ${low} to ${high} credits, depending on [\\w() ]+\\.$`,
			);
			const shown = forms.map((values) => noticesIn(panel, parameters(creation, values)));
			expect(shown.filter(([amount = '']) => !range.test(amount))).toEqual([]);
			const doubts = shown.flatMap(([, ...more]) => more);
			expect(doubts.filter((text) => !text.startsWith('It may cost less'))).toEqual([]);
		});

		test('and in the subtitle', () => {
			const ends = withExpressions.map((values) =>
				subtitle(catalog, parameters(creation, values)).replace(/^.* · /, ''),
			);
			expect([...new Set(ends)]).toEqual([`${low}–${high} credits`]);
		});
	}
});

describe('Family B 3.0', () => {
	const creation = CREATIONS.find(({ name }) => name === 'vidB30.generate')!;
	const pro = { qualityMode: 'pro', sound: true, prompt_directory_optin: false };
	const notices = (values: Record<string, unknown>) =>
		noticesIn(creation.panel, parameters(creation, values));

	test('has the price of a second where the seconds are an expression', () => {
		expect(notices({ ...pro, [UNIT]: AN_EXPRESSION })).toEqual([
			'This job costs 40 credits a second.',
		]);
	});

	test('says of an expression that it may make the job cheaper', () => {
		const values = { ...pro, [UNIT]: 10 };
		const cheaper = (label: string) => [
			'This job costs 400 credits.',
			`It may cost less, depending on ${label}.`,
		];
		expect(notices({ ...values, prompt_directory_optin: AN_EXPRESSION })).toEqual(
			cheaper('Publish in Prompt Directory'),
		);
		expect(notices({ ...values, qualityMode: AN_EXPRESSION })).toEqual(cheaper('Quality'));
	});
});

describe('while Estimate Only is on, nothing is paid', () => {
	const estimated = (creation: Creation, estimateOnly: unknown) => ({
		...parameters(creation, everyForm(creation)[0]!),
		options: { estimateOnly } as IDataObject,
	});

	test.each(CREATIONS)('$name', (creation) => {
		const { catalog, panel, operation } = creation;
		const on = estimated(creation, true);
		expect(noticesIn(panel, on)).toEqual(
			operation.price.shown ? [] : ['The service does not document the price of this job.'],
		);
		expect(subtitle(catalog, on)).toMatch(/^[^·]+ · estimate only$/);
	});

	test.each([false, AN_EXPRESSION])('not while it is %j', (value) => {
		for (const creation of CREATIONS) {
			const { catalog, panel } = creation;
			const off = estimated(creation, value);
			expect(noticesIn(panel, off)).not.toEqual([]);
			expect(subtitle(catalog, off)).not.toContain('estimate');
		}
	});
});

test('no price of a panel names a field that is not in it', () => {
	const texts = CREATIONS.flatMap(({ operation }) =>
		priceNotices(operation).map(({ displayName }) => displayName),
	);
	expect(texts.filter((text) => / with /.test(text))).toEqual([]);
});

test('what only a switch makes cost something is not called free while that is on', () => {
	const creation = CREATIONS.find(({ name }) => name === 'vidA31.generate')!;
	const surcharges = [{ when: { enableFallback: [true] }, credits: 200 }];
	const price = { shown: true, rates: [{ credits: 0 }], surcharges } as const;
	const made: Creation = {
		...creation,
		panel: priceNotices({ ...creation.operation, price }),
	};
	const shown = (values: Record<string, unknown>) =>
		noticesIn(made.panel, parameters(made, values));
	expect(shown({})).toEqual(['This job is free.']);
	expect(shown({ enableFallback: true })).toEqual(['This job costs 200 credits.']);
});

test('two switches that make up for each other', () => {
	const creation = CREATIONS.find(({ name }) => name === 'vidD.generate')!;
	const surcharges = [{ when: { generate_audio: [true] }, credits: 5 }];
	const discounts = [{ when: { prompt_directory_optin: [true] }, credits: 5 }];
	const price = { shown: true, rates: [{ credits: 20 }], surcharges, discounts } as const;
	const panel = priceNotices({ ...creation.operation, price });
	const shown = combinations({
		generate_audio: [false, true],
		prompt_directory_optin: [false, true],
	}).flatMap((values) => noticesIn(panel, parameters(creation, values)));
	expect(shown).toEqual([20, 15, 25, 20].map((credits) => `This job costs ${credits} credits.`));
});

/** From the document's tables of prices. */
test.each<[name: string, values: Record<string, unknown>, notices: string[], subtitle: string]>([
	['image.generate', {}, ['This job costs 8 credits.'], 'Image · 8 credits'],
	[
		'standardVideo.generate',
		{ video_model: 'modelA_fast', aspect_ratio: '16:9', prompt_directory_optin: false },
		['This job costs 130 credits.'],
		'Standard Video · 130 credits',
	],
	[
		'standardVideo.generate',
		{ video_model: 'modelA', aspect_ratio: '9:16', prompt_directory_optin: true },
		['This job costs 290 credits.'],
		'Standard Video · 290 credits',
	],
	[
		'vidA31.generate',
		{ model: 'modelA' },
		['This job costs 250 credits.'],
		'Family A · 250 credits',
	],
	[
		'vidA31.generate',
		{ model: 'modelA', enableFallback: true },
		['This job costs 450 credits.'],
		'Family A · 450 credits',
	],
	[
		'vidB30.generate',
		{ durationSeconds: 7, qualityMode: 'pro', sound: true, prompt_directory_optin: false },
		['This job costs 280 credits.'],
		'Family B 3.0 · 280 credits',
	],
	[
		'vidB30.generate',
		{
			durationSeconds: 5,
			qualityMode: '__other__',
			qualityModeOther: 'std',
			sound: false,
			prompt_directory_optin: false,
		},
		[
			'This job costs 135 credits.',
			'It may cost less. The value that names the standard tier is not documented.',
		],
		'Family B 3.0 · at most 135 credits',
	],
	[
		'vidB30.generate',
		{ durationSeconds: 15, qualityMode: 'pro', sound: false, prompt_directory_optin: true },
		[
			'This job costs 405 credits.',
			'It may cost less. By how much Publish in Prompt Directory changes the price is not documented.',
		],
		'Family B 3.0 · at most 405 credits',
	],
	['vidC.imageToVideo', {}, ['This job costs 80 credits.'], 'Family C · 80 credits'],
	[
		'vidD.generate',
		{ resolution: '480p', duration: '12', generate_audio: false, prompt_directory_optin: true },
		['This job costs 19 credits.'],
		'Family D · 19 credits',
	],
	[
		'vidD.generate',
		{ resolution: '480p', duration: '12', generate_audio: true, prompt_directory_optin: true },
		['This job costs 28 credits.'],
		'Family D · 28 credits',
	],
	[
		'vidB26.imageToVideo',
		{ duration: '5', sound: true, prompt_directory_optin: true },
		['This job costs 100 credits.'],
		'Family B 2.6 · 100 credits',
	],
	['track.wav', {}, ['This job costs 1 credit.'], 'Track Processing · 1 credit'],
	['track.midi', {}, ['This job is free.'], 'Track Processing · free'],
])('%s with %j', (name, values, notices, ending) => {
	const creation = CREATIONS.find((candidate) => candidate.name === name)!;
	expect(noticesIn(creation.panel, parameters(creation, values))).toEqual(notices);
	expect(subtitle(creation.catalog, parameters(creation, values))).toBe(ending);
});

describe('the subtitle', () => {
	test.each([
		[nodeType('image'), IMAGE_CATALOG],
		[nodeType('video'), VIDEO_CATALOG],
		[nodeType('music'), MUSIC_CATALOG],
		[nodeType('account'), ACCOUNT_CATALOG],
	])('of a node is that of its catalog (%#)', ({ description }, catalog) => {
		expect(description.subtitle).toBe(subtitleOf(catalog));
	});

	test.each(CATALOGS.map((catalog, index) => [index, catalog] as const))(
		'has no two braces side by side inside (%i): they would end the expression',
		(_, catalog) => {
			const expression = subtitleOf(catalog);
			expect(expression.startsWith('={{ ') && expression.endsWith(' }}')).toBe(true);
			expect(inside(expression)).not.toMatch(/\{\{|\}\}/);
		},
	);

	test('is there for every operation, and where it is chosen by an expression', () => {
		for (const catalog of CATALOGS) {
			for (const { resource, operation } of catalog.operations) {
				expect(subtitle(catalog, { resource, operation })).toMatch(/^\S.*\S$/);
			}
			const resource = AN_EXPRESSION;
			expect(subtitle(catalog, { resource, operation: 'get' })).toBe('Chosen by an expression');
		}
	});
});

describe('what publishes says so while it is on', () => {
	const PUBLIC = "Your prompt and video become public in the service's directory.";

	/** The others make nothing public. */
	const PUBLISHING = [
		'standardVideo.generate',
		'vidB30.generate',
		'vidB26.textToVideo',
		'vidB26.imageToVideo',
		'vidC.textToVideo',
		'vidD.generate',
	];

	test.each(CREATIONS)('$name', (creation) => {
		const { name, panel } = creation;
		const warnings = (prompt_directory_optin: unknown) =>
			visible(panel, parameters(creation, { prompt_directory_optin }))
				.filter(({ type, name: property }) => type === 'notice' && property.endsWith('optinNotice'))
				.map(({ displayName }) => displayName);
		const publishes = PUBLISHING.includes(name);
		expect(warnings(true)).toEqual(publishes ? [PUBLIC] : []);
		expect(warnings(false)).toEqual([]);
		expect(warnings(AN_EXPRESSION)).toEqual([]);
		const hasSwitch = panel.some((property) => property.name === 'prompt_directory_optin');
		expect(hasSwitch).toBe(publishes);
	});
});

test.each([
	[{ resource: 'standardVideo', video_model: 'modelA' }, 'Standard Video · 290 credits'],
	[{ resource: 'standardVideo' }, 'Standard Video · 120 credits'],
	[{ resource: 'vidB30', durationSeconds: 10, sound: true }, 'Family B 3.0 · 400 credits'],
	[{ resource: 'vidA31', additionalFields: { enableFallback: true } }, 'Family A · 300 credits'],
	[{ resource: 'vidD', duration: '={{ 8 }}' }, 'Family D · 8–84 credits'],
	[{ resource: 'vidD', options: { estimateOnly: true } }, 'Family D · estimate only'],
	[{ resource: 'nothing' }, 'Chosen by an expression'],
])("n8n's own evaluation of the subtitle: %j", (given, expected) => {
	// It rewrites an expression before it runs it: some that are right as JavaScript are not there.
	const type = nodeType('video');
	const nodeTypes = {
		getByName: () => type,
		getByNameAndVersion: () => type,
		getKnownTypes: () => ({}),
	} as unknown as INodeTypes;
	const parameters = { operation: 'generate', ...given };
	const node = { id: '1', name: 'Video', type: 'video', typeVersion: 1, parameters };
	const workflow = new Workflow({
		nodes: [{ ...node, position: [0, 0] }],
		connections: {},
		active: false,
		nodeTypes,
	});
	const subtitle = workflow.expression.getSimpleParameterValue(
		workflow.getNode('Video')!,
		subtitleOf(VIDEO_CATALOG),
		'internal',
		{},
	);
	expect(subtitle).toContain(expected);
});
