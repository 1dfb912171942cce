import { isUpFront } from '../../../nodes/shared/parameters/names.ts';
import {
	IMAGE_CATALOG,
	MUSIC_CATALOG,
	VIDEO_CATALOG,
} from '../../../nodes/shared/spec/catalogs.ts';
import { subtitleOf } from '../../../nodes/shared/form/expressions.ts';
import { priceOf, decidingFields } from '../../../nodes/shared/spec/price.ts';
import { readValues } from '../../../nodes/shared/request/readValues.ts';
import { validate } from '../../../nodes/shared/request/validate.ts';
import { startValue } from '../../../nodes/shared/form/fieldProperty.ts';
import type { CreateOperation } from '../../../nodes/shared/spec/types.ts';

function subtitle(catalog: typeof VIDEO_CATALOG, node: unknown): string {
	const expression = subtitleOf(catalog)
		.replace(/^=\{\{/, '')
		.replace(/\}\}$/, '');
	return new Function('$rawParameter', `return (${expression})`)(node) as string;
}

const B30 = {
	resource: 'vidB30',
	operation: 'generate',
	qualityMode: 'pro',
	sound: false,
	durationSeconds: 5,
	generationMode: 'text_to_video',
};

describe('the subtitle does not throw and says no nonsense', () => {
	test.each<[string, unknown]>([
		['no resource', { resource: null }],
		['lists', { resource: ['vidB30'], operation: ['generate'] }],
		['objects', { resource: {}, operation: {} }],
		['no parameters', {}],
		['seconds as text', { ...B30, durationSeconds: '5' }],
		['seconds as words', { ...B30, durationSeconds: 'five' }],
		['seconds as a list', { ...B30, durationSeconds: [1, 2] }],
		['seconds as an object', { ...B30, durationSeconds: {} }],
		['seconds empty', { ...B30, durationSeconds: '' }],
		['seconds null', { ...B30, durationSeconds: null }],
		['too many seconds', { ...B30, durationSeconds: 1000 }],
		['negative seconds', { ...B30, durationSeconds: -5 }],
		['a half', { ...B30, durationSeconds: 4.5 }],
		['sound as text', { ...B30, sound: 'true' }],
		[
			'additionalFields null',
			{ resource: 'vidA31', operation: 'generate', model: 'modelA', additionalFields: null },
		],
		[
			'additionalFields text',
			{ resource: 'vidA31', operation: 'generate', model: 'modelA', additionalFields: '={{ x }}' },
		],
		[
			'fallback as text',
			{
				resource: 'vidA31',
				operation: 'generate',
				model: 'modelA',
				additionalFields: { enableFallback: 'true' },
			},
		],
		['toString', { ...B30, durationSeconds: { toString: 1 } }],
		['__proto__', { resource: '__proto__', operation: 'x' }],
		['an operation by expression', { resource: 'vidB30', operation: '={{ $json.o }}' }],
	])('%s', (_, node) => {
		const text = subtitle(VIDEO_CATALOG, node);
		expect(text).not.toMatch(/NaN|undefined|null|-\d|object/);
	});
});

/** Values odd but valid by the checks: subtitle must not be below the charge. */
const creations = [IMAGE_CATALOG, VIDEO_CATALOG, MUSIC_CATALOG].flatMap((catalog) =>
	catalog.operations.flatMap((operation) =>
		operation.kind === 'create' && operation.price.shown
			? [[`${operation.resource}.${operation.operation}`, operation, catalog] as const]
			: [],
	),
);

const highest = (text: string) => {
	if (/free/.test(text)) return 0;
	const found = /·.*?(\d+)(?:–(\d+))? credit/.exec(text);
	return found ? Number(found[2] ?? found[1]) : Infinity;
};

describe.each(creations)('%s: odd values', (_name, operation: CreateOperation, catalog) => {
	const base = Object.fromEntries(
		operation.fields.filter(isUpFront).map((field) => [field.name, startValue(field)]),
	);
	const nodes = decidingFields(operation).flatMap((field) => {
		const values: unknown[] = [
			'true',
			'false',
			'TRUE',
			'5',
			' 5 ',
			'10',
			'12',
			5,
			10,
			12,
			15,
			'15',
			null,
			'',
			'modelA ',
			'1080P',
			...(field.options ?? []).map(({ value }) => ` ${String(value)}`),
			...(field.options ?? []).map(({ value }) => `${String(value)} `),
			'__other__',
		];
		return values.map((value) =>
			isUpFront(field)
				? { ...base, [field.name]: value }
				: { ...base, additionalFields: { [field.name]: value } },
		);
	});
	test('the subtitle shows no less than the price of what is sent', () => {
		const wrong = nodes.flatMap((node: Record<string, unknown>) => {
			const values = readValues(operation, (name, fallback) =>
				name in node ? node[name] : fallback,
			);
			const deciding = new Set(decidingFields(operation).map(({ name }) => name));
			if (validate(operation, values).some(({ field }) => deciding.has(field))) return [];
			const { credits } = priceOf(operation, values);
			const text = subtitle(catalog, {
				resource: operation.resource,
				operation: operation.operation,
				...node,
			});
			return credits !== null && credits > highest(text) ? [{ node, credits, text }] : [];
		});
		expect(wrong).toEqual([]);
	});
});
