import { backoffMs } from '../account/requests';
import { attempt, callLimit, timeLimit, unlessStopped } from '../clock/clock';
import { SETTINGS_PLACE } from '../form/names';
import { isDotSegment, pathWithId } from '../request/request';
import { type Body, objectIn } from '../spec/values';
import type { Service } from '../service/service';
import { isTooMany, ServiceError } from '../service/serviceError';
import { ladderFor, routeNamed } from '../spec/jobs';
import { parseUrl } from '../spec/url';
import { NOT_FOUND } from '../spec/answers';
import { placeAt, type StatusPlace } from './job';
import type { Follower } from './jobContext';
import type { Identifier } from './readRecord';
import { isUnmistakable, readStatus } from './readStatus';

/** A job whose status path is not documented. */
export interface Sought {
	/** What it was started with. */
	family: string;
	/** The path of a link to its status. */
	link?: string;
	/** The first is the one by which the job is known. */
	identifiers: readonly Identifier[];
	/** When the answer to its creation came, ms since 1970: a very young job may not be known everywhere in the service. */
	createdAt?: number;
	/** How long to look for it at most, ms. */
	withinMs: number;
	/** A person gave its identifier, which may be wrong: it is looked for in all places. */
	isGivenById?: true;
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
interface Candidate {
	/** Names it, whichever job is looked for. */
	name: string;
	/** The path as it is shown to a person. */
	told: string;
	found: StatusFound;
}

/**
 * Finds out where the state of a job is read: where other jobs of its family were found, or else at the first of its places
 * that answers with this very job; if none does, at the path set in the credential. Reading costs nothing.
 *
 * @throws Error when the search was stopped or its time was up
 */
export async function findStatus(
	run: Follower,
	sought: Sought,
): Promise<StatusFound | StatusNotFound> {
	const { clock, account } = run;
	const { signal, forget } = timeLimit(clock, sought.withinMs, run.signal);
	const turn = account.searches.get(sought.family) ?? callLimit(1);
	account.searches.set(sought.family, turn);
	const searching = async () =>
		await turn(async () => {
			signal.throwIfAborted();
			return knownPlace(run, sought) ?? (await search({ ...run, signal }, sought));
		});
	const look = async () => knownPlace(run, sought) ?? (await searching());
	return await unlessStopped(look, signal).finally(forget);
}

/** Where other jobs of the family were found. */
function knownPlace({ service, account }: Follower, sought: Sought): StatusFound | undefined {
	if (sought.isGivenById) return undefined;
	const known = account.statusPlaces.get(familyOf(service, sought));
	return placesOf(service, sought).find(({ name }) => name === known)?.found;
}

/** What was learned counts as long as the same path is set. */
const familyOf = (service: Service, { family }: Sought) => `${family} ${pathSet(service, family)}`;

/** Asks each place in order. A fault says nothing about the job, so the place is asked again later. */
async function search(run: Follower, sought: Sought): Promise<StatusFound | StatusNotFound> {
	const { service, account, clock, signal } = run;
	const { createdAt = -Infinity } = sought;
	const tried: string[] = [];
	const places = placesOf(service, sought);
	const set = places.find(({ name }) => name === SET);
	let open = places;
	for (let round = 0; open.length > 0; round++) {
		if (round > 0) await clock.sleep(backoffMs(round - 1), signal);
		const toAskAgain: Candidate[] = [];
		for (const place of open) {
			const ripeInMs = createdAt + RIPE_MS * (1 + tried.length) - clock.now();
			if (ripeInMs > 0) await clock.sleep(ripeInMs, signal);
			const { name, told, found } = place;
			const options = { signal, because: 'it is looked for' };
			const read = await attempt(readStatus(service, found.status, options));
			signal?.throwIfAborted();
			if ('value' in read) {
				if (!sought.isGivenById) account.statusPlaces.set(familyOf(service, sought), name);
				const foundHint = name === SET ? undefined : foundHintOf(sought, place, set?.told);
				return { ...found, record: read.value, foundHint };
			}
			if (isToAskAgain(read.error, round)) toAskAgain.push(place);
			else tried.push(`${told}: ${(read.error as Error).message}`);
		}
		open = toAskAgain;
	}
	// The service may be late to show the job: it is waited for where a person says that it will be.
	return set?.found ?? notFound(sought, tried);
}

/** Whether an error is a fault; at first, any but a clear no may be a passing one. */
function isToAskAgain(error: unknown, round: number): boolean {
	const { status = 0 } = error instanceof ServiceError ? error : {};
	const isFault = isTooMany(error) || status === 0 || status >= 500;
	return isFault || (round === 0 && status !== NOT_FOUND);
}

/** The names of the place that is set in the credential, and of a link. */
const SET = 'set';
const LINK = 'link';

/** All places where a job may be found, in the order in which they are tried. */
function placesOf(service: Service, sought: Sought): Candidate[] {
	const { family, link, identifiers, createdAt } = sought;
	const [own] = identifiers;
	const route = routeNamed(family);
	if (!own || !route) return [];
	const facts = { identifiers, createdAt };
	const ladder = ladderFor(route).flatMap((one) =>
		(one.list ? [own] : identifiers).map(({ field, value: id }) => ({
			...{ name: `${one.value} ${field}`, told: String(one.path), id, route: one },
			proof: { startedWith: one.value, ...facts },
		})),
	);
	const linked = { startedWith: family, link, ...facts };
	const all = [
		{ name: SET, told: pathSet(service, family), id: own.value, route, proof: undefined },
		{ name: LINK, told: link, id: own.value, route, proof: linked },
		...ladder,
	];
	return all.flatMap(({ name, told = '', id, route: one, proof }) => {
		const path = one.list || name === LINK ? told : pathWithId(told, id);
		if (!path) return [];
		// The same number may stand for something else in another table of the service.
		const isListed = (one.isInHistory ?? one.list?.isHistory) && isUnmistakable(id);
		const isInHistory = isListed ? (true as const) : undefined;
		return [{ name, told, found: { id, status: placeAt({ ...one, isInHistory }, path, proof) } }];
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
	const ask = `Tried: ${tried.join('; ')}. Ask the service for the path that tells the status of such jobs, and enter it in ${SETTINGS_PLACE}, as "Status Path".`;
	const notWaited = isGivenById
		? `The service does not document it. ${ask} Check Job ID and Started With, too.`
		: `The job was started and is paid for, but where its status is read is not documented. Do not run this again: that pays for another job. ${ask} Then use Job > Wait for Completion with the ID ${own?.value}, in a node that no other leads to.`;
	return { notWaited };
}

/** @param set the path set in the credential, which did not tell the status */
function foundHintOf({ family }: Sought, { told, found }: Candidate, set?: string): string {
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

/**
 * The path of a link to the status of a job in the answer to its creation. The link must lead below the Base URL, and have
 * the identifier as a whole segment.
 *
 * @param baseUrl without a slash at its end
 */
export function statusLinkIn(answer: Body, id: string, baseUrl: string): string | undefined {
	return fieldsIn(answer)
		.filter(([name]) => LEADS_TO_STATUS.test(name))
		.map(([, link]) => pathBelow(baseUrl, link))
		.find((path) => isStatusPath(path, id));
}

/** The fields of an answer, and of what is in it. */
const fieldsIn = (value: unknown, depth = DEPTH): Array<[string, unknown]> =>
	Object.entries((depth > 0 && objectIn(value)) || {}).flatMap(([name, inner]) => [
		[name, inner] as [string, unknown],
		...fieldsIn(inner, depth - 1),
	]);

/** The path of an address below the Base URL. */
function pathBelow(baseUrl: string, link: unknown): string | undefined {
	if (typeof link !== 'string' || link.length > MAX_LINK) return undefined;
	if (!/^(https?:\/)?\//i.test(link)) return undefined;
	const base = parseUrl(baseUrl);
	const url = parseUrl(link, base?.origin);
	if (!base || url?.origin !== base.origin || url.username + url.password !== '') return undefined;
	const root = base.pathname.replace(/\/$/, '');
	const isBelow = url.pathname.startsWith(`${root}/`) && url.search === '';
	return isBelow ? url.pathname.slice(root.length) : undefined;
}

/** Whether a text is a path below the Base URL that may lead to the status of a job: it has the identifier as a segment. */
export function isStatusPath(path: unknown, id: string): path is string {
	if (typeof path !== 'string' || path.length > MAX_LINK || !path.startsWith('/')) return false;
	const segments = path.replace(/\/$/, '').slice(1).split('/');
	return segments.includes(id) && segments.every(isPlain);
}

/** Whether a segment leads one step down and nowhere else. */
const isPlain = (segment: string): boolean => /^[\w.~-]+$/.test(segment) && !isDotSegment(segment);
