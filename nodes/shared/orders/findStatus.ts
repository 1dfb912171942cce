import { deadlineIn, unlessStopped } from '../clock/clock';
import { backoffMs } from '../account/backoff';
import { SETTINGS_PLACE } from '../parameters/names';
import { pathWithId } from '../request/buildRequest';
import { attempt } from '../service/attempt';
import type { Body } from '../service/bodies';
import type { Service } from '../service/service';
import { isTooMany, isUnreachable, ServiceError } from '../service/serviceError';
import { GENERATION_ID, stateNamed } from '../spec/answers';
import { ladderFor, routeNamed } from '../spec/jobs';
import { STATUS_PATH } from '../spec/openPoints';
import type { JobRoute } from '../spec/types';
import type { Follower } from './account';
import type { StatusPlace } from './job';
import { learnedByRun, REFUSED_MS, type Learned, type LearnedStatus } from './learnedStatus';
import { isUnmistakable, type JobFacts } from './proof';
import { identifierIn, identifiersIn, stateIn, type Identifier } from './readRecord';
import { readStatus } from './readStatus';

/** A job whose status path is not documented. */
export interface Sought {
	/** What it was started with. */
	family: string;
	/** A link to its status, with a placeholder for the identifier. */
	link?: string;
	/** The first identifier is the one by which the job is known. */
	facts: JobFacts;
	/** When it was created, elapsed ms; a very young job may not be known everywhere in the service. */
	startedAt: number;
	/** How long to look for it at most, ms. */
	withinMs: number;
	/** A person gave its identifier. */
	isGivenById?: true;
	/** A person has retried an earlier execution: what was refused before is tried again. */
	isRetry?: boolean;
	/** It is not where other jobs of its family are, so what was learned does not count. */
	isElsewhere?: true;
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
	/** No answer had a documented state, so this says nothing about other jobs of the family. */
	isUnproven?: true;
}

/** The job was looked for, and no answer was about it. */
export interface StatusNotFound {
	/** What was tried, in words. */
	notWaited: string;
}

const REFUSED_MINUTES = REFUSED_MS / 60_000;

/** How many places may answer in vain until no other is asked; one that has met a fault may be the right one. */
const MOST_IN_VAIN = 3;

/** How old a job must be to be looked for, and how much older after each request in vain, ms: it may show up late. */
const RIPE_MS = 3000;

/** Faults say nothing about the job, so places that met one are asked again: in this many rounds if others answered. */
const MOST_ROUNDS = 5;

/** How often a place is asked again if its answer cannot be read or it refuses the key: it may not show jobs at all. */
const MOST_DOUBTFUL = 2;

/** The key may not read: that says nothing about the job either, and searching on does not help. */
const DENIED = [401, 402];

/** At first, any of these may be a passing fault. */
const REFUSED = [...DENIED, 403];

/** Statuses of a service in trouble, besides those from 500 up. */
const TROUBLE = [408, 425];

/** What is learned in a retry, or about a job given by its ID, stays with its run, which asks refused places again. */
const statusesFor = (run: Follower, { isGivenById, isRetry }: Sought): LearnedStatus =>
	isGivenById || isRetry
		? learnedByRun(run, run.clock, run.account.statuses)
		: run.account.statuses;

/** Where a job is likely read, without a request: where its family's jobs were found, or else by its generation_id. */
export function statusLikely(run: Follower, sought: Sought): StatusFound | undefined {
	const learned = placeLearned(run.service, statusesFor(run, sought), sought);
	const isGeneration = ({ learned: { idField } }: Step) => idField === GENERATION_ID;
	return learned ?? stepsOf(run.service, sought).find(isGeneration)?.place;
}

/** Where the family's jobs were found; also `undefined` while a path set in the credential has not been tried. */
function placeLearned(
	service: Service,
	statuses: LearnedStatus,
	sought: Sought,
): StatusFound | undefined {
	const { family } = sought;
	const learned = statuses.of(family);
	if (!learned) return undefined;
	const [set] = setSteps(service, sought);
	const isTried = !set || learned.step === 'set' || statuses.isRefused(family, set.key);
	if (!isTried) return undefined;
	const link = sought.link ?? (learned.step === 'link' ? learned.path : undefined);
	const ways = stepsOf(service, { ...sought, link }).filter(
		(one) =>
			one.learned.step === learned.step &&
			(learned.step !== 'set' || one.learned.path === learned.path),
	);
	const way = ways.find((one) => one.learned.idField === learned.idField) ?? ways[0];
	return way && asLearned(way.place, learned);
}

/**
 * Finds out where the state of a job is read: at the path set in the credential, or else at one of the places in
 * `STATUS_LADDER`. Reading costs nothing. The first place that answers with this very job is where all jobs of its
 * family are read from then on. One job of a family searches; the others wait for what it finds.
 *
 * @throws ServiceError when the key may not read; another error when the search was stopped or its time was up
 */
