import type { IPollFunctions } from 'n8n-workflow';

import { ALL_MEDIA, EVENTS, JOB_IDS, MEDIA_TYPE } from '../form/names';
import type { RunOptions } from '../form/options';
import { JOB_EVENTS, LISTED_MEDIA } from '../form/trigger';
import { InvalidValues, type ReadParameter } from '../request/request';
import { givenOptions, readOptions } from '../run/planItem';
import { cleanText } from '../service/shownText';
import { listInWords } from '../spec/values';
import type { ListedJob, Wanted } from './lists';

/** What a person has filled in: which jobs start the workflow, and how their items look. */
export interface Wishes {
	/** States of ended jobs that start the workflow. */
	states: ReadonlySet<string>;
	media: Wanted;
	/** Only these jobs; all when empty. */
	jobIds: ReadonlySet<string>;
	options: Pick<RunOptions, 'downloadMedia' | 'binaryPropertyName' | 'resultField' | 'simplify'>;
}

/** Characters of a value that an error shows. */
const MOST_SHOWN = 100;

/** @throws InvalidValues naming the parameter, its value and what it may be */
export function readWishes(context: IPollFunctions): Wishes {
	const read: ReadParameter = (name, fallback) => context.getNodeParameter(name, fallback ?? null);
	const events = namesIn(read(EVENTS, null));
	const media = namesIn(read(MEDIA_TYPE, ALL_MEDIA));
	const states = JOB_EVENTS.map(({ value, name }) => [value, `${value} (${name})`] as const);
	const mediaTypes = [ALL_MEDIA, ...LISTED_MEDIA].map((type) => [type, type] as const);
	const given = givenOptions(read);
	const jobIds = namesIn(given[JOB_IDS]);
	const problems = [
		...notAmong('Events', EVENTS, events, new Map(states)),
		...notAmong('Media Type', MEDIA_TYPE, media, new Map(mediaTypes)),
		...(JOB_IDS in given && jobIds.length === 0 ? [NO_JOB_ID] : []),
	];
	if (problems.length > 0) throw new InvalidValues(problems, NOTHING_READ);
	return {
		states: new Set(events),
		media: media[0] as Wanted,
		jobIds: new Set(jobIds),
		options: readOptions(read),
	};
}

/** Without any ID, all jobs would start the workflow. */
const NO_JOB_ID = `Options > Only These Job IDs (${JOB_IDS}) must have at least one job ID, but nothing is given; remove the option to watch all jobs`;

const NOTHING_READ = 'Correct the value. Until then the trigger looks for no jobs.';

/** The names in a list, or in a text with commas, semicolons, spaces or line breaks between them. */
function namesIn(value: unknown): string[] {
	if (Array.isArray(value)) return value.flatMap(namesIn);
	if (typeof value !== 'string' && typeof value !== 'number') return [];
	return String(value)
		.split(/[\s,;]+/)
		.filter((name) => name !== '');
}

/** @param known names that may be given, with their words */
function notAmong(
	label: string,
	field: string,
	names: readonly string[],
	known: ReadonlyMap<string, string>,
): string[] {
	const odd = names.find((name) => !known.has(name));
	if (names.length > 0 && odd === undefined) return [];
	const found = odd === undefined ? 'nothing is given' : `is "${cleanText(odd, MOST_SHOWN)}"`;
	return [`${label} (${field}) must be ${listInWords([...known.values()])}, but ${found}`];
}

/**
 * Whether a job starts the workflow; `undefined` where its list does not say what it makes.
 *
 * @param job which has ended
 */
export function isWished(
	{ states, media, jobIds }: Wishes,
	{ state, id, otherIds, type }: Pick<ListedJob, 'state' | 'id' | 'otherIds' | 'type'>,
): boolean | undefined {
	if (!states.has(state)) return false;
	if (jobIds.size > 0 && ![id, ...otherIds].some((one) => jobIds.has(one))) return false;
	if (media === ALL_MEDIA || type === media) return true;
	return type === undefined ? undefined : false;
}
