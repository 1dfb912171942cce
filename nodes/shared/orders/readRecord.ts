import { objectIn, type Body, isOwn, own } from '../spec/values';
import {
	ERROR_MESSAGE_FIELD,
	GENERATION_TYPE_FIELD,
	ID_FIELDS,
	STATE_FIELDS,
	STATE_LIKE,
	stateNamed,
} from '../spec/answers';
import { GENERATION_ROUTE, type MediaType } from '../spec/operation';
import { REQUEST_FIELDS } from '../spec/catalogs';

/**
 * The record in a body: the body itself, or `data` of the envelope with the fields beside it, of which only
 * `success: true` is dropped. Of two values of the same name, that in `data` counts. A list of one record stands for it.
 */
export function recordIn(body: unknown): Body | undefined {
	const { data, ...beside } = objectIn(onlyOf(body)) ?? {};
	const inner = objectIn(onlyOf(data));
	if (!inner) return objectIn(onlyOf(body));
	if (beside.success === true) delete beside.success;
	return { ...beside, ...inner };
}

const onlyOf = (value: unknown): unknown =>
	Array.isArray(value) && value.length === 1 ? value[0] : value;

/**
 * The entries of a list body, by the policy for what is not shown: the body when it is an array, or the only
 * array in it (in the envelope's `data` too); otherwise the body is one item.
 */
export function listIn(body: unknown): { entries: unknown[] } | { single: unknown } {
	const outer = objectIn(body) ?? {};
	const inner = objectIn(outer.data) ?? outer;
	const [entries, ...others] = [body, ...Object.values(inner)].filter(Array.isArray);
	return entries && others.length === 0 ? { entries } : { single: body };
}

export interface Identifier {
	/** Name of the field it was found in. */
	field: string;
	value: string;
}

/** Where a field is looked for first. */
export interface Hints {
	/** The documented names of the field. */
	documented?: readonly string[];
	/** Path set in the credential, for a field that the documentation leaves open. */
	set?: string;
}

/** The identifier of a job in a record, by the policy for open points ("identifier"). */
export function identifierIn(
	record: Body,
	{ documented = [], set }: Hints = {},
): Identifier | undefined {
	const candidates = [
		...named(record, documented),
		...(set ? [{ field: keysOf(set).at(-1) ?? set, value: valueAt(record, set) }] : []),
		...named(record, ID_FIELDS),
	];
	return candidates.filter(({ value }) => isIdentifier(value)).map(asIdentifier)[0];
}

/** All identifiers in a record that have one of the known names, each once. */
export function identifiersIn(record: Body): Identifier[] {
	return named(record, ID_FIELDS)
		.filter(({ value }) => isIdentifier(value))
		.map(asIdentifier);
}

const asIdentifier = ({ field, value }: { field: string; value: unknown }): Identifier => ({
	field,
	value: String(value),
});

export const isIdentifier = (value: unknown) =>
	(typeof value === 'string' && value.trim() !== '') || Number.isFinite(value);

/**
 * The state of a job in its record, by the policy for open points ("state"): one of the four documented ones, in its
 * documented spelling, or any other text as it is.
 */
export function stateIn(record: Body, { documented = [], set }: Hints = {}): string | undefined {
	const shown = named(record, documented).map(({ value }) => value);
	const pinned = set ? valueAt(record, set) : undefined;
	return stateOf(shown) ?? stateOf([pinned]) ?? stateOf(stateLikes(record), () => othersIn(record));
}

/** The first documented state among the values, or else among the others; or else the first text of the values. */
function stateOf(
	values: readonly unknown[],
	others: () => readonly string[] = () => [],
): string | undefined {
	const texts = values.filter((value): value is string => typeof value === 'string');
	return knownOf(texts) ?? knownOf(others()) ?? texts[0];
}

const knownOf = (texts: readonly string[]) => texts.map(stateNamed).find(Boolean);

/** The values of fields whose names suggest a state, the likeliest first. */
function stateLikes(record: Body): unknown[] {
	const names = Object.keys(record).filter((name) => STATE_LIKE.test(name));
	return named(record, [...STATE_FIELDS, ...names]).map(({ value }) => value);
}

