import type { IDataObject } from 'n8n-workflow';

import { kindOfFile, lastSegment } from '../files/media';
import type { JobSnapshot } from '../orders/job';
import { isIdentifier, pathsTo, textIn } from '../orders/readRecord';
import { objectIn, type Body, own, type Values } from '../spec/values';
import { SIGNED } from '../service/shownText';
import {
	COMPLETED,
	COMPLETED_AT_FIELD,
	CREATED_AT_FIELD,
	CREDITS_REMAINING_FIELD,
	CREDITS_USED_FIELDS,
	GENERATION_TYPE_FIELD,
	ID_FIELDS,
	MODEL_FIELDS,
} from '../spec/answers';
import type { JobRoute, MediaType } from '../spec/operation';
import { isUrl, parseUrl } from '../spec/url';

/** What is known of a job that tells its result apart from other URLs. */
export interface UrlOrigin {
	mediaType?: MediaType;
	route?: Pick<JobRoute, 'urlFields'>;
	/** Path of the result URL that the credential names, where the document names none. */
	urlPath?: string;
	request?: Values;
	/** What relative addresses are relative to. */
	baseUrl?: string;
}

/** A URL in a record. */
export interface Found {
	/** Where it stands: `images[0].url`. */
	path: string;
	url: string;
	/** The `audio_id` or else `id` of the innermost object that has one, up to a list around the URL. */
	audioId?: string;
}

/** The URLs of a completed job. All that its record has are in `main` or in `others`. */
export interface ResultUrls {
	/** The result; several where it is a series. */
	main: Found[];
	others: Found[];
	/** Those of the others that may just as well be the result. */
	rivals: Found[];
	/**
	 * The field in which a completed job lacks its result: the one that is pinned, documented or set, or `any field`
	 * where there is none. If another URL was found, only a documented one is missing. `undefined` where the result is
	 * there, and where there need not be a URL.
	 */
	missing?: string;
}

/**
 * The result URLs of a job; none before it is completed. If the user has set `resultField`, only that counts.
 * Otherwise the field that the document or else the credential names goes before all other URLs.
 *
 * @param resultField path of the result URL in the record; empty when not pinned
 */
export function resultUrls(job: JobSnapshot, origin: UrlOrigin, resultField: string): ResultUrls {
	const { record, state } = job;
	if (state !== COMPLETED) return { main: [], others: [], rivals: [] };
	const { urlPath = '', request, baseUrl, route: { urlFields = {} } = {} } = origin;
	const type = mediaTypeOf(job, origin);
	const documented = own(urlFields, type ?? '');
	const named = resultField || documented;
	const pinned = (named ? [named] : pathsTo(urlPath))
		.map((place) => urlsAt(record, place, baseUrl))
		.find(({ length }) => length > 0);
	const all = urlsIn(record, request);
	const candidates = pinned ?? (resultField ? [] : all);
	const { main, rivals } = bestOf(candidates, type);
	const known = new Set(main.map(({ url }) => url));
	// A text may count as a URL only because of its place.
	const others = withoutRepeats([...all, ...candidates]).filter(({ url }) => !known.has(url));
	// A job of unknown type was found by its identifier, and may be one of text or of music.
	const mayBeText = type === 'text' || (type === null && Object.keys(urlFields).length === 0);
	const lacking = named || (mayBeText ? undefined : urlPath || 'any field');
	// Where another URL was found, that stands for what is not there, but for a documented field.
	const missing = main[0] ? documented : lacking;
	return { main, others, rivals, missing: pinned ? undefined : missing };
}

/** The type of media that a job makes, in the record's own words where the operation does not tell. */
export function mediaTypeOf({ record }: JobSnapshot, { mediaType }: UrlOrigin): string | null {
	return mediaType ?? textIn(record, [GENERATION_TYPE_FIELD]);
}

/** Deeper than any record of the service; a hostile one must not exhaust the stack. */
const MAX_DEPTH = 20;

/** The most characters of a path: a record may have any number of URLs, each with a path. */
const MAX_PATH = 300;

function textsIn(value: unknown, path = '', outerId?: string, depth = 0): Found[] {
	if (typeof value === 'string') return [{ path, url: value.trim(), audioId: outerId }];
	if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return [];
	const isList = Array.isArray(value);
	const audioId = isList ? undefined : (audioIdOf(value as Body, depth === 0) ?? outerId);
	return Object.entries(value).flatMap(([name, inner]) => {
		const at = isList ? `${path}[${name}]` : [path, name].filter(Boolean).join('.');
		return textsIn(inner, at.slice(0, MAX_PATH), audioId, depth + 1);
	});
}

