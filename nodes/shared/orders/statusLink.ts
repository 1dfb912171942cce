import { isDotSegment } from '../request/buildRequest';
import { parseUrl } from '../service/shownText';
import { objectIn, type Body } from '../service/bodies';

/** Fields that link to the status of a job; a link under another name may do something to the job. */
const LEADS_TO_STATUS =
	/^(status|state|poll|polling|progress|tracking|self|location)([_-]?(url|uri|link|href|path))?$/i;

/** How many levels are searched for links. */
const DEPTH = 3;

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
	return [['location', location] as const, ...fieldsIn(answer)]
		.filter(([name]) => LEADS_TO_STATUS.test(name))
		.map(([, value]) => templateOf(value, id, baseUrl))
		.find((path) => path !== undefined);
}

/** The fields of an answer, and of what is in it. */
const fieldsIn = (value: unknown, depth = DEPTH): Array<[string, unknown]> =>
	Object.entries((depth > 0 && objectIn(value)) || {}).flatMap(([name, inner]) => [
		[name, inner] as [string, unknown],
		...fieldsIn(inner, depth - 1),
	]);

function templateOf(link: unknown, id: string, baseUrl: string): string | undefined {
	if (typeof link !== 'string' || link.length > MAX_LINK) return undefined;
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
	return at >= 0 && others.every(isPlain);
}

/** Whether a segment leads one step down and nowhere else. */
const isPlain = (segment: string): boolean => /^[\w.~-]+$/.test(segment) && !isDotSegment(segment);
