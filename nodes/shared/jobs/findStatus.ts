import { SETTINGS_PLACE } from '../parameters/names';
import { fillWithId } from '../request/buildRequest';
import { attempt } from '../service/attempt';
import { backoffMs } from '../limits/backoff';
import { retry } from '../service/retry';
import { isTooMany, isUnreachable, ServiceError } from '../service/serviceError';
import type { Service } from '../service/service';
import { GENERATION_ID, NOT_FOUND } from '../spec/answers';
import { routeNamed, STATUS_LADDER } from '../spec/jobs';
import { openPoint, STATUS_PATH } from '../spec/openPoints';
import type { JobRoute } from '../spec/types';
import type { Follower } from './account';
import type { StatusPlace } from './job';
import type { Learned } from './learnedStatus';
import type { JobFacts } from './proof';
import { identifierIn, stateIn, type Identifier } from './readRecord';
import { readStatus } from './readStatus';
import type { Body } from '../service/bodies';

/** A job whose status path is not documented. */
export interface Sought {
	/** What it was started with. */
	family: string;
	/** Its identifiers; that by which it is known comes first. */
	identifiers: readonly Identifier[];
	/** A link to its status, with a place for the identifier. */
	link?: string;
	facts: JobFacts;
	/** When it was created, elapsed ms; a job so young may not be known everywhere. */
	startedAt: number;
}

/** Where a job is read. */
export interface Place {
	/** The identifier by which it is read. */
	id: string;
	status: StatusPlace;
	/** The record, where it was read to find the job. */
	record?: Body;
	/** How the jobs of the family are read, in words, where that is new. */
	news?: string;
}

/** It was looked for, and nothing answers with it: what was tried, in words. */
export interface NotFound {
	notWaited: string;
}

/** Requests that may be in vain for one job. */
const MOST_IN_VAIN = 3;

/** A job is looked for from this age on, ms: the service may not know it everywhere before. */
const RIPE_MS = 3000;

/** A fault says nothing: so many requests more, so far apart, ms. */
const FAULTS = 3;
const AFTER_FAULT = { firstMs: 1000, longestMs: 4000 };

/** Statuses that say that nothing is there, also for other jobs. */
const NO = [400, 403, NOT_FOUND, 405, 410];

/**
 * Where a job is read as far as that was learned, without a request; `undefined` while a path that is set in the
 * credential has not been tried.
 */
export function knownPlace({ service, account }: Follower, sought: Sought): Place | undefined {
	const { family } = sought;
	const { statuses } = account;
	const learned = statuses.of(family);
	if (!learned) return undefined;
	const [set] = setSteps(service, sought);
	if (set && learned.step !== 'set') {
		if (!statuses.isRefused(family, set.key)) return undefined;
	}
	const steps = stepsOf(service, { ...sought, link: sought.link ?? learned.link });
	const ways = steps.filter((one) => one.learned.step === learned.step);
	const way = ways.find((one) => one.learned.idField === learned.idField) ?? ways[0];
	return way && asLearned(way.place, learned);
}

/**
 * Finds out where the state of a job is read: by what is set in the credential, then by what the service documents
 * (`STATUS_LADDER`). Reading costs nothing; what answers with this very job is taken, and is where all jobs of the
 * family are read from then on. One job of a family looks, the others wait for what it finds.
 *
 * @throws ServiceError when it was called off, or what is set is no path for the identifier
 */
export async function findStatus(run: Follower, sought: Sought): Promise<Place | NotFound> {
	const { statuses } = run.account;
	const known = knownPlace(run, sought);
	if (known) return known;
	return await statuses.inTurn(
		sought.family,
		async () => knownPlace(run, sought) ?? (await climb(run, sought)),
	);
}

async function climb(run: Follower, sought: Sought): Promise<Place | NotFound> {
	const { service, account, signal } = run;
	const { statuses } = account;
	const { family } = sought;
	const tried: string[] = [];
	const steps = stepsOf(service, sought);
	const open = steps.filter(({ key }) => !statuses.isRefused(family, key));
	for (const { key, place, learned } of open) {
		if (tried.length >= MOST_IN_VAIN) break;
		if (learned.step !== 'set') await ripen(run, sought);
		const read = await attempt(readPatiently(run, place.status));
		if (signal?.aborted) throw 'error' in read ? read.error : new Error('Stopped');
		const record = 'value' in read ? read.value : undefined;
		if (record && stateIn(record, { set: service.field('state') }) !== undefined) {
			const seenAs = { ...learned, ...listedAs(place, record) };
			statuses.learn(family, seenAs);
			const news = learned.step === 'set' ? {} : { news: newsOf(sought, place) };
			return { ...asLearned(place, seenAs), record, ...news };
		}
		if ('value' in read || isNo(read.error)) statuses.refuse(family, key);
		tried.push(
			'value' in read ? `${place.status.path} tells no state` : wordsOf(place, read.error),
		);
	}
	// The service may be late with it: it is waited for where the user says that it will be.
	const [set] = setSteps(service, sought);
	return set?.place ?? { notWaited: notWaitedText(sought, tried) };
}

/** @throws ServiceError when its waiting was called off */
async function ripen({ clock, signal }: Follower, { startedAt }: Sought): Promise<void> {
	const ms = startedAt + RIPE_MS - clock.elapsed();
	if (ms > 0) await clock.sleep(ms, signal);
}

