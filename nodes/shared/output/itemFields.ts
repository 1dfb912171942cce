import type { IDataObject } from 'n8n-workflow';

import { DETAILS, PROMPT_FIELD } from '../spec/answers';
import { own, type Values } from '../spec/conditions';
import { isPayload } from '../spec/field';
import type { Operation } from '../spec/operation';

/**
 * The fields at the top of an item, by what it is about, in the order in which people need them. All others are one
 * level down, in `details`. No item has more than ten fields, whatever became of its job.
 */
export const TOP_FIELDS = {
	/** A job as it was read. */
	job: [
		'mediaUrl',
		'status',
		'jobId',
		'mediaType',
		'creditsUsed',
		'mediaUrls',
		'errorMessage',
		'charged',
		'retry',
		'timedOut',
		'notWaited',
		'audioId',
		'takes',
		'result',
		'prompt',
	],
	/** What was ordered: a row that has failed, or what an execution has paid for, or may have. */
	order: [
		'error',
		'mediaUrl',
		'status',
		'jobId',
		'charged',
		'retry',
		'errorMessage',
		'creditsUsed',
		'itemIndex',
		'description',
		'prompt',
		'unknownOutcome',
		'mayBeJobs',
		'notWaited',
		'timedOut',
		'mediaUrls',
		'audioId',
		'takes',
		'result',
	],
} as const satisfies Record<string, readonly string[]>;

/** How many fields an item has besides `details`. */
const MOST_AT_TOP = 9;

/** An item with all its fields at the top. */
export function flat({ [DETAILS]: details, ...top }: IDataObject): IDataObject {
	return { ...top, ...(details as IDataObject | undefined) };
}

/** The same without the named fields. */
export function flatWithout(item: IDataObject, ...names: readonly string[]): IDataObject {
	return Object.fromEntries(Object.entries(flat(item)).filter(([name]) => !names.includes(name)));
}

/** An item with the fields that people need most at the top, the others in `details`. */
export function arranged(fields: IDataObject, about: keyof typeof TOP_FIELDS): IDataObject {
	const all = flat(fields);
	const names: readonly string[] = TOP_FIELDS[about];
	const top = names.filter((name) => all[name] !== undefined).slice(0, MOST_AT_TOP);
	const rest = Object.keys(all).filter((name) => all[name] !== undefined && !top.includes(name));
	const these = (chosen: readonly string[]) =>
		Object.fromEntries(chosen.map((name) => [name, all[name]]));
	return { ...these(top), ...(rest.length > 0 ? { [DETAILS]: these(rest) } : {}) };
}

/**
 * What a person has asked for, in words: the prompt, or the text that stands for it, such as the style of a song.
 * `undefined` where there is none.
 */
export function promptOf({ fields }: Pick<Operation, 'fields'>, values: Values) {
	const texts = fields.filter(({ property }) => property.typeOptions?.rows).map(({ name }) => name);
	const pairs = fields.filter(isPayload).map(({ name }) => own(values, name));
	return [
		own(values, PROMPT_FIELD),
		...pairs.map((pair) => own(Object(pair) as Values, PROMPT_FIELD)),
		...texts.map((name) => own(values, name)),
	].find((value): value is string => typeof value === 'string' && value.trim() !== '');
}
