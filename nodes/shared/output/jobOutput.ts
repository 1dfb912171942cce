import type { IDataObject } from 'n8n-workflow';

import type { JobSnapshot } from '../jobs/job';
import { numberIn, pathsTo, textIn } from '../jobs/readRecord';
import type { Body } from '../service/bodies';
import { own, type Values } from '../spec/conditions';
import {
	COMPLETED_AT_FIELD,
	CREATED_AT_FIELD,
	CREDITS_REMAINING_FIELD,
	CREDITS_USED_FIELDS,
	ERROR_MESSAGE_FIELD,
	GENERATION_TYPE_FIELD,
	MODEL_FIELDS,
} from '../spec/records';
import { COMPLETED, FAILED } from '../spec/states';
import type { MediaType, StatusRoute } from '../spec/types';
import { mediaUrlsIn, type FoundUrl } from './mediaUrls';
import { resultIn, takesIn } from './musicResult';

export interface OutputOptions {
	/** Fields of our own with the record under `raw`, or the record alone. */
	simplify: boolean;
	/** Path of the result URL in the record; empty when not pinned. */
	resultField: string;
}

/** What is known of the job besides its record. */
export interface Origin {
	mediaType?: MediaType;
	route?: Pick<StatusRoute, 'urlFields'>;
	/** Path of the result URL that the credential names, where the document names none. */
	urlPath?: string;
	request?: Values;
	/** Name of the operation that made it, in n8n and (for music) in the service. */
	operation?: string;
}

/** The JSON of the item that stands for a job (design: "Output of a job"). */
export function jobOutput(job: JobSnapshot, origin: Origin, options: OutputOptions): IDataObject {
	if (!options.simplify) return recordOutput(job);
	const { record, creation } = job;
	const urls = resultUrls(job, origin, options);
	const mediaType = typeOf(job, origin);
	return {
		jobId: job.id,
		...(origin.operation === undefined ? {} : { operation: origin.operation }),
		status: job.state ?? null,
		mediaType,
		mediaUrl: urls.length === 1 ? (urls[0]?.url ?? null) : null,
		mediaUrls: urls.map(({ url }) => url),
		mediaUrlPaths: urls.map(({ path }) => path),
		creditsUsed: numberIn(record, CREDITS_USED_FIELDS) ?? numberIn(creation, CREDITS_USED_FIELDS),
		creditsRemaining:
			numberIn(record, [CREDITS_REMAINING_FIELD]) ?? numberIn(creation, [CREDITS_REMAINING_FIELD]),
		model:
			[record, creation, origin.request]
				.map((from) => textIn(from, MODEL_FIELDS))
				.find((found) => found !== null) ?? null,
		createdAt: textIn(record, [CREATED_AT_FIELD]),
		completedAt: textIn(record, [COMPLETED_AT_FIELD]),
		waitedMs: job.waitedMs,
		...(job.state === COMPLETED ? own(MORE, mediaType ?? '')?.(record, urls) : {}),
		...(job.state === FAILED ? { errorMessage: textIn(record, [ERROR_MESSAGE_FIELD]) } : {}),
		...(job.timedOut ? { timedOut: true } : {}),
		...(job.notWaited === undefined ? {} : { notWaited: job.notWaited }),
		raw: record as IDataObject,
	};
}

/**
 * The service's record alone, and what of the job it does not tell: its identifier, and that it did
 * not end in time.
 */
function recordOutput({ record, creation, id, state, timedOut }: JobSnapshot): IDataObject {
	if (timedOut) {
		return { ...creation, ...record, jobId: id, status: state ?? null, timedOut } as IDataObject;
	}
	const isNamed = Object.values(record).some(
		(value) => value === id || (typeof value === 'number' && String(value) === id),
	);
	return (isNamed ? record : { ...record, jobId: id }) as IDataObject;
}

/** What an item has besides, by the type of its media. */
const MORE: Record<string, (record: Body, urls: FoundUrl[]) => IDataObject> = {
	audio: (record, urls) => ({ takes: takesIn(record, urls) as unknown as IDataObject[] }),
	text: (record) => ({ result: resultIn(record) }),
	// A job that was found by its identifier may be either.
	'': (record, urls) => ({ ...MORE.audio?.(record, urls), ...MORE.text?.(record, urls) }),
};

/** The result URLs of a job; none before it is completed. */
export function resultUrls(
	job: JobSnapshot,
	origin: Origin,
	{ resultField }: Pick<OutputOptions, 'resultField'>,
): FoundUrl[] {
	if (job.state !== COMPLETED) return [];
	const { route, request, urlPath } = origin;
	const urlField = own(route?.urlFields ?? {}, typeOf(job, origin) ?? '');
	const search = { urlField, request };
	if (resultField) return mediaUrlsIn(job.record, { ...search, resultField });
	const set = urlPath !== undefined && urlField === undefined ? pathsTo(urlPath) : [];
	const found = set.map((path) => mediaUrlsIn(job.record, { ...search, resultField: path }));
	return found.find(({ length }) => length > 0) ?? mediaUrlsIn(job.record, search);
}

function typeOf({ record }: JobSnapshot, { mediaType }: Origin): string | null {
	return mediaType ?? textIn(record, [GENERATION_TYPE_FIELD]);
}
