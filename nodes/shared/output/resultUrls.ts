import type { JobSnapshot } from '../jobs/job';
import { pathsTo, textIn } from '../jobs/readRecord';
import { own, type Values } from '../spec/conditions';
import { GENERATION_TYPE_FIELD } from '../spec/records';
import { COMPLETED } from '../spec/states';
import type { MediaType, StatusRoute } from '../spec/types';
import { bestUrls } from './bestUrls';
import { mediaUrlsIn, withoutRepeats, type FoundUrl } from './mediaUrls';
import { takesIn, type OtherUrl, type Take } from './musicResult';

/** What is known of a job that tells its result from other URLs. */
export interface UrlOrigin {
	mediaType?: MediaType;
	route?: Pick<StatusRoute, 'urlFields'>;
	/** Path of the result URL that the credential names, where the document names none. */
	urlPath?: string;
	request?: Values;
	/** Where relative addresses lead. */
	baseUrl?: string;
}

/** The URLs of a completed job. All that its record has are in `main` or in `others`. */
export interface ResultUrls {
	/** The result; several where it is a series. */
	main: string[];
	others: OtherUrl[];
	/** Of the others, those that nothing tells apart from the result. */
	rivals: OtherUrl[];
	/** Of a job that may be one of music. */
	takes: Take[];
	/** Where the first of `main` is in the record. */
	path?: string;
	/** That has it without its host. */
	isRelative?: boolean;
}

/** Types of media that come in takes; a job that was found by its identifier may be of any. */
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
		// What the user has pinned may be a URL nowhere else.
		...candidates,
	]);
	const takes = HAS_TAKES.includes(mediaType)
		? takesIn(record, { candidates, all }, mediaType)
		: [];
	const main = takes.length > 0 ? takes.map(({ mediaUrl }) => mediaUrl) : best.series.map(urlOf);
	const first = candidates.find(({ url }) => url === main[0]);
	return {
		main,
		others: without(all, main),
		rivals: without([...best.series, ...best.rivals], main),
		takes,
		path: first?.path,
		isRelative: first?.isRelative === true,
	};
}

/**
 * Where a completed job of media lacks its result: the field that is pinned or documented; all of them where
 * none is. `undefined` where it is there, and where there need not be one.
 */
export function missingField(
	job: JobSnapshot,
	origin: UrlOrigin,
	{ main, path }: ResultUrls,
	resultField: string,
): string | undefined {
	if (job.state !== COMPLETED) return undefined;
	const type = mediaTypeOf(job, origin);
	const documented = documentedField(job, origin);
	const [ofAnyType] = Object.values(origin.route?.urlFields ?? {});
	if (main.length > 0) {
		return resultField || documented === undefined || path === documented ? undefined : documented;
	}
	// A job that was found by its identifier may be one of text.
	if (type === 'text' || (type === null && ofAnyType === undefined)) return undefined;
	return resultField || documented || origin.urlPath || (type === null && ofAnyType) || ANY_FIELD;
}

const ANY_FIELD = 'any field';

/** The type of media that a job makes, in the record's own words where the operation does not tell. */
export function mediaTypeOf({ record }: JobSnapshot, { mediaType }: UrlOrigin): string | null {
	return mediaType ?? textIn(record, [GENERATION_TYPE_FIELD]);
}

/** By the user's `resultField`, the documented field or the one that the credential names; else all. */
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

/** The field that the document has for the result. */
function documentedField(job: JobSnapshot, origin: UrlOrigin): string | undefined {
	return own(origin.route?.urlFields ?? {}, mediaTypeOf(job, origin) ?? '');
}

const urlOf = ({ url }: FoundUrl) => url;

/** Those that are not among the URLs. */
function without(found: readonly FoundUrl[], urls: readonly string[]): OtherUrl[] {
	const left = new Set(urls);
	return found.filter(({ url }) => !left.has(url)).map(({ path, url }) => ({ path, url }));
}
