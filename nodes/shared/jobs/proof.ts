import type { Body } from '../service/bodies';
import { CREATED_AT_FIELD, GENERATION_ID, PROMPT_FIELD } from '../spec/answers';
import type { MediaType } from '../spec/types';
import { identifiersIn, isMediaType, textIn, timeIn, typeIn, type Identifier } from './readRecord';

/** What is known of a job by which a record can be told from that of another. */
export interface JobFacts {
	/** As the answer to its creation names them. */
	identifiers: readonly Identifier[];
	/** As it is compared. */
	prompt?: string;
	mediaType?: MediaType;
	/** When the answer to its creation came, ms since 1970. */
	createdAt?: number;
	/**
	 * The identifier in the address that the service itself gave of this job, by a link or as generation_id: no more
	 * is needed, unless the record names another.
	 */
	addressedBy?: string;
}

/** A prompt as it can be compared: a service may trim it, or change its case and white space. */
export function plainPrompt(prompt: unknown): string {
	return typeof prompt === 'string' ? prompt.trim().split(/\s+/).join(' ').toLowerCase() : '';
}

/** Characters of a prompt that are compared. */
const COMPARED = 300;

/** The part of it that is compared. */
export const comparedPrompt = (prompt: unknown): string => plainPrompt(prompt).slice(0, COMPARED);

/** Shorter identifiers, and numbers, may be those of something else in another table of the service. */
const LEAST_ID = 8;

/** Clocks may be so far apart, and a creation may take so long to be answered, ms. */
const SKEW_MS = 10_000;
const CREATION_MS = 60_000;

/** Whatever the clocks say, a job is not of another day, ms. */
const NEAR_MS = 86_400_000;

/**
 * Why a record is not that of the job, or may not be; `undefined` where it proves that it is. An identifier that
 * nothing else can have proves it, unless the record tells another prompt, type of media or day. A short one or a
 * number has to have the same name, and the prompt and the time have to be those of the job.
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

/** An identifier that nothing else has. */
export const isUnmistakable = (id: string): boolean => id.length >= LEAST_ID && !/^\d+$/.test(id);

/** One may have been made of the other: cut, or prolonged. */
export function isAlike(told: string, sent: string): boolean {
	return told.startsWith(sent) || sent.startsWith(told.replace(/(?:…|\.\.\.)$/, ''));
}

/** Identifiers of a job, that by which it is known first. */
export function identifiersOf({ id, creation }: { id: string; creation: Body }): Identifier[] {
	const all = identifiersIn(creation);
	const own = all.find(({ value }) => value === id) ?? { field: 'identifier', value: id };
	return [own, ...all.filter(({ value }) => value !== id)];
}
