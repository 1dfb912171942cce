import { z } from 'zod/v3';

import { systemClock } from '../clock/clock';
import { fillPath } from '../request/buildRequest';
import { unwrap } from '../service/bodies';
import { unreadable } from '../service/serviceError';
import { sendWithRetry } from '../service/retry';
import type { Service } from '../service/service';
import { READ } from '../spec/answers';
import { fieldNamed } from '../spec/conditions';
import { CATALOG, CATALOG_PATH, OPERATIONS_FIELD } from '../spec/music/catalog';
import { unnamedSource } from '../spec/music/fields';
import { MUSIC_CREATION, MUSIC_OPERATIONS } from '../spec/music/operations';
import type { CreateOperation, Field, Price, Rate, RateCondition, Rule } from '../spec/types';

/** The operations of the music studio, from the service or from the built-in tables. */
export interface MusicCatalog {
	operations: readonly CreateOperation[];
	/** The answer of the service; `undefined` where the built-in tables serve. */
	live?: unknown;
}

/**
 * Reads the catalog (section "Music catalog") at the path set in the credential; without one the
 * built-in tables serve. Entries that cannot be read are left out, the others are kept.
 *
 * @param language such as `en`, for labels and help
 * @throws ServiceError when the path is set, but gives no catalog
 */
export async function loadCatalog(
	service: Service,
	language: string,
	clock = systemClock,
): Promise<MusicCatalog> {
	const path = service.path(CATALOG_PATH);
	if (path === undefined) return { operations: MUSIC_OPERATIONS };
	const request = { method: 'GET', path: fillPath(path, { language }) } as const;
	const body = await sendWithRetry(service, request, clock);
	const entries = readable(operationEntrySchema).safeParse(unwrap(body)?.[OPERATIONS_FIELD]);
	if (!entries.success) throw unreadable(READ, JSON.stringify(body));
	return { operations: entries.data.map(toOperation), live: body };
}

/** An operation entry of the catalog and its field descriptors (section "Music catalog"). */

const value = z.union([z.string(), z.number(), z.boolean()]);

/** `undefined` in place of what cannot be read. */
const ifAny = <T>(schema: z.ZodType<T>) => schema.optional().catch(undefined);

/** A list without the entries that cannot be read. */
const readable = <T extends z.ZodTypeAny>(schema: T) =>
	z.array(z.unknown()).transform((entries) =>
		entries.flatMap((entry): Array<z.infer<T>> => {
			const read = schema.safeParse(entry);
			return read.success ? [read.data as z.infer<T>] : [];
		}),
	);

const fieldEntrySchema = z.object({
	name: z.string().min(1),
	label: ifAny(z.string()),
	// A type that we do not know is filled in as a text.
	type: z
		.enum(['text', 'textarea', 'toggle', 'select', 'number', 'upload', 'source'])
		.catch('text'),
	required: z.boolean().catch(false),
	options: readable(z.object({ value, label: ifAny(z.string()), help: ifAny(z.string()) })).catch(
		[],
	),
	min: ifAny(z.number()),
	max: ifAny(z.number()),
	step: ifAny(z.number().positive()),
	max_length: ifAny(z.number().int()),
	default: ifAny(value),
	help: ifAny(z.string()),
});

export const operationEntrySchema = z.object({
	id: z.string().min(1),
	label: ifAny(z.string()),
	description: ifAny(z.string()),
	source_required: z.boolean().catch(false),
	source_operations: z.array(z.string()).catch([]),
	credits: ifAny(z.number()),
	// Its form is not shown; read by `ratesIn`.
	credits_by_option: z.unknown(),
	fields: readable(fieldEntrySchema).catch([]),
});

type FieldEntry = z.infer<typeof fieldEntrySchema>;
type OperationEntry = z.infer<typeof operationEntrySchema>;

/** The entry as a built-in table would have it, so that form, checks and price follow from it. */
export function toOperation(entry: OperationEntry): CreateOperation {
	const { id, source_required: needsSource, source_operations: operations } = entry;
	const known = MUSIC_OPERATIONS.find(({ operation }) => operation === id);
	const documented = known?.fields ?? [];
	const entries = onceEach(entry.fields);
	const names = entries.map(({ name }) => name);
	const fields = entries.map((field) => ({
		...conditionsOf(field.name, documented, entries),
		...toField(field),
	}));
	const hasSource = fields.some(({ type }) => type === 'source');
	return {
		...MUSIC_CREATION,
		resource: CATALOG.value,
		operation: id,
		label: entry.label ?? known?.label ?? id,
		action: entry.label ?? id,
		description: entry.description ?? known?.description ?? '',
		fields: needsSource && !hasSource ? [unnamedSource(), ...fields] : fields,
		rules: known?.rules?.filter((rule) => fieldsOf(rule).every((name) => names.includes(name))),
		mediaType: known?.mediaType,
		price: priceIn(entry, fields),
		source: operations.length > 0 ? { required: needsSource, operations } : undefined,
	};
}

/** Each field once, however often the catalog lists it: work on a field grows with the number of all fields. */
const onceEach = (entries: readonly FieldEntry[]): FieldEntry[] => [
	...new Map(entries.map((entry) => [entry.name, entry])).values(),
];

/**
 * Field descriptors have no conditions; those of the document hold for the live catalog too, as far as
 * it has the fields that they are about. They are widened to values that the document does not know, so
 * that a model that is new in the catalog is not ruled out.
 */