export async function findStatus(
	run: Follower,
	sought: Sought,
): Promise<StatusFound | StatusNotFound> {
	const statuses = statusesFor(run, sought);
	const known = () =>
		sought.isElsewhere ? undefined : placeLearned(run.service, statuses, sought);
	const place = known();
	if (place) return place;
	const { signal, forget } = deadlineIn(run.clock, sought.withinMs, run.signal);
	const look = async () =>
		await statuses.inTurn(sought.family, async () => {
			signal.throwIfAborted();
			return known() ?? (await searchInOrder({ ...run, signal }, statuses, sought));
		});
	return await unlessStopped(look, signal).finally(forget);
}

async function searchInOrder(
	run: Follower,
	statuses: LearnedStatus,
	sought: Sought,
): Promise<StatusFound | StatusNotFound> {
	const { service, clock, signal } = run;
	const { family } = sought;
	const tried: string[] = [];
	// A person may have given a wrong ID: that a place refused it says nothing about the next ID that the person gives.
	const isRefused = ({ key }: Step) => !sought.isGivenById && statuses.isRefused(family, key);
	const [set] = setSteps(service, sought);
	/** An answer that names the job, with an undocumented state: it may also say that there is no such job. */
	let likely: { step: Step; record: Body } | undefined;
	let open = stepsOf(service, sought).filter((step) => !isRefused(step));
	for (let round = 0; open.length > 0; round++) {
		if (round > 0) await clock.sleep(backoffMs(round - 1), signal);
		if (round >= MOST_ROUNDS && tried.length > 0) break;
		const faulty: Step[] = [];
		for (const step of open) {
			if (round === 0 && tried.length >= MOST_IN_VAIN) break;
			await waitUntilOldEnough(run, sought, tried.length);
			const options = { signal, because: 'it is looked for' };
			const read = await attempt(readStatus(service, step.place.status, options));
			signal?.throwIfAborted();
			const record = 'value' in read ? read.value : undefined;
			const state = record && stateIn(record, { set: service.field('state') });
			if (record && stateNamed(state ?? '')) return learn(statuses, sought, step, record);
			if ('error' in read && isFault(read.error, round)) {
				faulty.push(step);
				continue;
			}
			if ('error' in read && isDenied(read.error)) throw read.error;
			if (record && state !== undefined && isNamedIn(record, sought)) likely ??= { step, record };
			else statuses.refuse(family, step.key);
			tried.push(wordsOf(step, 'error' in read ? read.error : undefined));
		}
		open = faulty;
	}
	for (const { told } of open) tried.push(`${told}: no answer`);
	// This says nothing about other jobs of the family.
	if (likely) return { ...likely.step.place, record: likely.record, isUnproven: true };
	// The service may be late to show the job: it is waited for where the user says that it will be.
	return set
		? { ...set.place, isUnproven: true }
		: { notWaited: notWaitedText(service, sought, tried) };
}

function isNamedIn(record: Body, { facts }: Sought): boolean {
	const own = facts.identifiers.map(({ value }) => value).filter(isUnmistakable);
	return identifiersIn(record).some(({ value }) => own.includes(value));
}

function learn(statuses: LearnedStatus, sought: Sought, step: Step, record: Body): StatusFound {
	const { place, learned } = step;
	const seenAs = { ...learned, ...listedAs(place, record) };
	statuses.learn(sought.family, seenAs);
	const foundHint = learned.step === 'set' ? {} : { foundHint: foundHintOf(sought, step) };
	return { ...asLearned(place, seenAs), record, ...foundHint };
}

async function waitUntilOldEnough(
	{ clock, signal }: Follower,
	{ startedAt }: Sought,
	inVain: number,
): Promise<void> {
	const ms = startedAt + RIPE_MS * (1 + inVain) - clock.elapsed();
	if (ms > 0) await clock.sleep(ms, signal);
}

const isDenied = (error: unknown): boolean =>
	error instanceof ServiceError && DENIED.includes(Number(error.status));

/** Whether an error says nothing about the job: no answer, a service in trouble, or a doubtful answer at first. */
function isFault(error: unknown, round: number): boolean {
	const { status = 0, outcome } = error instanceof ServiceError ? error : {};
	return (
		isTooMany(error) ||
		isUnreachable(error) ||
		((outcome === 'unknown' || REFUSED.includes(status)) && round < MOST_DOUBTFUL) ||
		status === 0 ||
		status >= 500 ||
		TROUBLE.includes(status)
	);
}

interface Step {
	/** Names the place, whichever job is looked for. */
	key: string;
	/** The path as it is shown to a person. */
	told: string;
	place: StatusFound;
	learned: Learned;
}

/** All places where a job may be found, in the order in which they are tried. */
function stepsOf(service: Service, sought: Sought): Step[] {
	const [own, ...others] = identifiersFirst(sought.facts.identifiers);
	const family = routeNamed(sought.family);
	const routes = family ? ladderFor(family) : [];
	return [
		...setSteps(service, sought),
		...linkSteps(sought),
		...routes.flatMap((route) =>
			route.list ? listSteps(sought, route) : routeSteps(sought, route, own ? [own] : []),
		),
		// The job's other identifiers come last. Lists need none of these steps: they are searched for all identifiers.
		...routes.flatMap((route) => (route.list ? [] : routeSteps(sought, route, others))),
	];
}

