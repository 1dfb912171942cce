import { backoffMs } from '../account/pauses';
import { attempt } from '../clock/attempt';
import { timeLimit, unlessStopped } from '../clock/clock';
import { SETTINGS_PLACE } from '../form/names';
import { isDotSegment, pathWithId } from '../request/buildRequest';
import { type Body, objectIn } from '../service/bodies';
import type { Service } from '../service/service';
import { isTooMany, ServiceError } from '../service/serviceError';
import { ladderFor, routeNamed } from '../spec/jobs';
import { parseUrl } from '../spec/url';
import { type Follower, IN_VAIN_MS } from './jobContext';
import { isUnmistakable } from './history';
import { placeAt, type StatusPlace } from './job';
import type { Identifier } from './readRecord';
import { readStatus } from './readStatus';

/** A job whose status path is not documented. */
export interface Sought {
	/** What it was started with. */
	family: string;
	/** A link to its status, with a placeholder for the identifier. */
	link?: string;
	/** The first is the one by which the job is known. */
	identifiers: readonly Identifier[];
	/** When the answer to its creation came, ms since 1970: a very young job may not be known everywhere in the service. */
	createdAt?: number;
	/** How long to look for it at most, ms. */
	withinMs: number;
	/** A person gave its identifier, which may be wrong: so this says nothing about other jobs. */
	isGivenById?: true;
	/** A person has retried an earlier execution: what was in vain is tried again. */
	isRetry?: boolean;
}

/** Where a job is read. */
export interface StatusFound {
	/** The identifier by which it is read. */
	id: string;
	status: StatusPlace;
	/** The job's record, if it was read in the search. */
	record?: Body;
	/** A hint that says how jobs of the family are read, if that is new. */
	foundHint?: string;
}

/** The job was looked for, and no answer was about it. */
export interface StatusNotFound {
	/** What was tried, in words. */
	notWaited: string;
}

/** How old a job must be to be looked for, and how much older after each place in vain, ms: it may show up late. */
const RIPE_MS = 3000;

/** A place where a job may be read. */
interface Place {
	/** Names it, whichever job is looked for. */
	name: string;
	/** The path as it is shown to a person. */
	told: string;
	found: StatusFound;
}

/**
 * Finds out where the state of a job is read: where other jobs of its family were found, or else at the first of its places
 * that answers with this very job; if none does, at the path set in the credential. Reading costs nothing. One job of a family
 * searches; the others wait for what it finds.
 *
 * @throws Error when the search was stopped or its time was up
 */
export async function findStatus(
	run: Follower,
	sought: Sought,
): Promise<StatusFound | StatusNotFound> {
	const { signal, forget } = timeLimit(run.clock, sought.withinMs, run.signal);
	const within = { ...run, signal };
	const look = sought.isGivenById ? search : searchInTurn;
	return await unlessStopped(async () => await look(within, sought), signal).finally(forget);
}

async function searchInTurn(run: Follower, sought: Sought): Promise<StatusFound | StatusNotFound> {
	const { service, account } = run;
	const { statuses } = account;
	// What was learned, or was in vain, counts as long as the same path is set.
	const family = `${sought.family} ${pathSet(service, sought.family)}`;
	const known = () => {
		const name = statuses.of(family);
		return placesOf(service, sought).find((one) => one.name === name)?.found;
	};
	return (
		known() ??
		(await statuses.inTurn(family, async () => {
			run.signal?.throwIfAborted();
			const place = known();
			if (place) return place;
			if (statuses.isInVain(family) && !sought.isRetry) return notFound(sought, []);
			return await search(run, sought, (name) => statuses.learn(family, name));
		}))
	);
}

/**
 * Asks each place in order. A fault says nothing about the job, so the place is asked again later.
 *
 * @param learn is given the name of the place where the job was found; `undefined` if there is none
 */
