import { Workflow, type IDataObject, type INodeProperties, type INodeTypes } from 'n8n-workflow';

import { MediaGenAccount } from '../../../nodes/Account/MediaGenAccount.node.ts';
import { MediaGenImage } from '../../../nodes/Image/MediaGenImage.node.ts';
import { MediaGenMusic } from '../../../nodes/Music/MediaGenMusic.node.ts';
import { MediaGenVideo } from '../../../nodes/Video/MediaGenVideo.node.ts';
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

/** Switches that change the price, as the form calls them: the panel says what it is with each. */
const SWITCHES: Record<string, string> = {
	sound: 'Sound',
	generate_audio: 'Generate Audio',
	prompt_directory_optin: 'Publish in Prompt Directory',
	enableFallback: 'Enable Fallback',
};

/** The value of Family B 3.0 by which the price is multiplied. */
const UNIT = 'durationSeconds';

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
		.filter(({ name, type }) => type === 'notice' && name.startsWith('priceNotice'))
		.map(({ displayName }) => displayName);

const inCredits = (credits: number) => (credits === 1 ? '1 credit' : `${credits} credits`);

/** What the panel says of the price of a form: that with all switches off, and what they make of it. */
function said(creation: Creation, values: Record<string, unknown>): string {
	const names = creation.fields.filter((field) => field in SWITCHES);
	const withOn = (on: string[]) => {
		const switches = names.map((name) => [name, on.includes(name)]);
		return charged(creation, { ...values, ...Object.fromEntries(switches) });
	};
	const { credits, exact, reason } = withOn([]);
	if (credits === null) return 'The service does not document the price of this job.';
	if (credits === 0) return 'This job is free.';
	const seconds = values[UNIT] === undefined ? 1 : Number(values[UNIT]);
	const singles = names.flatMap((name): Array<[number | string, string]> => {
		const on = withOn([name]);
		if (on.credits !== credits) return [[on.credits! / seconds, SWITCHES[name]!]];
		return on.reason === reason ? [] : [['less', SWITCHES[name]!]];
	});
	const both = withOn(names).credits!;
	const isNew = names.length > 1 && names.every((name) => withOn([name]).credits !== both);
	const labels = names.map((name) => SWITCHES[name]!).join(' and ');
	const together: Array<[number | string, string]> = isNew
		? [[both / seconds, singles.length > 1 ? 'both' : labels]]
		: [];
	const switched = [...singles, ...together].map(([amount, which]) => `, ${amount} with ${which}`);
	const atMost = exact ? '' : 'at most ';
	const doubt = exact ? '' : ` ${reason}.`;
	if (values[UNIT] === undefined)
		return `This job costs ${atMost}${inCredits(credits)}${switched.join('')}.${doubt}`;
	const each = credits / seconds;
	const amounts = [each, ...singles.map(([amount]) => amount)].filter(Number.isFinite) as number[];
	const examples = [3, 5, 15].map(
		(length) => `${amounts.map((amount) => amount * length).join(' or ')} for ${length} s`,
	);
	return `This job costs ${atMost}${inCredits(each)} a second${switched.join('')}: ${examples.join(', ')}.${doubt}`;
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
		expect(shown).toEqual(all.map((values) => [said(creation, values)]));
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
		const rated = fields.filter((name) => name !== UNIT && !(name in SWITCHES));

		test('an expression gives the range in the panel, and both prices in a switch', () => {
			const isExpression = (values: Record<string, unknown>) => (name: string) =>
				values[name] === AN_EXPRESSION;
			const forms = withExpressions.filter((values) => rated.some(isExpression(values)));
			const range = new RegExp(
				`^This job costs ${low} to ${high} credits, depending on [\\w() ]+\\.$`,
			);
			const shown = forms.map((values) => noticesIn(panel, parameters(creation, values)));
			expect(shown.filter(({ length }) => length !== 1)).toEqual([]);
			expect(shown.flat().filter((text) => !range.test(text))).toEqual([]);
			const switched = withExpressions.filter(
				(values) => values[UNIT] !== AN_EXPRESSION && !rated.some(isExpression(values)),
			);
			expect(switched.map((values) => noticesIn(panel, parameters(creation, values)))).toEqual(
				switched.map((values) => [said(creation, values)]),
			);
		});

		test('and in the subtitle', () => {
			const ends = withExpressions.map((values) =>
				subtitle(catalog, parameters(creation, values)).replace(/^.* · /, ''),
			);
			expect([...new Set(ends)]).toEqual([`${low}–${high} credits`]);
		});
	}
});

test('a price by the second stays one where the seconds are an expression', () => {
	const creation = CREATIONS.find(({ name }) => name === 'vidB30.generate')!;
	const values = { qualityMode: 'pro', sound: true, prompt_directory_optin: false };
	const form = { ...values, [UNIT]: AN_EXPRESSION };
	expect(noticesIn(creation.panel, parameters(creation, form))).toEqual([
		'This job costs 27 credits a second, 40 with Sound, less with Publish in Prompt Directory: 81 or 120 for 3 s, 135 or 200 for 5 s, 405 or 600 for 15 s.',
	]);
});