/** All texts outside the fields of requests: a prompt or a title may say anything, any other text may be a state. */
function othersIn(record: Body): string[] {
	return Object.entries(record)
		.filter(([name]) => !REQUEST_FIELDS.has(name))
		.flatMap(([, value]) => (typeof value === 'string' ? [value] : []));
}

/** The fields with these names that exist, and their values, in the order of the names. */
const named = (record: Body, names: readonly string[]) =>
	names.filter((field) => isOwn(record, field)).map((field) => ({ field, value: record[field] }));

/** The value at a dotted path (`job.id`, `jobs[0].id`). */
function valueAt(record: Body, path: string): unknown {
	return pathsTo(path)
		.map((one) => keysOf(one).reduce<unknown>(fieldIn, record))
		.find((value) => value !== undefined);
}

/** A field of a value that may not be an object. */
const fieldIn = (value: unknown, name: string): unknown =>
	typeof value === 'object' && value !== null ? own(value as Body, name) : undefined;

/** The paths to try in a record: as given, and without the envelope of the service's body. */
export const pathsTo = (path: string): string[] => [path, withoutEnvelope(path)];

/** How a path into the envelope starts; a list of one record stands for that record. */
const ENVELOPE_STARTS = ['data', 'data[0]'];

function withoutEnvelope(path: string): string {
	const start = ENVELOPE_STARTS.find((each) => path === each || path.startsWith(`${each}.`));
	return start === undefined ? path : path.slice(start.length + 1);
}

const keysOf = (path: string): string[] => path.match(/[^.[\]]+/g) ?? [];

/** The first of the named fields that holds a text. */
export function textIn(record: Body | undefined, names: readonly string[]): string | null {
	return valuesIn(record, names).find((value) => typeof value === 'string') ?? null;
}

/** Why a job is as it is, in the words of the service; only of a failed job is the field documented. */
export function reasonIn(record: Body): string | null {
	const reasons = valuesIn(record, REASON_FIELDS).map((value) => objectIn(value)?.message ?? value);
	return (reasons.find((value) => typeof value === 'string') as string | undefined) ?? null;
}

const REASON_FIELDS = [ERROR_MESSAGE_FIELD, 'error', 'reason', 'message', 'msg', 'detail'];

/** The first of the named fields that holds a number. */
export function numberIn(record: Body | undefined, names: readonly string[]): number | null {
	return valuesIn(record, names).find((value) => typeof value === 'number') ?? null;
}

const valuesIn = (record: Body | undefined, names: readonly string[]) =>
	record ? named(record, names).map(({ value }) => value) : [];

/** The time in a field, ms since 1970; `undefined` if there is none. */
export function timeIn(record: Body, field: string): number | undefined {
	const time = Date.parse(textIn(record, [field]) ?? '');
	return Number.isNaN(time) ? undefined : time;
}

/**
 * The media type in a record. Only `video` is documented; of a longer text (`text_to_image`, `image_to_video`), the
 * last media type in it counts. Without a text, a field of videos means `video`.
 */
export function typeIn(record: Body): string | undefined {
	const told = textIn(record, [GENERATION_TYPE_FIELD])?.toLowerCase().slice(0, MAX_TYPE);
	if (told === undefined)
		return VIDEO_FIELDS.some((name) => own(record, name)) ? 'video' : undefined;
	const at = MEDIA_TYPES.map((type) => told.lastIndexOf(type));
	const last = Math.max(...at);
	return last < 0 ? told : MEDIA_TYPES[at.indexOf(last)];
}

/** Whether it is a type that we know by name. */
export const isMediaType = (type: string | undefined) =>
	(MEDIA_TYPES as ReadonlyArray<string | undefined>).includes(type);

/** How many characters of a type are looked at. */
const MAX_TYPE = 100;

const MEDIA_TYPES = ['image', 'video', 'audio', 'text'] as const satisfies readonly MediaType[];

/** Fields of a completed video, and one of any video (section "Generation record"). */
const VIDEO_FIELDS = [...Object.values(GENERATION_ROUTE.urlFields ?? {}), 'video_model'];
