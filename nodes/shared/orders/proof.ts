import type { Body } from '../service/bodies';
import { CREATED_AT_FIELD, GENERATION_ID, PROMPT_FIELD } from '../spec/answers';
import type { MediaType } from '../spec/types';
import { identifiersIn, isMediaType, textIn, timeIn, typeIn, type Identifier } from './readRecord';

/** Facts about a job by which its record can be told from that of another. */
export interface JobFacts {
	/** As the answer to its creation names them. */
	identifiers: readonly Identifier[];
	/** In the form that is compared (`comparedPrompt`). */
	prompt?: string;
	mediaType?: MediaType;
	/** When the answer to its creation came, ms since 1970. */
	createdAt?: number;
	/**
	 * The identifier in the address that the service itself gave for this job, as a link or a generation_id: no more
	 * proof is needed there, unless the record names another job.
	 */
	addressedBy?: string;
}

/** A prompt in a form that can be compared: a service may trim it, or change its case and white space. */
export function plainPrompt(prompt: unknown): string {
	return typeof prompt === 'string' ? prompt.trim().split(/\s+/).join(' ').toLowerCase() : '';
}

/** How many characters of a prompt are compared. */
const COMPARED = 300;

/** The part of a prompt that is compared. */
export const comparedPrompt = (prompt: unknown): string => plainPrompt(prompt).slice(0, COMPARED);

/** Identifiers shorter than this, and numbers, may stand for something else in another table of the service. */
const LEAST_ID = 8;

/** How far apart clocks may be, and how long a creation may take to be answered, ms. */
const SKEW_MS = 10_000;
const CREATION_MS = 60_000;

/** Whatever the clocks say, a record made further than this from the job's creation is not the job's, ms. */
const NEAR_MS = 86_400_000;

/**
 * Why a record is not the job's, or may not be; `undefined` if it proves to be. An identifier that nothing else can
 * have is proof, unless the record has another prompt, media type or day. A short one or a number must have the same
 * name, and the prompt and the time must be the job's.
 */
export function mismatchIn(record: Body, facts: JobFacts): string | undefined {
	const { identifiers, prompt = '', mediaType, createdAt } = facts;
	const told = identifiersIn(record);
	const named = told.filter(({ value }) => identifiers.some((own) => own.value === value));
	if (told.length > 0 && named.length === 0) return `it is about job ${told[0]!.value}`;
	const type = typeIn(record);
	if (mediaType !== undefined && isMediaType(type) && type !== mediaType)
		return `it is about a job of type ${type}`;
	const toldPrompt = comparedPrompt(textIn(record, [PROMPT_FIELD]));
	if (toldPrompt !== '' && prompt !== '' && !isAlike(toldPrompt, prompt))
		return 'it has another prompt';
	const afterMs = (timeIn(record, CREATED_AT_FIELD) ?? NaN) - (createdAt ?? NaN);
	if (Math.abs(afterMs) > NEAR_MS) return 'it is about a job of another day';
	const { addressedBy } = facts;
	const isAddressed =
		addressedBy !== undefined &&
		(told.length === 0 || named.some(({ value }) => value === addressedBy));
	if (isAddressed || named.some(({ value }) => isUnmistakable(value))) return undefined;
	const isInTime = afterMs >= -CREATION_MS && afterMs <= SKEW_MS;
	const isSameName = told.some((one) => identifiers.some((own) => isSameIdentifier(one, own)));
	const isOther = told.some((one) => identifiers.some((own) => isOtherIdentifier(one, own)));
	const isPrompt = prompt !== '' && toldPrompt === prompt;
	return isSameName && !isOther && isPrompt && isInTime
		? undefined
		: 'it does not prove which job it is about';
}

/** The record of a generation calls its generation_id `id`. */
const nameOf = (field: string) => (field === GENERATION_ID ? 'id' : field);

const isSameIdentifier = (one: Identifier, other: Identifier): boolean =>
	nameOf(one.field) === nameOf(other.field) && one.value === other.value;

const isOtherIdentifier = (one: Identifier, other: Identifier): boolean =>
	one.field === other.field && one.value !== other.value;

/** Whether nothing else can have this identifier. */
export const isUnmistakable = (id: string): boolean => id.length >= LEAST_ID && !/^\d+$/.test(id);

/** Whether one prompt may be the other, cut or extended. */
export function isAlike(told: string, sent: string): boolean {
	return told.startsWith(sent) || sent.startsWith(told.replace(/(?:…|\.\.\.)$/, ''));
}

/** All identifiers of a job, first the one by which it is known. */
export function identifiersOf({ id, creation }: { id: string; creation: Body }): Identifier[] {
	const all = identifiersIn(creation);
	const own = all.find(({ value }) => value === id) ?? { field: 'identifier', value: id };
	return [own, ...all.filter(({ value }) => value !== id)];
}
