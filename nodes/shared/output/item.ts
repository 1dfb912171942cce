import type { IDataObject } from 'n8n-workflow';

import type { Job, JobSnapshot } from '../orders/job';
import { numberIn, reasonIn, textIn } from '../orders/readRecord';
import { JOB_FAILED, ofFree } from '../service/serviceError';
import {
	COMPLETED,
	COMPLETED_AT_FIELD,
	CREATED_AT_FIELD,
	CREDITS_REMAINING_FIELD,
	CREDITS_USED_FIELDS,
	DETAILS,
	ERROR_MESSAGE_FIELD,
	FAILED,
	isFinal,
	isUnfinished,
	MODEL_FIELDS,
	PROMPT_FIELD,
	SOURCE_AUDIO,
	SOURCE_JOB,
} from '../spec/answers';
import type { Values } from '../spec/values';
import { promptOf } from '../spec/field';
import { isFree } from '../spec/price';
import type { CreateOperation } from '../spec/operation';
import {
	type Found,
	mediaTypeOf,
	resultIn,
	resultUrls,
	type ResultUrls,
	type UrlOrigin,
} from './resultUrls';

interface OutputOptions {
	/** Whether to give fields of our own rather than the service's record. */
	simplify: boolean;
	/** Path of the result URL in the record; empty when not pinned. */
	resultField: string;
}

/** What is known of the job besides its record. */
export interface Origin extends UrlOrigin {
	/** Name of the operation that made it, in n8n and (for music) in the service. */
	operation?: string;
	/** The value of *Started With*, by which the nodes know how to read the job (spec/jobs). */
	startedWith?: string;
	/** Path of its status, with a placeholder for the identifier, where a link of the service led to it. */
	statusPath?: string;
	/** What was asked for, in words. */
	prompt?: string;
	/** The song that it was made from, for the nodes that come next. */
	source?: IDataObject;
	/** The document does not show the answer to its creation. */
	isAnswerOpen?: boolean;
	/** The document says that it costs nothing. */
	isFree?: boolean;
}

/**
 * The JSON of a job's item, with the fields that people need most at the top and first, the others in `details`
 * (docs/maintainers/rules.md, "Output of a job"). What the service has not said is left out; only `status` and,
 * where there are media, `mediaUrl` are null instead.
 *
 * @param urls the URLs of the job's result
 */
export function jobOutput(
	job: JobSnapshot,
	origin: Origin,
	options: OutputOptions = { simplify: true, resultField: '' },
	urls: ResultUrls = resultUrls(job, origin, options.resultField),
): IDataObject {
	if (!options.simplify) return recordOutput(job, origin);
	return arranged(factsOf(job, origin, urls), 'job');
}

function factsOf(job: JobSnapshot, origin: Origin, urls: ResultUrls): IDataObject {
	const { record, creation, state } = job;
	const hasFailed = state === FAILED;
	const isDone = state === COMPLETED;
	const mediaType = mediaTypeOf(job, origin);
	const main = urls.main.map(({ url }) => url);
	const others = urls.others.map(({ path, url }) => ({ path, url }));
	const result = resultIn(record);
	// One that was found by its identifier may be of any type.
	const isText = mediaType === 'text' || (!mediaType && Object.keys(result).length > 0);
	const isMedia = mediaType !== 'text' || main.length > 0;
	const takes = mediaType === 'audio' || mediaType === null ? urls.main.map(asTake) : [];
	const creditsUsed = creditsTold(job, CREDITS_USED_FIELDS);
	const wasFree = origin.isFree && !Number(creditsUsed);
	return {
		...(isMedia ? { mediaUrl: main[0] ?? null } : {}),
		status: state ?? null,
		...known({
			mediaUrls: isMedia && !hasFailed ? main : undefined,
			jobId: job.id,
			...(hasFailed ? (wasFree ? ofFree(JOB_FAILED) : JOB_FAILED) : {}),
			mediaType,
			creditsUsed,
			creditsRemaining: creditsTold(job, [CREDITS_REMAINING_FIELD]),
			errorMessage: whyFailed(job),
			timedOut: job.timedOut,
			notWaited: job.notWaited,
			audioId: takes[0]?.audioId,
			takes: isDone && (mediaType === 'audio' || takes.length > 0) ? takes : undefined,
			result: isDone && isText ? result : undefined,
			otherUrls: others.length > 0 ? others : undefined,
			// The service's word goes first: a person may have asked for a job by its ID.
			prompt: textIn(record, [PROMPT_FIELD]) ?? textIn(creation, [PROMPT_FIELD]) ?? origin.prompt,
			model: [record, creation, origin.request]
				.map((from) => textIn(from, MODEL_FIELDS))
				.find((found) => found !== null),
			createdAt: textIn(record, [CREATED_AT_FIELD]),
			completedAt: textIn(record, [COMPLETED_AT_FIELD]),
			waitedMs: job.waitedMs,
			operation: origin.operation,
			startedWith: origin.startedWith,
			statusPath: origin.statusPath,
			...origin.source,
			// Until the job has ended, since the answer may give it another name.
			answer: origin.isAnswerOpen && !isFinal(state ?? '') ? creation : undefined,
		}),
	};
}

/** Why a job has failed; in a state that is not documented, only what is called an error: a message may be good news. */
function whyFailed({ state = '', record }: JobSnapshot): string | null {
	if (state === COMPLETED || isUnfinished(state)) return null;
	return state === FAILED ? reasonIn(record) : textIn(record, [ERROR_MESSAGE_FIELD, 'error']);
}

/** A number of credits from the record of a job, or else from the answer to its creation. */
export const creditsTold = ({ record, creation }: JobSnapshot, fields: readonly string[]) =>
	numberIn(record, fields) ?? numberIn(creation, fields);

/** A take of a song; its identifier is absent where the record has none. */
const asTake = ({ url, audioId }: Found): IDataObject => known({ audioId, mediaUrl: url });

/** The fields whose values are known. */
function known(fields: Record<string, IDataObject[string]>): IDataObject {
	return Object.fromEntries(
		Object.entries(fields).filter(([, value]) => value !== null && value !== undefined),
	);
}

/**
 * The service's record, with what the next node needs and the record lacks: the job's identifier, what it
 * was started with, and that it did not end in time.
 */
function recordOutput(
	{ record, creation, id, state, timedOut }: JobSnapshot,
	{ startedWith, statusPath }: Origin,
): IDataObject {
	const ours = { jobId: id, ...known({ startedWith, statusPath }) };
	const late = timedOut && { status: state ?? null, timedOut };
	return { ...(late && creation), ...record, ...ours, ...late } as IDataObject;
}

/**
 * What the operation that created a job tells about it.
 *
 * @param request the values that were sent
 * @param job where its state is read, as far as that is known
 */
export function originOf(
	operation: CreateOperation,
	request: Values,
	{ status: route, link }: Partial<Pick<Job, 'status' | 'link'>> = {},
): Origin {
	const { mediaType, operation: name, result } = operation;
	return {
		...(mediaType && { mediaType }),
		...(route && { route }),
		request,
		operation: name,
		prompt: promptOf(operation, request),
		...(operation.passesSourceOn && { source: sourceIn(request) }),
		// The place where the status was found goes first, even if it is that of another operation.
		startedWith: route?.proof?.startedWith ?? operation.status.value,
		statusPath: route?.proof?.link ?? link,
		isAnswerOpen: result === undefined,
		isFree: isFree(operation, request),
	};
}

const sourceIn = ({ source, audio_id: audioId }: Values) =>
	({ [SOURCE_JOB]: source, [SOURCE_AUDIO]: audioId }) as IDataObject;

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
