import type { Body } from '../service/bodies';
import { SIGNED } from '../service/redact';
import { parseUrl } from '../service/shownText';
import type { Values } from '../spec/conditions';
import { kindOfFile, lastSegment } from './mediaFormat';

/** A URL in a record, with its path there (`images[0].url`). */
export interface FoundUrl {
	path: string;
	url: string;
	/** The object or list that holds it. */
	place: Place;
	/** The record has it without its host. */
	isRelative?: true;
}

/** An object or a list in a record. */
export interface Place {
	value: object;
	/** Whether it is an entry of a list. */
	isEntry: boolean;
	/** What holds it; none for the record itself. */
	outer?: Place;
}

/** Names of fields that hold URLs. */
const URL_NAME = /ur[il]|link|href|src/i;

interface Search {
	/** The documented field of the result URL, where there is one. */
	urlField?: string;
	/** Path that the user pinned (option `resultField`). */
	resultField?: string;
	/** The request, whose own URLs are not results. */
	request?: Values;
	/** What relative addresses are relative to; when absent, they do not count as URLs. */
	baseUrl?: string;
}

/** Deeper than any record of the service; a hostile one must not exhaust the stack. */
const MAX_DEPTH = 20;

/** The most characters of a name in a path: a record may have any number of URLs, each with a path. */
const MAX_NAME = 100;

/**
 * The URLs of a finished record that may be its result, in order. If the user has set `resultField`, only that
 * counts. Otherwise the documented field goes before the policy for open points ("resultUrls"): every http(s) URL
 * that neither echoes the request nor is n8n's address of a file; or else the relative addresses of files.
 */
export function mediaUrlsIn(record: Body, search: Search): FoundUrl[] {
	const { urlField, resultField, request = {}, baseUrl } = search;
	const all = urlsIn(record, absolute(resultField));
	const relatives = () => {
		return baseUrl === undefined ? [] : urlsIn(record, relative(baseUrl, resultField || urlField));
	};
	const isPinned = ({ path }: FoundUrl) =>
		resultField ? isAt(path, resultField) : path === urlField;
	const pinned = all.filter(isPinned);
	if (pinned.length > 0) return pinned;
	const pinnedRelatives = relatives().filter(isPinned);
	if (resultField || pinnedRelatives.length > 0) return pinnedRelatives;
	const echoed = new Set(urlsIn(request, absolute()).map(({ url }) => url));
	const free = withoutRepeats(all.filter(({ url }) => !echoed.has(url) && !url.includes(SIGNED)));
	return free.length > 0 ? free : withoutRepeats(relatives());
}

/** The same URL in several fields is one result: the first. */
export function withoutRepeats(found: readonly FoundUrl[]): FoundUrl[] {
	const known = new Set<string>();
	return found.filter(({ url }) => !known.has(url) && known.add(url));
}

/** Whether a path is the pinned one or inside of it; never if none is pinned. */
const isAt = (path: string, pinned: string) =>
	pinned !== '' &&
	(path === pinned || path.startsWith(`${pinned}.`) || path.startsWith(`${pinned}[`));

/** Where a text or an object is in a record. */
interface InRecord {
	path: string;
	/** Whether the name of the field suggests URLs. */
	isNamed: boolean;
}

/** Gives the URL that a text is; `undefined` if it is none. */
type UrlReader = (text: string, at: InRecord) => Pick<FoundUrl, 'url' | 'isRelative'> | undefined;

/** @param pinned path at which any text that may be a URL counts as one */
const absolute =
	(pinned = ''): UrlReader =>
	(text, { path, isNamed }) => {
		const url = urlIn(text, isNamed || isAt(path, pinned));
		return url === undefined ? undefined : { url };
	};

/**
 * Takes addresses without a host as addresses at the base URL's origin: any at the path of the result, and
 * elsewhere those that end like a file, in a field whose name suggests URLs.
 */
