import { identifierIn, identifiersIn, stateIn, textIn } from '../jobs/readRecord';
import { typeIn } from '../jobs/recordType';
import { jobRecord, type Body } from '../service/bodies';
import type { Service } from '../service/service';
import { COMPLETED_AT_FIELD, CREATED_AT_FIELD } from '../spec/records';
import { isFinal } from '../spec/states';
import type { JobSource } from '../spec/types';
import type { Stream } from './stream';

/** A job as a list shows it. */
export interface ListedJob {
	/** By which its status is read. */
	id: string;
	/** Other identifiers that the entry has: another list, or a later entry, may know the job by them. */
	otherIds: readonly string[];
	/** One of the service's states, or another text that it gave. */
	state: string;
	/** ms since 1970, by the clock of the service. */
	createdAt?: number;
	endedAt?: number;
	/** Type of its media; under a name that we do not know, that. */
	type?: string;
	record: Body;
	/** What another list tells of it, where that does not know its end yet. */
	elsewhere?: Body;
	source: JobSource;
}

/** What an entry lacks that is not a job to us. */
export type Lack = 'identifier' | 'state';

/** The job that an entry of a list shows, or what it lacks to be one (open points "identifier", "state"). */
export function listedJob(
	entry: unknown,
	{ source, mediaType }: Stream,
	service: Pick<Service, 'field'>,
): ListedJob | Lack {
	const record = jobRecord(entry);
	if (!record) return 'identifier';
	const hints = { documented: source.idFields, set: service.field('identifier') };
	const id = identifierIn(record, hints)?.value;
	if (id === undefined || id.length > MAX_ID) return 'identifier';
	const { stateField } = source.route.route;
	const state = stateIn(record, {
		// What the document shows of a record holds for the entry, too.
		documented: stateField === undefined ? [] : [stateField],
		set: service.field('state'),
	});
	if (state === undefined) return 'state';
	const others = identifiersIn(record).map(({ value }) => value);
	return {
		id,
		otherIds: [...new Set(others)].filter((other) => other !== id).slice(0, MOST_OTHER_IDS),
		state,
		createdAt: timeIn(record, CREATED_AT_FIELD),
		endedAt: timeIn(record, COMPLETED_AT_FIELD),
		type: typeIn(record) ?? mediaType,
		record,
		source,
	};
}

/** Other identifiers of one entry that are looked at. */
export const MOST_OTHER_IDS = 2;

/** Characters of an identifier; a longer one is none. */
const MAX_ID = 500;

function timeIn(record: Body, field: string): number | undefined {
	const time = Date.parse(textIn(record, [field]) ?? '');
	return Number.isNaN(time) ? undefined : time;
}

/** Whether the list says that the job has ended. */
export const hasEnded = ({ state }: Pick<ListedJob, 'state'>) => isFinal(state);
