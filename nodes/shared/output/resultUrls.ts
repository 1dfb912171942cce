import type { IDataObject } from 'n8n-workflow';

import type { JobSnapshot } from '../jobs/job';
import { identifierIn, pathsTo, textIn } from '../jobs/readRecord';
import { objectIn, type Body } from '../service/bodies';
import {
	BESIDE_DATA,
	COMPLETED,
	COMPLETED_AT_FIELD,
	CREATED_AT_FIELD,
	CREDITS_REMAINING_FIELD,
	CREDITS_USED_FIELDS,
	GENERATION_TYPE_FIELD,
	ID_FIELDS,
	MODEL_FIELDS,
	STATUS_FIELD,
} from '../spec/answers';
import { own, type Values } from '../spec/conditions';
import type { MediaType, StatusRoute } from '../spec/types';
import { bestUrls, type FoundUrl, mediaUrlsIn, type Place, withoutRepeats } from './mediaUrls';

/** What is known of a job that tells its result apart from other URLs. */
export interface UrlOrigin {
	mediaType?: MediaType;
	route?: Pick<StatusRoute, 'urlFields'>;
	/** Path of the result URL that the credential names, where the document names none. */
	urlPath?: string;
	request?: Values;
	/** What relative addresses are relative to. */
	baseUrl?: string;
}

/** The URLs of a completed job. All that its record has are in `main` or in `others`. */
export interface ResultUrls {
	/** The result; several where it is a series. */
	main: string[];
	others: OtherUrl[];
	/** Those of the others that may just as well be the result. */
	rivals: OtherUrl[];
	/** Only for a job that may make music. */
	takes: Take[];
	/** Where the first of `main` is in the record. */
	path?: string;
	/** The record has that one without its host. */
	isRelative?: boolean;
	/**
	 * The field in which a completed job lacks its result: the one that is pinned, documented or set, or `any field`
	 * where there is none. `undefined` where the result is there, and where there need not be a URL.
	 */
	missing?: string;
}

/** Types of media that may come in takes; null is for a job of unknown type, found by its identifier. */
const HAS_TAKES: ReadonlyArray<string | null> = ['audio', null];

/**
 * The result URLs of a job; none before it is completed.
 *
 * @param resultField path of the result URL in the record; empty when not pinned
 */
export function resultUrls(job: JobSnapshot, origin: UrlOrigin, resultField: string): ResultUrls {
	if (job.state !== COMPLETED) return { main: [], others: [], rivals: [], takes: [] };
	const { record } = job;
	const mediaType = mediaTypeOf(job, origin);
	const candidates = candidatesIn(job, origin, resultField);
	const best = bestUrls(candidates, mediaType);
	const all = withoutRepeats([
		...mediaUrlsIn(record, { request: origin.request }),
		// A text may count as a URL only because the user has pinned it.
		...candidates,
	]);
	const takes = HAS_TAKES.includes(mediaType)
		? takesIn(record, { candidates, all }, mediaType)
		: [];
	const main =
		takes.length > 0 ? takes.map(({ mediaUrl }) => mediaUrl) : best.series.map(({ url }) => url);
	const first = candidates.find(({ url }) => url === main[0]);
	return {
		main,
		missing: missingField(job, origin, resultField, first?.path),
		others: without(all, main),
		rivals: without([...best.series, ...best.rivals], main),
		takes,
		path: first?.path,
		isRelative: first?.isRelative === true,
	};
}

/** @param found the path of the result; `undefined` where none was found */
function missingField(
	job: JobSnapshot,
	origin: UrlOrigin,
	resultField: string,
	found: string | undefined,
): string | undefined {
	const type = mediaTypeOf(job, origin);
	const documented = documentedField(job, origin);
	const [ofAnyType] = Object.values(origin.route?.urlFields ?? {});
	if (found !== undefined) return resultField || found === documented ? undefined : documented;
	// A job that was found by its identifier may be one of text.
	if (type === 'text' || (type === null && ofAnyType === undefined)) return undefined;
	return resultField || documented || origin.urlPath || (type === null && ofAnyType) || ANY_FIELD;
}

const ANY_FIELD = 'any field';

/** The type of media that a job makes, in the record's own words where the operation does not tell. */
export function mediaTypeOf({ record }: JobSnapshot, { mediaType }: UrlOrigin): string | null {
	return mediaType ?? textIn(record, [GENERATION_TYPE_FIELD]);
}

/** URLs at the user's `resultField`, the documented field or the one that the credential names; otherwise all. */
function candidatesIn(job: JobSnapshot, origin: UrlOrigin, resultField: string): FoundUrl[] {
	const { record } = job;
	const { request, urlPath, baseUrl } = origin;
	const urlField = documentedField(job, origin);
	const search = { urlField, request, baseUrl };
	if (resultField) return mediaUrlsIn(record, { ...search, resultField });
	const set = urlPath !== undefined && urlField === undefined ? pathsTo(urlPath) : [];
	const found = set.map((path) => mediaUrlsIn(record, { ...search, resultField: path }));
	return found.find(({ length }) => length > 0) ?? mediaUrlsIn(record, search);
}