/** One look may meet a fault. */
async function readPatiently(run: Follower, status: StatusPlace): Promise<Body> {
	const { service, clock, signal } = run;
	let faults = 0;
	const pauseAfter = (error: unknown) => {
		if (isTooMany(error)) return 0;
		const isFault = isUnreachable(error) || (!isNo(error) && isUnknown(error));
		return isFault && faults < FAULTS ? backoffMs(AFTER_FAULT, faults++) : undefined;
	};
	const work = async () =>
		await readStatus(service, status, { signal, because: 'it is looked for' });
	return await retry(work, pauseAfter, { clock, signal });
}

const isUnknown = (error: unknown) => error instanceof ServiceError && error.outcome === 'unknown';

/** The service, or what answers there, does not serve it: also an answer that is none of a job. */
function isNo(error: unknown): boolean {
	if (!(error instanceof ServiceError) || error.status === undefined) return false;
	return NO.includes(error.status) || (error.status >= 200 && error.status <= 299);
}

interface Step {
	/** Names what answers, whichever job it is about. */
	key: string;
	place: Place;
	learned: Learned;
}

/** All places where a job may be found, in their order. */
function stepsOf(service: Service, sought: Sought): Step[] {
	const documented = STATUS_LADDER.flatMap((step) => {
		if (step === 'link') return linkSteps(sought);
		const route = routeNamed(step);
		if (!route || !serves(route, sought.family)) return [];
		return route.list ? listSteps(sought, route) : routeSteps(sought, route);
	});
	return [...setSteps(service, sought), ...documented];
}

/** What is set in the credential, maybe after the job was created. */
function setSteps(service: Service, { family, identifiers: [own] }: Sought): Step[] {
	const { path } = routeNamed(family) ?? {};
	const set = typeof path === 'object' ? service.path(path.openPoint) : undefined;
	if (set === undefined || !own) return [];
	const status = { path: fillWithId(set, own.value), urlFields: {} };
	return [{ key: `set ${set}`, place: { id: own.value, status }, learned: { step: 'set' } }];
}

/** Whether a route has jobs of a family, by what they make. */
function serves({ mediaTypes = [] }: JobRoute, family: string): boolean {
	return routeNamed(family)?.mediaTypes?.every((type) => mediaTypes.includes(type)) === true;
}

function linkSteps({ link, family, identifiers: [own], facts }: Sought): Step[] {
	if (link === undefined || !own) return [];
	const path = fillWithId(link, own.value);
	const found = { startedWith: family, link, facts };
	const place = { id: own.value, status: { path, urlFields: {}, found } };
	return [{ key: 'link', place, learned: { step: 'link', link } }];
}

/** A generation_id first, since that is what the route takes. */
function routeSteps({ identifiers, facts }: Sought, { value, path, route }: JobRoute): Step[] {
	const { stateField, urlFields, isInHistory } = route;
	const isFirst = ({ field }: Identifier) => (field === GENERATION_ID ? 0 : 1);
	return [...identifiers]
		.sort((one, other) => isFirst(one) - isFirst(other))
		.map(({ field, value: id }) => ({
			key: `${value} ${field}`,
			place: {
				id,
				status: {
					path: fillWithId(String(path), id),
					urlFields,
					...(stateField !== undefined && { stateField }),
					...(isInHistory && { isInHistory }),
					found: { startedWith: value, facts },
				},
			},
			learned: { step: value, idField: field },
		}));
}

function listSteps(
	{ identifiers: [own], facts }: Sought,
	{ value, path, route }: JobRoute,
): Step[] {
	if (!own) return [];
	const found = { startedWith: value, isList: true, facts } as const;
	const place = { id: own.value, status: { ...route, path: String(path), found } };
	return [{ key: value, place, learned: { step: value } }];
}

/** A look at the history polls jobs that it has under the identifier by which they are known here. */
function listedAs({ id, status }: Place, record: Body): Pick<Learned, 'isById'> {
	const list = status.found?.isList && routeNamed(status.found.startedWith)?.list;
	if (!list || !list.isHistory) return {};
	return { isById: identifierIn(record, { documented: list.idFields })?.value === id };
}

const asLearned = (place: Place, { isById }: Learned): Place =>
	isById ? { ...place, status: { ...place.status, isInHistory: true } } : place;

/** What was tried, in words. */
function wordsOf({ id, status: { path } }: Place, error: unknown): string {
	if (error instanceof ServiceError && error.status === NOT_FOUND && error.description === '')
		return error.message;
	const reason = error instanceof Error ? error.message : String(error);
	return `${path.replace(encodeURIComponent(id), '{job_id}')}: ${reason}`;
}

const labelOf = (family: string) => {
	const { path } = routeNamed(family) ?? {};
	return typeof path === 'object' ? openPoint(path.openPoint)?.setting?.label : undefined;
};

function notWaitedText({ family, identifiers: [own] }: Sought, tried: readonly string[]): string {
	const label = labelOf(family) ?? STATUS_PATH.label;
	const found =
		tried.length > 0 ? tried.join('; ') : 'nothing, since all has answered no for an earlier job';
	return `How to read the status of this job is not documented (the service answered with a ${own?.field ?? 'name'}). Tried: ${found}. If you know the path, enter it in ${SETTINGS_PLACE}, as "${STATUS_PATH.label}" or "${label}".`;
}

function newsOf({ family }: Sought, { id, status }: Place): string {
	const { found } = status;
	const list = found?.isList && routeNamed(found.startedWith);
	const where = list
		? `in ${status.path}, which lists`
		: `at ${status.path.replace(encodeURIComponent(id), '{job_id}')}, which answered with`;
	const label = labelOf(family) ?? STATUS_PATH.label;
	return `${routeNamed(family)?.label ?? family}: the service documents no status path. The jobs are read ${where} job ${id}. To make that certain, enter the path in ${SETTINGS_PLACE}, as "${label}".`;
}