const relative =
	(baseUrl: string, pinned = ''): UrlReader =>
	(text, { path, isNamed }) => {
		const given = text.trim();
		const isExpected =
			isAt(path, pinned) || (isNamed && endsLikeFile(given.replace(/[?#].*$/s, '')));
		// They have to begin with `/`: what any others would be relative to is not known.
		if (!isExpected || !/^\/{1,2}[^/\\\s]/.test(given)) return undefined;
		// Without the login of the base URL, where it has one.
		const url = parseUrl(given, new URL(baseUrl).origin);
		return url && { url: url.href, isRelative: true };
	};

function urlsIn(record: object, read: UrlReader): FoundUrl[] {
	return urlsAt({ path: '', isNamed: false }, { value: record, isEntry: false }, read);
}

function urlsAt({ path, isNamed }: InRecord, place: Place, read: UrlReader, depth = 0): FoundUrl[] {
	const { value } = place;
	const isEntry = Array.isArray(value);
	return Object.entries(value).flatMap(([name, inner]: [string, unknown]): FoundUrl[] => {
		const at = isEntry
			? { path: `${path}[${name}]`, isNamed }
			: { path: fieldPath(path, name), isNamed: URL_NAME.test(name) };
		if (typeof inner === 'string') {
			const found = read(inner, at);
			return found === undefined ? [] : [{ path: at.path, place, ...found }];
		}
		if (typeof inner !== 'object' || inner === null || depth === MAX_DEPTH) return [];
		return urlsAt(at, { value: inner, isEntry, outer: place }, read, depth + 1);
	});
}

/** The most characters of a path, for the same reason: a deep record would repeat its names in each path. */
const MAX_PATH = 300;

function fieldPath(path: string, name: string): string {
	if (path.length > MAX_PATH) return path.endsWith('…') ? path : `${path}…`;
	const shown = name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}…` : name;
	return path === '' ? shown : `${path}.${shown}`;
}

/**
 * The URL that a text is, with its spaces encoded, so that it can be used. A prompt that mentions a URL, or
 * begins with one, does not count: a text with spaces has to be where URLs are, or end like a file.
 *
 * @param isPlace whether URLs are expected where the text is
 */
function urlIn(text: string, isPlace: boolean): string | undefined {
	const given = text.trim();
	if (!/^https?:/i.test(given)) return undefined;
	const parts = given.split(' ');
	const isPlain = parts.length === 1;
	if (!isPlain && !isPlace && !(endsLikeFile(given) && given.split('://').length === 2)) {
		return undefined;
	}
	const url = parts.join('%20');
	return /^https?:\/\/\S+$/i.test(url) && parseUrl(url) ? url : undefined;
}

const endsLikeFile = (text: string) => kindOfFile(text) !== undefined;

/** Candidates for the result of a job, sorted. */
interface BestUrls {
	/** The first of the best candidates, and those whose paths differ from its path only in indexes. */
	series: FoundUrl[];
	/** Other candidates that are as good, as far as can be told. */
	rivals: FoundUrl[];
	/** All whose names suggest the type of media; if there are none, the best. */
	likely: FoundUrl[];
}

/**
 * The best candidates: those whose file and field names suggest the type of media. Where these say nothing,
 * all are equally good, and the first in order goes first.
 *
 * @param mediaType as the operation has it, or as the record words it; null where it is not known
 */
export function bestUrls(candidates: readonly FoundUrl[], mediaType: string | null): BestUrls {
	const kind = kindInWords(mediaType ?? '');
	const rated = candidates.map((found) => ({ found, rating: ratingOf(found, kind) }));
	const highest = rated.reduce((most, { rating }) => Math.max(most, rating), -Infinity);
	const first = rated.find(({ rating }) => rating === highest)?.found;
	if (!first) return { series: [], rivals: [], likely: [] };
	const path = withoutIndexes(first.path);
	// What is in a list with the first one belongs to the series, unless its name suggests another type.
	const isAlike = ({ found, rating }: (typeof rated)[number]) =>
		rating >= Math.min(highest, 0) && withoutIndexes(found.path) === path;
	const those = (isWanted: (each: (typeof rated)[number]) => boolean) =>
		rated.filter(isWanted).map(({ found }) => found);
	return {
		series: those(isAlike),
		rivals: those((each) => each.rating === highest && !isAlike(each)),
		likely: those(({ rating }) => rating >= Math.min(highest, 1)),
	};
}

/** How many signs suggest that kind of media, less those that suggest another. */
function ratingOf({ url, path }: FoundUrl, kind?: string): number {
	const signs = [kindOfFile(lastSegment(url)), kindInWords(path)];
	return signs.reduce((rating, sign) => rating + signOf(sign, kind), 0);
}

function signOf(sign: string | undefined, kind: string | undefined): number {
	if (sign === undefined) return 0;
	// Where the type is not known, a picture beside something else is its cover.
	if (kind === undefined) return sign === 'image' || sign === PREVIEW ? -1 : 0;
	return sign === kind ? 1 : -1;
}

/** Never the result, whatever its type. */
const PREVIEW = 'preview';

/** Words in the names of fields, by the kind of media that they suggest. */
const WORDS: ReadonlyArray<[kind: string, word: RegExp]> = [
	['audio', /audio|song|music|mp3|wav/gi],
	['image', /image|img|picture|photo|cover|artwork/gi],
	['video', /video|movie|mp4/gi],
	[PREVIEW, /thumb|preview|poster/gi],
];

/** The kind that the last such word suggests: a video for `music_video`, an image for `video.cover`. */
function kindInWords(text: string): string | undefined {
	const found = WORDS.flatMap(([kind, word]) =>
		[...text.matchAll(word)].map(({ index }) => ({ kind, index })),
	);
	return found.sort((one, other) => one.index - other.index).at(-1)?.kind;
}

const withoutIndexes = (path: string) => path.replace(/\[\d+\]/g, '[]');
