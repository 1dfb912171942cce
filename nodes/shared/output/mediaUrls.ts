import type { Body } from '../service/bodies';
import type { Values } from '../spec/conditions';
import { isMediaExtension } from './mediaFormat';

/** A URL in a record, with its path there (`images[0].url`). */
export interface FoundUrl {
	path: string;
	url: string;
	/** The object or list that holds it. */
	place: Place;
}

/** An object or a list in a record. */
export interface Place {
	value: object;
	/** Whether it is an entry of a list. */
	isEntry: boolean;
	/** What holds it; none for the record itself. */
	outer?: Place;
}

/** How fields are called that hold URLs. */
const URL_NAME = /ur[il]|link|href|src/i;

interface Search {
	/** The documented field of the result URL, where there is one. */
	urlField?: string;
	/** Path that the user pinned (option `resultField`). */
	resultField?: string;
	/** The request, whose own URLs are not results. */
	request?: Values;
}

/** Deeper than any record of the service; a hostile one must not exhaust the stack. */
const MAX_DEPTH = 20;

/** Characters of a name that are shown in a path: each of any number of URLs has one. */
const MAX_NAME = 100;

/**
 * What may be the result URL of a finished record, in order. The user's `resultField` goes before the
 * documented field, and that before the policy for open points ("resultUrls"): every http(s)
 * URL that does not echo the request.
 */
export function mediaUrlsIn(record: Body, { urlField, resultField, request }: Search): FoundUrl[] {
	const all = urlsIn(record, resultField);
	if (resultField) {
		return all.filter(({ path }) => path === resultField || isInside(path, resultField));
	}
	const documented = all.filter(({ path }) => path === urlField);
	if (documented.length > 0) return documented;
	const echoed = new Set(urlsIn(request ?? {}).map(({ url }) => url));
	return withoutRepeats(all.filter(({ url }) => !echoed.has(url)));
}

/** The same URL in several fields is one result: where it is first. */
export function withoutRepeats(found: readonly FoundUrl[]): FoundUrl[] {
	const known = new Set<string>();
	return found.filter(({ url }) => !known.has(url) && known.add(url));
}

const isInside = (path: string, parent: string) =>
	path.startsWith(`${parent}.`) || path.startsWith(`${parent}[`);

/** @param pinned path where whatever may be a URL is one */
function urlsIn(record: object, pinned?: string): FoundUrl[] {
	return urlsAt('', { value: record, isEntry: false }, { depth: 0, pinned, isPlace: false });
}

interface At {
	depth: number;
	pinned?: string;
	/** Whether the field is called after URLs. */
	isPlace: boolean;
}

function urlsAt(path: string, place: Place, { depth, pinned, isPlace }: At): FoundUrl[] {
	const { value } = place;
	const isEntry = Array.isArray(value);
	return Object.entries(value).flatMap(([name, inner]: [string, unknown]): FoundUrl[] => {
		const innerPath = isEntry ? `${path}[${name}]` : fieldPath(path, name);
		const isUrl = isEntry ? isPlace : URL_NAME.test(name) || innerPath === pinned;
		if (typeof inner === 'string') {
			const url = urlIn(inner, isUrl);
			return url === undefined ? [] : [{ path: innerPath, url, place }];
		}
		if (typeof inner !== 'object' || inner === null || depth === MAX_DEPTH) return [];
		const at = { depth: depth + 1, pinned, isPlace: isUrl };
		return urlsAt(innerPath, { value: inner, isEntry, outer: place }, at);
	});
}

/** Characters of a path, for the same reason: a deep record would multiply all that it has. */
const MAX_PATH = 300;

function fieldPath(path: string, name: string): string {
	if (path.length > MAX_PATH) return path.endsWith('…') ? path : `${path}…`;
	const shown = name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}…` : name;
	return path === '' ? shown : `${path}.${shown}`;
}

/**
 * The URL that a text is, such that it can be used: with its spaces encoded. A prompt that mentions a
 * URL, or begins with one, is none: with a space it has to be where URLs are, or end like a file.
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
	return /^https?:\/\/\S+$/i.test(url) && URL.canParse(url) ? url : undefined;
}

const endsLikeFile = (text: string) =>
	isMediaExtension(text.slice(text.lastIndexOf('.') + 1).toLowerCase());
