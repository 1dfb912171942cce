import type { Body } from '../service/bodies';
import type { Found } from './job';
import { identifiersIn, type Identifier } from './readRecord';

/** A prompt in a form that can be compared: a service may trim it, or change its case and white space. */
export function plainPrompt(prompt: unknown): string {
	return typeof prompt === 'string' ? prompt.trim().split(/\s+/).join(' ').toLowerCase() : '';
}

/** How many characters of a prompt are compared. */
const COMPARED = 300;

/** The part of a prompt that is compared. */
export const comparedPrompt = (prompt: unknown): string => plainPrompt(prompt).slice(0, COMPARED);

/** Whether one prompt may be the other, cut or extended. */
export function isAlike(told: string, sent: string): boolean {
	return told.startsWith(sent) || sent.startsWith(told.replace(/(?:…|\.\.\.)$/, ''));
}

/** Identifiers shorter than this, and numbers, may stand for something else in another table of the service. */
const LEAST_ID = 8;

/** Whether nothing else can have this identifier. */
export const isUnmistakable = (id: string): boolean => id.length >= LEAST_ID && !/^\d+$/.test(id);

/** All identifiers of a job, first the one by which it is known. */
export function identifiersOf({ id, creation }: { id: string; creation: Body }): Identifier[] {
	const all = identifiersIn(creation);
	const own = all.find(({ value }) => value === id) ?? { field: 'identifier', value: id };
	return [own, ...all.filter(({ value }) => value !== id)];
}

/**
 * Why a record is not that of a job, or may not be; `undefined` if it proves to be: it has an identifier of the job
 * that nothing else can have, or was read at a link that the service gave for this job, and names no other.
 */
export function mismatchIn(
	record: Body,
	{ identifiers, link }: Pick<Found, 'identifiers' | 'link'>,
): string | undefined {
	const told = identifiersIn(record);
	const own = told.filter(({ value }) => identifiers.some((known) => known.value === value));
	const [other] = told;
	if (other && own.length === 0) return `it is about job ${other.value}`;
	return link !== undefined || own.some(({ value }) => isUnmistakable(value))
		? undefined
		: 'it does not prove which job it is about';
}
