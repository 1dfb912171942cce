import { objectSchema, type Body } from '../service/bodies';
import {
	BESIDE_DATA,
	COMPLETED_AT_FIELD,
	CREATED_AT_FIELD,
	ENVELOPE,
	ID_FIELDS,
	STATE_FIELDS,
	STATE_LIKE,
	stateNamed,
	GENERATION_STATUS,
	GENERATION_TYPE_FIELD,
	VIDEO_MODEL_FIELD,
} from '../spec/answers';
import { REQUEST_FIELDS } from '../spec/catalogs';
import { own } from '../spec/conditions';
import type { MediaType } from '../spec/types';

export interface Identifier {
	/** Name of the field it was found in. */
	field: string;
	value: string;
}

/** Where a field is looked for first. */
export interface Hints {
	/** Names that the document has for it. */
	documented?: readonly string[];
	/** Path that the credential names; for what the document leaves open. */
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

const isIdentifier = (value: unknown) =>
	(typeof value === 'string' && value.trim() !== '') || Number.isFinite(value);

/**
 * The state of a job in its record, by the policy for open points ("state"): one of the four as the
 * document writes it, any other text as it is.
 */
export function stateIn(record: Body, { documented = [], set }: Hints = {}): string | undefined {
	const shown = named(record, documented).map(({ value }) => value);
	const pinned = set ? valueAt(record, set) : undefined;
	return stateOf(shown) ?? stateOf([pinned]) ?? stateOf(stateLikes(record), () => othersIn(record));
}

/** The first state among the values, or else among the others; or else the first text of the values. */
function stateOf(
	values: readonly unknown[],
	others: () => readonly string[] = () => [],
): string | undefined {
	const texts = values.filter((value): value is string => typeof value === 'string');
	return knownOf(texts) ?? knownOf(others()) ?? texts[0];
}

const knownOf = (texts: readonly string[]) => texts.map(stateNamed).find(Boolean);

/** What fields hold whose names are those of states, the likeliest first. */
function stateLikes(record: Body): unknown[] {
	const names = Object.keys(record).filter((name) => STATE_LIKE.test(name));
	return named(record, [...STATE_FIELDS, ...names]).map(({ value }) => value);
}

/** Texts that may be a state by what they say; a prompt or a title may say anything. */
function othersIn(record: Body): string[] {
	return placesIn(record)
		.flatMap((place) => Object.entries(place))
		.filter(([name]) => !REQUEST_FIELDS.has(name))
		.flatMap(([, value]) => (typeof value === 'string' ? [value] : []));
}

/** The record, and what stood beside `data` under names that it has, too. */
function placesIn(record: Body): Body[] {
	// As a rule there is nothing; a schema would make an error of it for each field of each entry of a list.
	if (record[BESIDE_DATA] === undefined) return [record];
	const beside = objectSchema.safeParse(record[BESIDE_DATA]);
	return beside.success ? [record, beside.data] : [record];
}

/** What those fields hold of these names that there are, those of one name after another. */
function named(record: Body, names: readonly string[]) {
	const places = placesIn(record);
	const found: Array<{ field: string; value: unknown }> = [];
	// A list has many records, and each but few of the names: nothing is made for the others.
	for (const field of names) {
		for (const place of places) {
			const value = own(place, field);
			if (value !== undefined) found.push({ field, value });
		}
	}
	return found;
}

/** What is at a dotted path (`job.id`, `jobs[0].id`). */
function valueAt(record: Body, path: string): unknown {
	return pathsTo(path)
		.map((one) => keysOf(one).reduce<unknown>(fieldOf, record))
		.find((value) => value !== undefined);
}

/** A field of what may be no object. */
const fieldOf = (value: unknown, name: string): unknown =>
	typeof value === 'object' && value !== null ? own(value as Body, name) : undefined;

/** Where a path leads in a record: as it is, and without the envelope that the service's body has. */
export const pathsTo = (path: string): string[] => [path, withoutEnvelope(path)];

/** How a path into the envelope starts; a list of one record stands for the record. */
const ENVELOPE_STARTS = [ENVELOPE.data, `${ENVELOPE.data}[0]`];

function withoutEnvelope(path: string): string {
	const start = ENVELOPE_STARTS.find((each) => path === each || path.startsWith(`${each}.`));
	return start === undefined ? path : path.slice(start.length + 1);
}

const keysOf = (path: string): string[] => path.match(/[^.[\]]+/g) ?? [];

/** The first of the named fields that holds a text. */
export function textIn(record: Body | undefined, names: readonly string[]): string | null {
	return valuesIn(record, names).find((value) => typeof value === 'string') ?? null;
}

/** The first of the named fields that holds a number. */
export function numberIn(record: Body | undefined, names: readonly string[]): number | null {
	return valuesIn(record, names).find((value) => typeof value === 'number') ?? null;
}

const valuesIn = (record: Body | undefined, names: readonly string[]) =>
	record ? named(record, names).map(({ value }) => value) : [];

/** The time that a field tells, ms since 1970; `undefined` where it tells none. */
export function timeIn(record: Body, field: string): number | undefined {
	const time = Date.parse(textIn(record, [field]) ?? '');
	return Number.isNaN(time) ? undefined : time;
}

/** How long a job took by its own account, ms; `undefined` where its record does not tell. */
export function durationIn(record: Body): number | undefined {
	const [from = NaN, to = NaN] = [CREATED_AT_FIELD, COMPLETED_AT_FIELD].map((field) =>
		timeIn(record, field),
	);
	return to >= from ? to - from : undefined;
}

/**
 * The type that a record tells: `video` is shown, that of images is not, and may be more than a word
 * (`text_to_image`, `image_to_video`): the last one counts. Without one, fields of videos tell.
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

/** Characters that are looked at. */
const MAX_TYPE = 100;

const MEDIA_TYPES = ['image', 'video', 'audio', 'text'] as const satisfies readonly MediaType[];

/** Of a completed video, and of any (section "Generation record"). */
const VIDEO_FIELDS = [...Object.values(GENERATION_STATUS.urlFields), VIDEO_MODEL_FIELD];
