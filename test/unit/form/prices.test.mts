import { Workflow, type IDataObject, type INodeProperties, type INodeTypes } from 'n8n-workflow';

import { MediaGenAccount } from '../../../nodes/Account/MediaGenAccount.node.ts';
import { MediaGenImage } from '../../../nodes/Image/MediaGenImage.node.ts';
import { MediaGenMusic } from '../../../nodes/Music/MediaGenMusic.node.ts';
import { MediaGenVideo } from '../../../nodes/Video/MediaGenVideo.node.ts';
import { subtitleOf } from '../../../nodes/shared/form/subtitle.ts';
import { readPlanned } from '../../../nodes/shared/request/plannedValues.ts';
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
	'vidC.imageToVideo': ['prompt_directory_optin'],
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

const ESTIMATE = operationNamed('price.estimate');

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

/** What the panel says of a price. */
function said({ credits, exact, reason }: PriceEstimate, seconds: unknown): string {
	if (credits === null) return 'The service does not document the price of this job.';
	if (credits === 0) return 'This job is free.';
	const atMost = exact ? '' : 'at most ';
	const doubt = exact ? '' : ` ${reason}.`;
	if (seconds === undefined) return `This job costs ${atMost}${inCredits(credits)}.${doubt}`;
	const each = credits / Number(seconds);
	const examples = `${each * 3} for 3 s, ${each * 5} for 5 s, ${each * 15} for 15 s`;
	return `This job costs ${atMost}${inCredits(each)} a second: ${examples}.${doubt}`;
}

/** What the canvas says of it, behind the action. */
function saidInShort({ credits, exact }: PriceEstimate): string {
	if (credits === null) return 'price unknown';
	if (credits === 0) return 'free';
	return `${exact ? '' : 'at most '}${inCredits(credits)}`;
}

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
	const estimatePanel = panelOf(ACCOUNT_CATALOG, ESTIMATE, operation);
	const all = everyForm(creation);

	test('the panel shows one price, the one that is charged', () => {
		const shown = all.map((values) => noticesIn(panel, parameters(creation, values)));
		expect(shown).toEqual(all.map((values) => [said(charged(creation, values), values[UNIT])]));
	});

	test('the subtitle ends with it', () => {
		const prices = all.map((values) =>
			subtitle(catalog, parameters(creation, values)).replace(/^.* · /, ''),
		);
		expect(prices).toEqual(all.map((values) => saidInShort(charged(creation, values))));
	});

	test('Price > Estimate shows it, and gives it', () => {
		const shown = all.map((values) => noticesIn(estimatePanel, planned(creation, values)));
		expect(shown).toEqual(all.map((values) => [said(charged(creation, values), values[UNIT])]));
		for (const values of all) {
			const form = planned(creation, values);
			const other = { qualityModeOther: 'another value', aspectRatioOther: 'another value' };
			const given = readPlanned(operation, (name) => ({ ...form, ...other })[name]);
			expect(given.problems).toEqual([]);
			expect(priceOf(operation, { ...operation.fixed, ...given.values })).toEqual(
				charged(creation, values),
			);
		}
	});

	const credits = all.flatMap((values) => charged(creation, values).credits ?? []);
	const [low, high] = [Math.min(...credits), Math.max(...credits)];
	const withExpressions = everyForm(creation, [AN_EXPRESSION]).filter((values) =>
		Object.values(values).includes(AN_EXPRESSION),
	);

	if (fields.length > 0) {
		test('an expression gives the range in the panel and in Price > Estimate', () => {
			const rated = fields.filter((name) => name !== UNIT);
			const forms = withExpressions.filter((values) =>
				rated.some((name) => values[name] === AN_EXPRESSION),
			);
			const range = new RegExp(
				`^This job costs ${low} to ${high} credits, depending on the expression in [\\w() ]+\\.$`,
			);
			const shown = forms.flatMap((values) => [
				noticesIn(panel, parameters(creation, values)),
				noticesIn(estimatePanel, planned(creation, values)),
			]);
			expect(shown.filter(({ length }) => length !== 1)).toEqual([]);
			expect(shown.flat().filter((text) => !range.test(text))).toEqual([]);
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
		'This job costs 40 credits a second: 120 for 3 s, 200 for 5 s, 600 for 15 s.',
	]);
});

/** From the document's tables of prices. */
test.each<[name: string, values: Record<string, unknown>, notice: string, subtitle: string]>([
	['image.generate', {}, 'This job costs 8 credits.', 'Generate an image · 8 credits'],
	[
		'standardVideo.generate',
		{ video_model: 'modelA_fast', aspect_ratio: '16:9', prompt_directory_optin: false },
		'This job costs 130 credits.',
		'Generate a video · 130 credits',
	],
	[
		'standardVideo.generate',
		{ video_model: 'modelA', aspect_ratio: '9:16', prompt_directory_optin: true },
		'This job costs 290 credits.',
		'Generate a video · 290 credits',
	],
	[
		'vidA31.generate',
		{ model: 'modelA', enableFallback: true },
		'This job costs 450 credits.',
		'Generate a video · 450 credits',
	],
	[
		'vidD.generate',
		{ resolution: '480p', duration: '12', generate_audio: false, prompt_directory_optin: true },
		'This job costs 19 credits.',
		'Generate a video · 19 credits',
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

	/** What it saves, in the words of the notice. */
	const NOTICES: Record<string, string> = {
		'standardVideo.generate': `${PUBLIC} 10 credits cheaper.`,
		'vidB30.generate': `${PUBLIC} Cheaper by an amount that is not documented.`,
		'vidB26.textToVideo': `${PUBLIC} 10 credits cheaper.`,
		'vidB26.imageToVideo': `${PUBLIC} 10 credits cheaper.`,
		'vidC.textToVideo': `${PUBLIC} 10 credits cheaper.`,
		'vidC.imageToVideo': `${PUBLIC} 10 credits cheaper.`,
		'vidD.generate': `${PUBLIC} 10 credits cheaper from 28 credits on.`,
	};

	test.each(CREATIONS)('$name', (creation) => {
		const { name, panel } = creation;
		const warnings = (prompt_directory_optin: unknown) =>
			visible(panel, parameters(creation, { prompt_directory_optin }))
				.filter(({ type, name: property }) => type === 'notice' && property.endsWith('optinNotice'))
				.map(({ displayName }) => displayName);
		const expected = NOTICES[name];
		expect(warnings(true)).toEqual(expected === undefined ? [] : [expected]);
		expect(warnings(false)).toEqual([]);
		expect(warnings(AN_EXPRESSION)).toEqual([]);
		const hasSwitch = panel.some((property) => property.name === 'prompt_directory_optin');
		expect(hasSwitch).toBe(expected !== undefined);
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
