import { isDotSegment } from '../request/buildRequest';
import { parseUrl } from '../service/shownText';
import type { Body } from '../service/bodies';

/** Fields that link to the status of a job; a link under another name may do something to the job. */
const LEADS_TO_STATUS =
	/^(status|state|poll|polling|progress|tracking|self|location)([_-]?(url|uri|link|href|path))?$/i;

/** What may follow the identifier in the path of a status. */
const STATUS_SEGMENT = /^(status|state|poll|progress|result)$/i;

/** How many levels are searched for links, and how many values of each. */
const DEPTH = 3;
const MOST_VALUES = 200;

/** How many characters a link may have. */
const MAX_LINK = 500;

/** Stands for the identifier. */
const PLACE = '{job_id}';

/**
 * The path of a link to the status of a job in the answer to its creation, with a placeholder for the identifier. The
 * link must lead below the Base URL, and have the identifier as a whole segment.
 *
 * @param location the header `Location`
 * @param baseUrl without a slash at its end
 */
export function statusLinkIn(
	answer: Body,
	location: string | undefined,
	id: string,
	baseUrl: string,
): string | undefined {
	const named = [['location', location], ...fieldsIn(answer)] as const;
	for (const [name, value] of named) {
		if (typeof value !== 'string' || value.length > MAX_LINK) continue;
		if (!LEADS_TO_STATUS.test(name)) continue;
		const path = templateOf(value, id, baseUrl);
		if (path !== undefined) return path;
	}
	return undefined;
}

function fieldsIn(answer: Body): Array<[string, unknown]> {
	const found: Array<[string, unknown]> = [];
	let level: object[] = [answer];
	for (let depth = 0; depth < DEPTH && found.length < MOST_VALUES; depth++) {
		const entries = level.flatMap((one) => Object.entries(one)).slice(0, MOST_VALUES);
		found.push(...entries);
		level = entries.flatMap(([, value]) =>
			typeof value === 'object' && value !== null ? [value as object] : [],
		);
	}
	return found;
}

function templateOf(link: string, id: string, baseUrl: string): string | undefined {
	if (!/^(https?:\/)?\//i.test(link)) return undefined;
	const base = parseUrl(baseUrl);
	const url = parseUrl(link, base?.origin);
	if (!base || url?.origin !== base.origin || url.username + url.password !== '') return undefined;
	const root = base.pathname.replace(/\/$/, '');
	if (!url.pathname.startsWith(`${root}/`)) return undefined;
	if (url.search !== '') return undefined;
	const own = encodeURIComponent(id);
	const segments = url.pathname.slice(root.length).split('/');
	const path = segments.map((segment) => (segment === own ? PLACE : segment)).join('/');
	return isStatusPath(path) ? path : undefined;
}

/** Whether a text is a path below the Base URL that may lead to a status, with one placeholder for the identifier. */
export function isStatusPath(path: unknown): path is string {
	if (typeof path !== 'string' || path.length > MAX_LINK || !path.startsWith('/')) return false;
	const segments = path.replace(/\/$/, '').slice(1).split('/');
	const at = segments.indexOf(PLACE);
	const others = segments.filter((_, index) => index !== at);
	const after = segments.slice(at + 1);
	return at >= 0 && others.every(isPlain) && after.length <= 1 && after.every(isStatusSegment);
}

const isStatusSegment = (segment: string): boolean => STATUS_SEGMENT.test(segment);

/** Whether a segment leads one step down and nowhere else. */
const isPlain = (segment: string): boolean => /^[\w.~-]+$/.test(segment) && !isDotSegment(segment);
