import { isDotSegment } from '../request/buildRequest';
import { parseUrl } from '../service/shownText';
import type { Body } from '../service/bodies';

/** Names of fields that lead to the status of a job; a link under another name may do something to it. */
const LEADS_TO_STATUS = /status|state|poll|progress|track|^self$|^location$/i;

/** A link that would end or change something is none to read. */
const ACTS = /cancel|delete|abort|stop|remove|retry|refund|webhook|callback/i;

/** How deep links are looked for, and how many values are looked at. */
const DEPTH = 3;
const MOST_VALUES = 200;

/** Characters of a link. */
const MAX_LINK = 500;

/** Stands for the identifier. */
const PLACE = '{job_id}';

/**
 * The path of a link to the status of a job in the answer to its creation, with a place for its identifier: at the
 * origin of the Base URL, below it, with the identifier as a whole segment.
 *
 * @param location the header of that name
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
		if (!LEADS_TO_STATUS.test(name) || ACTS.test(name) || ACTS.test(value)) continue;
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
	const url = link.startsWith('/') && base ? parseUrl(base.origin + link) : parseUrl(link);
	if (!base || url?.origin !== base.origin || url.username !== '' || url.password !== '')
		return undefined;
	const root = base.pathname.replace(/\/$/, '');
	if (!url.pathname.startsWith(`${root}/`)) return undefined;
	const segments = url.pathname.slice(root.length).split('/');
	const at = segments.indexOf(encodeURIComponent(id));
	if (at < 0 || url.search !== '') return undefined;
	const path = segments.map((segment, index) => (index === at ? PLACE : segment)).join('/');
	return isStatusPath(path) ? path : undefined;
}

/** Whether a text is a path below the Base URL with a place for an identifier, and nothing else. */
export function isStatusPath(path: unknown): path is string {
	if (typeof path !== 'string' || path.length > MAX_LINK || !path.startsWith('/')) return false;
	const segments = path.replace(/\/$/, '').slice(1).split('/');
	const others = segments.filter((segment) => segment !== PLACE);
	return others.length === segments.length - 1 && others.every(isPlain);
}

/** A segment that leads nowhere but one step down. */
const isPlain = (segment: string): boolean => /^[\w.~-]+$/.test(segment) && !isDotSegment(segment);