/** A generation_id comes first, since that is what the documented route takes. */
const identifiersFirst = (identifiers: readonly Identifier[]): Identifier[] => {
	const rank = ({ field }: Identifier) => (field === GENERATION_ID ? 0 : 1);
	return [...identifiers].sort((one, other) => rank(one) - rank(other));
};

/** The path set in the credential for a family, maybe only after the job was created. */
function pathSet(service: Service, family: string): string | undefined {
	const { path } = routeNamed(family) ?? {};
	return typeof path === 'object' ? service.path(path.openPoint) : undefined;
}

function setSteps(service: Service, { family, facts }: Sought): Step[] {
	const set = pathSet(service, family) ?? '';
	const [own] = facts.identifiers;
	const path = own && pathWithId(set, own.value);
	if (!own || path === undefined) return [];
	const place = { id: own.value, status: { path, urlFields: {} } };
	return [{ key: `set ${set}`, told: set, place, learned: { step: 'set', path: set } }];
}

function linkSteps({ link = '', family, facts }: Sought): Step[] {
	const [own] = facts.identifiers;
	const path = own && pathWithId(link, own.value);
	if (!own || path === undefined) return [];
	const found = { startedWith: family, link, facts: { ...facts, addressedBy: own.value } };
	const place = { id: own.value, status: { path, urlFields: {}, found } };
	return [{ key: 'link', told: link, place, learned: { step: 'link', path: link } }];
}

function routeSteps(
	{ facts }: Sought,
	{ value, path: template, route }: JobRoute,
	identifiers: readonly Identifier[],
): Step[] {
	const { stateField, urlFields, isInHistory } = route;
	return identifiers.flatMap(({ field, value: id }) => {
		const path = pathWithId(String(template), id);
		if (path === undefined) return [];
		const addressed = field === GENERATION_ID && { addressedBy: id };
		const status = {
			path,
			urlFields,
			...(stateField !== undefined && { stateField }),
			// The same number may stand for something else in another table of the service.
			...(isInHistory && (addressed || isUnmistakable(id)) && { isInHistory }),
			found: { startedWith: value, facts: { ...facts, ...addressed } },
		};
		const learned = { step: value, idField: field };
		return [{ key: `${value} ${field}`, told: String(template), place: { id, status }, learned }];
	});
}

function listSteps({ facts }: Sought, { value, path, route }: JobRoute): Step[] {
	const [own] = facts.identifiers;
	if (!own) return [];
	const found = { startedWith: value, isList: true, facts } as const;
	const place = { id: own.value, status: { ...route, path: String(path), found } };
	return [{ key: value, told: String(path), place, learned: { step: value } }];
}

/** Whether the history lists jobs under the identifiers by which they are known here: then a look polls them. */
function listedAs({ id, status }: StatusFound, record: Body): Pick<Learned, 'listsSameId'> {
	const list = status.found?.isList && routeNamed(status.found.startedWith)?.list;
	if (!list || !list.isHistory) return {};
	const told = identifierIn(record, { documented: list.idFields })?.value;
	return { listsSameId: told === id && isUnmistakable(id) };
}

const asLearned = (place: StatusFound, { listsSameId }: Learned): StatusFound =>
	listsSameId ? { ...place, status: { ...place.status, isInHistory: true } } : place;

/** What was tried, in words. */
function wordsOf({ told }: Step, error: unknown): string {
	if (error === undefined) return `${told} tells no state of a job`;
	// Our own message about an answer already names its path.
	if (error instanceof ServiceError && error.description === '') return error.message;
	return `${told}: ${(error as Error).message}`;
}

function notWaitedText(service: Service, sought: Sought, tried: readonly string[]): string {
	const { family, facts, isGivenById } = sought;
	const [own] = facts.identifiers;
	const set = pathSet(service, family);
	const all = set === undefined ? tried : [`${set} has no place for {job_id}`, ...tried];
	const found =
		all.length > 0
			? all.join('; ')
			: `nothing, since all of it has failed less than ${REFUSED_MINUTES} minutes ago`;
	const ask = `Tried: ${found}. Ask the service for the path that tells the status of such jobs, and enter it in ${SETTINGS_PLACE}, as "${STATUS_PATH.label}".`;
	if (isGivenById)
		return `The service does not document it. ${ask} Check Job ID and Started With, too.`;
	return `The job was started and is paid for, but where its status is read is not documented. Do not run this again: that pays for another job. ${ask} Then use Job > Wait for Completion with the ID ${own?.value}, in a node that no other leads to.`;
}

function foundHintOf({ family }: Sought, { told, place: { id, status } }: Step): string {
	const where = status.found?.isList
		? `in ${told}, which lists`
		: `at ${told}, which answered with`;
	return `You need to do nothing. The service documents no status path of ${routeNamed(family)?.label ?? family}; its jobs are read ${where} job ${id}. If the service tells you the path of the status of one job, enter it in ${SETTINGS_PLACE}, as "${STATUS_PATH.label}".`;
}