async function search(
	run: Follower,
	sought: Sought,
	learn?: (name: string | undefined) => void,
): Promise<StatusFound | StatusNotFound> {
	const { service, clock, signal } = run;
	const { createdAt = -Infinity } = sought;
	const tried: string[] = [];
	const places = placesOf(service, sought);
	const set = places.find(({ name }) => name === SET);
	let open = places;
	for (let round = 0; open.length > 0; round++) {
		if (round > 0) await clock.sleep(backoffMs(round - 1), signal);
		const toAskAgain: Place[] = [];
		for (const place of open) {
			const ripeInMs = createdAt + RIPE_MS * (1 + tried.length) - clock.now();
			if (ripeInMs > 0) await clock.sleep(ripeInMs, signal);
			const { name, told, found } = place;
			const options = { signal, because: 'it is looked for' };
			const read = await attempt(readStatus(service, found.status, options));
			signal?.throwIfAborted();
			if ('value' in read) {
				learn?.(name);
				const foundHint = name === SET ? undefined : foundHintOf(sought, place, set?.told);
				return { ...found, record: read.value, foundHint };
			}
			if (isToAskAgain(read.error, round)) toAskAgain.push(place);
			else tried.push(`${told}: ${(read.error as Error).message}`);
		}
		open = toAskAgain;
	}
	// The service may be late to show the job: it is waited for where a person says that it will be.
	if (set) return set.found;
	learn?.(undefined);
	return notFound(sought, tried);
}

/** Whether an error is a fault; at first, any but a clear no may be a passing one. */
function isToAskAgain(error: unknown, round: number): boolean {
	const { status = 0 } = error instanceof ServiceError ? error : {};
	const isFault = isTooMany(error) || status === 0 || status >= 500;
	return isFault || (round === 0 && status !== 404);
}

/** The name of the place that is set in the credential. */
const SET = 'set';

/** All places where a job may be found, in the order in which they are tried. */
function placesOf(service: Service, sought: Sought): Place[] {
	const { family, link, identifiers, createdAt } = sought;
	const [own] = identifiers;
	const route = routeNamed(family);
	if (!own || !route) return [];
	const facts = { identifiers, createdAt };
	const ladder = ladderFor(route).flatMap((one) =>
		(one.list ? [own] : identifiers).map(({ field, value: id }) => ({
			...{ name: `${one.value} ${field}`, told: String(one.path), id, route: one },
			found: { startedWith: one.value, ...facts },
		})),
	);
	const linked = { startedWith: family, link, ...facts };
	const all = [
		{ name: SET, told: pathSet(service, family), id: own.value, route, found: undefined },
		{ name: 'link', told: link, id: own.value, route, found: linked },
		...ladder,
	];
	return all.flatMap(({ name, told = '', id, route: one, found }) => {
		const path = one.list ? told : pathWithId(told, id);
		if (path === undefined) return [];
		// The same number may stand for something else in another table of the service.
		const isListed = (one.isInHistory ?? one.list?.isHistory) && isUnmistakable(id);
		const isInHistory = isListed ? (true as const) : undefined;
		return [{ name, told, found: { id, status: placeAt({ ...one, isInHistory }, path, found) } }];
	});
}

/** The path set in the credential for a family, maybe only after the job was created. */
function pathSet(service: Service, family: string): string | undefined {
	const { path } = routeNamed(family) ?? {};
	return typeof path === 'object' ? service.path(path.openPoint) : undefined;
}

function notFound(
	{ identifiers: [own], isGivenById }: Sought,
	tried: readonly string[],
): StatusNotFound {
	const found =
		tried.length > 0
			? tried.join('; ')
			: `nothing, since all of it has failed less than ${IN_VAIN_MS / 60_000} minutes ago`;
	const ask = `Tried: ${found}. Ask the service for the path that tells the status of such jobs, and enter it in ${SETTINGS_PLACE}, as "Status Path".`;
	const notWaited = isGivenById
		? `The service does not document it. ${ask} Check Job ID and Started With, too.`
		: `The job was started and is paid for, but where its status is read is not documented. Do not run this again: that pays for another job. ${ask} Then use Job > Wait for Completion with the ID ${own?.value}, in a node that no other leads to.`;
	return { notWaited };
}

/** @param set the path set in the credential, which did not tell the status */
function foundHintOf({ family }: Sought, { told, found }: Place, set?: string): string {
	const where = `at ${told}, which has job ${found.id}`;
	if (set !== undefined) {
		return `The path ${set} in ${SETTINGS_PLACE} did not tell the status: it was read ${where}. Correct that path, or remove it.`;
	}
	return `You need to do nothing. The service documents no status path of ${routeNamed(family)?.label ?? family}; its jobs are read ${where}. If the service tells you the path of the status of one job, enter it in ${SETTINGS_PLACE}, as "Status Path".`;
}

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
 * @param baseUrl without a slash at its end
 */
export function statusLinkIn(answer: Body, id: string, baseUrl: string): string | undefined {
	return fieldsIn(answer)
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