test('what only a switch makes cost something is not called free', () => {
	const creation = CREATIONS.find(({ name }) => name === 'vidA31.generate')!;
	const surcharges = [{ when: { enableFallback: [true] }, credits: 200 }];
	const price = { shown: true, rates: [{ credits: 0 }], surcharges } as const;
	const notices = priceNotices({ ...creation.operation, price });
	expect(notices.map(({ displayName }) => displayName)).toEqual([
		'This job costs 0 credits, 200 with Enable Fallback.',
	]);
});

test('two switches that make up for each other', () => {
	const creation = CREATIONS.find(({ name }) => name === 'vidD.generate')!;
	const surcharges = [{ when: { generate_audio: [true] }, credits: 5 }];
	const discounts = [{ when: { prompt_directory_optin: [true] }, credits: 5 }];
	const price = { shown: true, rates: [{ credits: 20 }], surcharges, discounts } as const;
	const notices = priceNotices({ ...creation.operation, price });
	expect(notices.map(({ displayName }) => displayName)).toEqual([
		'This job costs 20 credits, 25 with Generate Audio, 15 with Publish in Prompt Directory, 20 with both.',
	]);
});

/** From the document's tables of prices. */
test.each<[name: string, values: Record<string, unknown>, notice: string, subtitle: string]>([
	['image.generate', {}, 'This job costs 8 credits.', 'Generate an image · 8 credits'],
	[
		'standardVideo.generate',
		{ video_model: 'modelA_fast', aspect_ratio: '16:9', prompt_directory_optin: false },
		'This job costs 130 credits, 120 with Publish in Prompt Directory.',
		'Generate a video · 130 credits',
	],
	[
		'standardVideo.generate',
		{ video_model: 'modelA', aspect_ratio: '9:16', prompt_directory_optin: true },
		'This job costs 300 credits, 290 with Publish in Prompt Directory.',
		'Generate a video · 290 credits',
	],
	[
		'vidA31.generate',
		{ model: 'modelA', enableFallback: true },
		'This job costs 250 credits, 450 with Enable Fallback.',
		'Generate a video · 450 credits',
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
		'This job costs at most 27 credits a second, 40 with Sound, less with Publish in Prompt Directory: 81 or 120 for 3 s, 135 or 200 for 5 s, 405 or 600 for 15 s. The value that names the standard tier is not documented.',
		'Generate a video · at most 135 credits',
	],
	['vidC.imageToVideo', {}, 'This job costs 80 credits.', 'Image to video · 80 credits'],
	[
		'vidD.generate',
		{ resolution: '480p', duration: '12', generate_audio: false, prompt_directory_optin: true },
		'This job costs 19 credits, 38 with Generate Audio, 28 with Generate Audio and Publish in Prompt Directory.',
		'Generate a video · 19 credits',
	],
	[
		'vidB26.imageToVideo',
		{ duration: '5', sound: true, prompt_directory_optin: true },
		'This job costs 55 credits, 110 with Sound, 45 with Publish in Prompt Directory, 100 with both.',
		'Image to video · 100 credits',
	],
	['track.wav', {}, 'This job costs 1 credit.', 'Convert to WAV · 1 credit'],
	['track.midi', {}, 'This job is free.', 'Convert to MIDI · free'],
])('%s with %j', (name, values, notice, ending) => {
	const creation = CREATIONS.find((candidate) => candidate.name === name)!;
	expect(noticesIn(creation.panel, parameters(creation, values))).toEqual([notice]);
	expect(subtitle(creation.catalog, parameters(creation, values))).toBe(ending);
});

describe('the subtitle', () => {
	test.each([
		[new MediaGenImage(), IMAGE_CATALOG],
		[new MediaGenVideo(), VIDEO_CATALOG],
		[new MediaGenMusic(), MUSIC_CATALOG],
		[new MediaGenAccount(), ACCOUNT_CATALOG],
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
	[{ resource: 'standardVideo', video_model: 'modelA' }, 'Generate a video · 290 credits'],
	[{ resource: 'standardVideo' }, 'Generate a video · 120 credits'],
	[{ resource: 'vidB30', durationSeconds: 10, sound: true }, 'Generate a video · 400 credits'],
	[{ resource: 'vidA31', additionalFields: { enableFallback: true } }, 'Generate a video · 300 cr'],
	[{ resource: 'vidD', duration: '={{ 8 }}' }, 'Generate a video · 8–84 credits'],
	[{ resource: 'nothing' }, 'Chosen by an expression'],
])("n8n's own evaluation of the subtitle: %j", (given, expected) => {
	// It rewrites an expression before it runs it: some that are right as JavaScript are not there.
	const nodeType = new MediaGenVideo();
	const nodeTypes = {
		getByName: () => nodeType,
		getByNameAndVersion: () => nodeType,
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