/** Under `audio_id`, operations ask for a take (section "Fields per operation"); the `id` of a record is its job's. */
function audioIdOf({ audio_id: audioId, id }: Body, isRecord: boolean): string | undefined {
	const found = [audioId, isRecord ? undefined : id].find(isIdentifier);
	return found === undefined ? undefined : String(found);
}

/** Every http(s) URL of a record, once and in order; not those of the request, nor n8n's addresses of files. */
function urlsIn(record: Body, request: Values = {}): Found[] {
	const echoed = new Set(textsIn(request).map(({ url }) => url));
	const isTheirs = ({ url }: Found) => isUrl(url) && !echoed.has(url) && !url.includes(SIGNED);
	return withoutRepeats(textsIn(record).filter(isTheirs));
}

/** The URLs at a path and inside of it; there, those with spaces count, too, and those without a host. */
function urlsAt(record: Body, pinned: string, baseUrl?: string): Found[] {
	const isThere = ({ path }: Found) =>
		pinned !== '' && path.startsWith(pinned) && ['', '.', '['].includes(path.charAt(pinned.length));
	const asWhole = (one: Found): Found => ({ ...one, url: wholeUrl(one.url, baseUrl) });
	const found = textsIn(record).filter(isThere).map(asWhole);
	return withoutRepeats(found.filter(({ url }) => isUrl(url)));
}

/** An address without a host has to begin with `/`: what any other would be relative to is not known. */
function wholeUrl(text: string, baseUrl?: string): string {
	const given = text.replaceAll(' ', '%20');
	if (baseUrl === undefined || !/^\/{1,2}[^/\\\s]/.test(given)) return given;
	// Without the login of the base URL, where it has one.
	return parseUrl(given, new URL(baseUrl).origin)?.href ?? given;
}

/** The same URL in several fields is one result: the first. */
function withoutRepeats(found: readonly Found[]): Found[] {
	const known = new Set<string>();
	return found.filter(({ url }) => !known.has(url) && known.add(url));
}

/**
 * The best candidates: those whose file and field names suggest the type of media. The first of them and those whose
 * paths differ from its path only in indexes are the result; the others are its rivals.
 */
function bestOf(candidates: readonly Found[], mediaType: string | null) {
	const kind = kindInWords(mediaType ?? '');
	const rated = candidates.map((found) => ({ found, rating: ratingOf(found, kind) }));
	const highest = rated.reduce((most, { rating }) => Math.max(most, rating), -Infinity);
	const best = rated.filter(({ rating }) => rating === highest).map(({ found }) => found);
	const path = withoutIndexes(best[0]?.path ?? '');
	const isAlike = (found: Found) => withoutIndexes(found.path) === path;
	// What is in a list with the first one belongs to the series, unless its name suggests another type.
	const fitting = rated.filter(({ rating }) => rating >= Math.min(highest, 0));
	return {
		main: fitting.map(({ found }) => found).filter(isAlike),
		rivals: best.filter((found) => !isAlike(found)),
	};
}

const withoutIndexes = (path: string) => path.replace(/\[\d+\]/g, '[]');

/** How many signs suggest that kind of media, less those that suggest another. */
function ratingOf({ url, path }: Found, kind?: string): number {
	const signs = [kindOfFile(lastSegment(url)), kindInWords(path)].flatMap((sign) => sign ?? []);
	// Where the type is not known, a picture beside something else is its cover.
	const isOther = (sign: string) => (kind ? sign !== kind : ['image', 'preview'].includes(sign));
	return signs.reduce((sum, sign) => sum + (isOther(sign) ? -1 : Number(sign === kind)), 0);
}

/** The kinds of media, and what is never the result. */
const KINDS = ['audio', 'image', 'video', 'preview'];

/** Words in the names of fields, in a group for each kind that they suggest. */
const WORDS =
	/(audio|song|music|mp3|wav)|(image|img|picture|photo|cover|artwork)|(video|movie|mp4)|(thumb|preview|poster)/gi;

/** The kind that the last such word suggests: a video for `music_video`, an image for `video.cover`. */
function kindInWords(text: string): string | undefined {
	const [, ...groups] = [...text.matchAll(WORDS)].at(-1) ?? [];
	return KINDS[groups.findIndex(Boolean)];
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
	'status',
	'state',
	CREDITS_REMAINING_FIELD,
	CREATED_AT_FIELD,
	COMPLETED_AT_FIELD,
]);
