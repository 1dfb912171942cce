import type { Body } from '../service/bodies';
import { CREATED_AT_FIELD, GENERATION_ID, PROMPT_FIELD } from '../spec/answers';
import type { MediaType } from '../spec/types';
import { identifiersIn, isMediaType, textIn, timeIn, typeIn } from './readRecord';

/** What is known of a job by which a record can be told from that of another. */
export interface JobFacts {
	/** Its identifiers. */
	ids: readonly string[];
	/** One of them is a generation_id: what the documented status is asked with. */
	isGeneration?: boolean;
	/** As it can be compared, and cut. */
	prompt?: string;
	mediaType?: MediaType;
	/** When the answer to its creation came, ms since 1970; as late as can be where that is not known. */
	createdAt?: number;
}

/** Characters of a prompt that are compared. */
const COMPARED = 300;

/** A prompt as it can be compared: a service may trim it, or change its case and white space. */
export function plainPrompt(prompt: unknown): string {
	return typeof prompt === 'string' ? prompt.trim().split(/\s+/).join(' ').toLowerCase() : '';
}

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
 * Why a record is not that of the job, or may not be; `undefined` where it proves that it is. Its identifier proves
 * it, unless the record tells another prompt, type of media or day. An identifier that others may have, too, proves it
 * together with the prompt. A record without any, at an address with the job's identifier, has to have the prompt and
 * the time.
 */
export function whyNotOf(record: Body, facts: JobFacts): string | undefined {
	const { ids, prompt = '', mediaType, createdAt } = facts;
	const told = identifiersIn(record).map(({ value }) => value);
	const named = [...told, ...textsIn(record)].filter((id) => ids.includes(id));
	if (told.length > 0 && named.length === 0) return `it is about job ${told[0]}`;
	const type = typeIn(record);
	if (mediaType !== undefined && isMediaType(type) && type !== mediaType)
		return `it is about a job of type ${type}`;
	const toldPrompt = comparedPrompt(textIn(record, [PROMPT_FIELD]));
	const isPromptKnown = toldPrompt !== '' && prompt !== '';
	if (isPromptKnown && !isAlike(toldPrompt, prompt)) return 'it has another prompt';
	const afterMs = (timeIn(record, CREATED_AT_FIELD) ?? NaN) - (createdAt ?? NaN);
	if (Math.abs(afterMs) > NEAR_MS) return 'it is about a job of another day';
	const isOwnId = facts.isGeneration === true || named.some(isUnmistakable);
	const isInTime = afterMs >= -CREATION_MS && afterMs <= SKEW_MS;
	const isProven = named.length > 0 ? isOwnId || isPromptKnown : isPromptKnown && isInTime;
	return isProven ? undefined : 'it does not show which job it is about';
}

/** Identifiers may stand under other names than the known ones. */
const textsIn = (record: Body): string[] =>
	Object.values(record).filter(
		(value): value is string => typeof value === 'string' && isUnmistakable(value),
	);

const isUnmistakable = (id: string): boolean => id.length >= LEAST_ID && !/^\d+$/.test(id);

/** One may have been made of the other: cut, or prolonged. */
export function isAlike(told: string, sent: string): boolean {
	return told.startsWith(sent) || sent.startsWith(told.replace(/(?:…|\.\.\.)$/, ''));
}

/** What is known of a job from the answer to its creation. */
export function factsOf(
	{ id, creation, startedAt }: { id: string; creation: Body; startedAt: number },
	prompt: unknown,
	mediaType?: MediaType,
): JobFacts {
	const identifiers = identifiersIn(creation);
	return {
		ids: [...new Set([id, ...identifiers.map(({ value }) => value)])],
		isGeneration: identifiers.some(({ field }) => field === GENERATION_ID),
		prompt: comparedPrompt(prompt),
		mediaType,
		createdAt: startedAt,
	};
}
