import type { Body } from '../service/bodies';
import type { Values } from '../spec/conditions';

/** A URL in a record, with its path there (`images[0].url`). */
export interface FoundUrl {
	path: string;
	url: string;
}

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

/**
 * The result URLs of a finished record, in order. The user's `resultField` goes before the
 * documented field, and that before the policy for open points ("resultUrls"): every http(s)
 * URL that does not echo the request.
 */
export function mediaUrlsIn(record: Body, { urlField, resultField, request }: Search): FoundUrl[] {
	const all = urlsIn(record, '', 0);
	if (resultField) {
		return all.filter(({ path }) => path === resultField || isInside(path, resultField));
	}
	const documented = all.filter(({ path }) => path === urlField);
	if (documented.length > 0) return documented;
	const echoed = new Set(urlsIn(request ?? {}, '', 0).map(({ url }) => url));
	return withoutRepeats(all.filter(({ url }) => !echoed.has(url)));
}

/** The same URL in several fields is one result. */
function withoutRepeats(found: FoundUrl[]): FoundUrl[] {
	const known = new Set<string>();
	return found.filter(({ url }) => !known.has(url) && known.add(url));
}

const isInside = (path: string, parent: string) =>
	path.startsWith(`${parent}.`) || path.startsWith(`${parent}[`);

function urlsIn(value: unknown, path: string, depth: number): FoundUrl[] {
	if (typeof value === 'string') return isHttpUrl(value) ? [{ path, url: value }] : [];
	if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return [];
	if (Array.isArray(value)) {
		return value.flatMap((entry, index) => urlsIn(entry, `${path}[${index}]`, depth + 1));
	}
	return Object.entries(value).flatMap(([name, entry]) =>
		urlsIn(entry, path === '' ? name : `${path}.${name}`, depth + 1),
	);
}

/** The whole text is an http(s) URL; a prompt that mentions one is not. */
function isHttpUrl(text: string): boolean {
	return /^https?:\/\/\S+$/i.test(text) && URL.canParse(text);
}
