import type { ListEntry } from '../jobs/historyEntries';
import { identifiersIn, timeIn } from '../jobs/readRecord';
import { typeIn } from '../jobs/recordType';
import type { Body } from '../service/bodies';
import { COMPLETED_AT_FIELD, isFinal } from '../spec/answers';
import type { JobSource } from '../spec/catalogs';
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
	{ id, state, record, createdAt }: ListEntry,
	{ source, mediaType }: Stream,
): ListedJob | Lack {
	if (!record || id === undefined) return 'identifier';
	if (state === undefined) return 'state';
	const others = identifiersIn(record).map(({ value }) => value);
	return {
		id,
		otherIds: [...new Set(others)].filter((other) => other !== id).slice(0, MOST_OTHER_IDS),
		state,
		createdAt,
		endedAt: timeIn(record, COMPLETED_AT_FIELD),
		type: typeIn(record) ?? mediaType,
		record,
		source,
	};
}

/** Other identifiers of one entry that are looked at. */
export const MOST_OTHER_IDS = 2;

/** Whether the list says that the job has ended. */
export const hasEnded = ({ state }: Pick<ListedJob, 'state'>) => isFinal(state);