function conditionsOf(
	name: string,
	documented: readonly Field[],
	entries: readonly FieldEntry[],
): Partial<Field> {
	const { appliesWhen, usedWhen, requiredWhen } = fieldNamed({ fields: documented }, name) ?? {};
	const isOffered = (field: string) => entries.some((entry) => entry.name === field);
	const ifAbout = <T extends RateCondition>(condition?: T): T | undefined =>
		Object.keys(condition ?? {}).every(isOffered) ? condition : undefined;
	const widened = (condition?: RateCondition) =>
		condition && withNewValues(condition, documented, entries);
	return {
		appliesWhen: widened(ifAbout(appliesWhen)),
		usedWhen: widened(ifAbout(usedWhen)),
		requiredWhen: ifAbout(requiredWhen),
	};
}

/** The condition, with the values that only the catalog has added to those that it allows. */
function withNewValues(
	condition: RateCondition,
	documented: readonly Field[],
	entries: readonly FieldEntry[],
): RateCondition {
	const valuesIn = (fields: ReadonlyArray<Pick<Field, 'name' | 'options'>>, name: string) =>
		(fields.find((field) => field.name === name)?.options ?? []).map((option) => option.value);
	return Object.fromEntries(
		Object.entries(condition).map(([name, allowed]) => {
			if ('not' in allowed) return [name, allowed];
			const known = valuesIn(documented, name);
			const offered = valuesIn(entries, name);
			const added = offered.filter((one) => !known.includes(one));
			const ruledOut = known.filter((one) => !allowed.includes(one));
			// A select without values takes any text.
			return [name, offered.length > 0 ? [...allowed, ...added] : { not: ruledOut }];
		}),
	);
}

/** The fields that a rule is about. */
function fieldsOf(rule: Rule): readonly string[] {
	switch (rule.kind) {
		case 'oneOf':
		case 'wanted':
			return [...rule.fields, ...Object.keys(rule.when ?? {})];
		case 'with':
			return [rule.field, rule.given];
		case 'after':
			return [rule.later, rule.earlier];
	}
}

function toField(entry: FieldEntry): Field {
	const { name, label = name, type, options, min, max, step } = entry;
	return {
		name,
		label,
		type,
		presence: entry.required ? 'required' : 'optional',
		description: entry.help,
		default: entry.default,
		...(type === 'select' ? { options, openValues: options.length === 0 } : {}),
		min,
		max,
		step,
		maxLength: entry.max_length,
	};
}

function priceIn(entry: OperationEntry, fields: readonly Field[]): Price {
	const { credits, credits_by_option: byOption } = entry;
	const rates = ratesIn(byOption, fields);
	// A negative price would make room for other items under a limit.
	const isPrice = (one: unknown) => typeof one === 'number' && Number.isFinite(one) && one >= 0;
	if (!rates.every((rate) => isPrice(rate.credits))) return { shown: false };
	if (rates.length > 0) return { shown: true, rates };
	if (typeof credits !== 'number' || !isPrice(credits)) return { shown: false };
	// A text has a key for each of its characters, so maybe millions.
	const { length } = typeof byOption === 'string' ? byOption : Object.keys(Object(byOption));
	if (length === 0) return { shown: true, rates: [{ credits }] };
	const doubt = 'The catalog has prices by option in a form that is not known';
	// Whatever the form, a price is one of its numbers or a sum of several, so all together are the most.
	const most = numbersIn(byOption).reduce((sum, one) => sum + Math.max(0, one), credits);
	return { shown: true, rates: [{ credits: most, doubt }] };
}

/** In levels; more than anybody would use for prices. */
const MAX_DEPTH = 5;

/** All numbers in a value, also those written as texts; `Infinity` for what is nested too deep. */
function numbersIn(value: unknown, depth = 0): number[] {
	if (typeof value === 'object' && value !== null) {
		if (depth === MAX_DEPTH) return [Infinity];
		return Object.values(value).flatMap((inner) => numbersIn(inner, depth + 1));
	}
	const isNumeric = typeof value === 'number' || (typeof value === 'string' && value.trim() !== '');
	const number = isNumeric ? Number(value) : NaN;
	return Number.isNaN(number) ? [] : [number];
}

/** Prices by option: field → value → credits, or value → credits for the select that has them. */
function ratesIn(byOption: unknown, fields: readonly Field[]): Rate[] {
	const byField = z.record(z.record(z.number())).safeParse(byOption);
	if (byField.success) {
		const [[name = '', prices = {}] = [], ...others] = Object.entries(byField.data);
		const field = fieldNamed({ fields }, name);
		// Whether several prices add up is not known.
		return field && others.length === 0 ? ratesOf(field, prices) : [];
	}
	const byValue = z.record(z.number()).safeParse(byOption);
	if (!byValue.success) return [];
	const select = fields.find(({ options = [] }) => {
		const values = new Set(options.map((option) => String(option.value)));
		return Object.keys(byValue.data).every((name) => values.has(name));
	});
	return select ? ratesOf(select, byValue.data) : [];
}

function ratesOf({ name, options = [] }: Field, prices: Readonly<Record<string, number>>): Rate[] {
	const values = new Map(options.map(({ value: known }) => [String(known), known]));
	return Object.entries(prices).map(([text, credits]) => ({
		when: { [name]: [values.get(text) ?? text] },
		credits,
	}));
}