/** The field that the document names for the result. */
function documentedField(job: JobSnapshot, origin: UrlOrigin): string | undefined {
	return own(origin.route?.urlFields ?? {}, mediaTypeOf(job, origin) ?? '');
}

/** What was found, without these URLs. */
function without(found: readonly FoundUrl[], urls: readonly string[]): OtherUrl[] {
	const left = new Set(urls);
	return found.filter(({ url }) => !left.has(url)).map(({ path, url }) => ({ path, url }));
}

/** Name under which operations ask for a take (section "Fields per operation"). */
const AUDIO_ID = 'audio_id';

/** A URL that is not the main one, with its path in the record. */
export type OtherUrl = Pick<FoundUrl, 'path' | 'url'>;

/** One take of a song, by the policy for open points. */
export interface Take {
	/** Absent where the record has none for this take. */
	audioId?: string;
	mediaUrl: string;
	/** Its other links and pictures; absent where there are none. */
	otherUrls?: OtherUrl[];
}

/**
 * The takes in a finished record, in order: the innermost objects around its URLs that have an
 * `audio_id` or `id`, or else the objects that hold the best URLs. The `id` of the record itself is the
 * job's, unless the record has another identifier for the job.
 *
 * @param candidates URLs that may be the results
 * @param all all URLs of the record: those of a take stay with it
 */
export function takesIn(
	record: Body,
	{ candidates, all }: { candidates: readonly FoundUrl[]; all: readonly FoundUrl[] },
	mediaType: string | null,
): Take[] {
	const isJob = identifierIn(record)?.field === 'id';
	const { series, likely } = bestUrls(candidates, mediaType);
	const owners = new Map<object, Owner>();
	for (const found of candidates) {
		const { owner, audioId } = ownerOf(found, isJob);
		const known = owners.get(owner) ?? { audioId, candidates: [], others: [] };
		known.candidates.push(found);
		owners.set(owner, known);
	}
	for (const found of all) owners.get(ownerOf(found, isJob).owner)?.others.push(found);
	const results = new Set(series);
	const likelyOnes = new Set(likely);
	const isTake = ({ audioId, candidates: own }: Owner) =>
		own.some((found) => results.has(found) || (audioId !== null && likelyOnes.has(found)));
	return [...owners.values()].filter(isTake).map((owner) => takeOf(owner, mediaType));
}

/** What holds URLs, and may be a take. */
interface Owner {
	audioId: string | null;
	/** At least one. */
	candidates: FoundUrl[];
	others: FoundUrl[];
}

function takeOf({ audioId, candidates, others }: Owner, mediaType: string | null): Take {
	const [{ url: mediaUrl }] = bestUrls(candidates, mediaType).series as [FoundUrl];
	const otherUrls = without(others, [mediaUrl]);
	return {
		...(audioId !== null && { audioId }),
		mediaUrl,
		...(otherUrls.length > 0 && { otherUrls }),
	};
}

/** What a record says besides its bookkeeping: lyrics, a phrase, note data, timings. */
export function resultIn(record: Body): IDataObject {
	const entries = Object.entries(record).filter(([name]) => !BOOKKEEPING.has(name));
	const [[name, value] = []] = entries;
	const inner = entries.length === 1 && name === 'result' ? objectIn(value) : undefined;
	return (inner ?? Object.fromEntries(entries)) as IDataObject;
}

const BOOKKEEPING: ReadonlySet<string> = new Set([
	...ID_FIELDS,
	...CREDITS_USED_FIELDS,
	...MODEL_FIELDS,
	STATUS_FIELD,
	'state',
	BESIDE_DATA,
	CREDITS_REMAINING_FIELD,
	CREATED_AT_FIELD,
	COMPLETED_AT_FIELD,
]);

/**
 * What a URL belongs to: `tracks[0].links.mp3` to `tracks[0]` if that has an identifier; `urls[1]` only to itself.
 *
 * @param isJob whether the `id` of the record is the job's
 */
function ownerOf(found: FoundUrl, isJob: boolean): { owner: object; audioId: string | null } {
	for (let place: Place | undefined = found.place; place; place = place.outer) {
		// Further out, the `id` of anything but a list entry is that of something larger than a take.
		const isTake = place === found.place || place.isEntry;
		const isOwnId = isTake && !(isJob && place.outer === undefined);
		const audioId = idOf(place.value, isOwnId);
		if (audioId !== null) return { owner: place.value, audioId };
	}
	const { value } = found.place;
	return { owner: Array.isArray(value) ? found : value, audioId: null };
}

function idOf(value: object, isOwnId: boolean): string | null {
	const { [AUDIO_ID]: audioId, id } = value as Body;
	const found = [audioId, isOwnId ? id : undefined].find(
		(candidate) =>
			(typeof candidate === 'string' && candidate !== '') || typeof candidate === 'number',
	);
	return found === undefined ? null : String(found);
}
