import { deadlineIn, unlessStopped } from '../clock/clock';
import { backoffMs } from '../limits/backoff';
import { SETTINGS_PLACE } from '../parameters/names';
import { pathWithId } from '../request/buildRequest';
import { attempt } from '../service/attempt';
import type { Body } from '../service/bodies';
import type { Service } from '../service/service';
import { isTooMany, isUnreachable, ServiceError } from '../service/serviceError';
import { GENERATION_ID, stateNamed } from '../spec/answers';
import { routeNamed, STATUS_LADDER } from '../spec/jobs';
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
	/** A link to its status, with a place for the identifier. */
	link?: string;
	/** Its first identifier is that by which it is known. */
	facts: JobFacts;
	/** When it was created, elapsed ms; a job so young may not be known everywhere. */
	startedAt: number;
	/** For how long it is looked for at most, ms. */
	withinMs: number;
	/** A person names it by its identifier. */
	isGivenById?: true;
	/** An earlier execution has ordered it, and a person wants to know now. */
	isRetry?: boolean;
	/** It is not where the others are: what was learned does not count. */
	isElsewhere?: true;
}

/** Where a job is read. */
export interface StatusFound {
	/** The identifier by which it is read. */
	id: string;
	status: StatusPlace;
	/** The record, where it was read to find the job. */
	record?: Body;
	/** How the jobs of the family are read, in words, where that is new. */
	foundHint?: string;
	/** Nothing has answered with a documented state of the job: what is found tells nothing of others. */
	isUnproven?: true;
}

/** It was looked for, and nothing answers with it. */
export interface StatusNotFound {
	/** What was tried, in words. */
	notWaited: string;
}

const REFUSED_MINUTES = REFUSED_MS / 60_000;

/** Requests that may be in vain for one job. */
const MOST_IN_VAIN = 3;

/** A job is looked for from this age on, and so much later each time: the service may be late with it, ms. */
const RIPE_MS = 3000;

/** A fault says nothing: what met one is asked again after a while; so often where others have answered. */
const MOST_ROUNDS = 5;

/** A place whose answers cannot be read, or that refuses the key, is asked again so many times: it may be none. */
const MOST_DOUBTFUL = 2;

/** The key is not allowed to read: that says nothing of the job either, and looking on does not help. */
const DENIED = [401, 402];

/** Once, any of them may be a passing fault. */
const REFUSED = [...DENIED, 403];

/** Answers of a service in trouble, besides those from 500 on. */
const TROUBLE = [408, 425];

/** What comes of such a job tells nothing to other runs, and what they were refused is asked again. */
const statusesFor = (run: Follower, { isGivenById, isRetry }: Sought): LearnedStatus =>
	isGivenById || isRetry
		? learnedByRun(run, run.clock, run.account.statuses)
		: run.account.statuses;

/** Where a job is read as far as that is known without a request; a generation_id is likely good for its own route. */
export function statusLikely(run: Follower, sought: Sought): StatusFound | undefined {
	const learned = placeLearned(run.service, statusesFor(run, sought), sought);
	const isGeneration = ({ learned: { idField } }: Step) => idField === GENERATION_ID;
	return learned ?? stepsOf(run.service, sought).find(isGeneration)?.place;
}

/** `undefined`, too, while a path that is set in the credential has not been tried. */
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
 * Finds out where the state of a job is read: by what is set in the credential, then by what the service documents
 * (`STATUS_LADDER`). Reading costs nothing; what answers with this very job is taken, and is where all jobs of the
 * family are read from then on. One job of a family looks, the others wait for what it finds.
 *
 * @throws ServiceError when the key may not read; anything else when it was called off, or its time is up
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
	// What a person names may be wrong: that tells nothing of what else the person names.
	const isRefused = ({ key }: Step) => !sought.isGivenById && statuses.isRefused(family, key);
	const [set] = setSteps(service, sought);
	/** It names the job, and a state that is none of the documented ones: it may also say that there is no job. */
	let likely: { step: Step; record: Body } | undefined;
	let open = stepsOf(service, sought).filter((step) => !isRefused(step));
	for (let round = 0; open.length > 0 && tried.length < MOST_IN_VAIN; round++) {
		if (round > 0) await clock.sleep(backoffMs(round - 1), signal);
		if (round >= MOST_ROUNDS && tried.length > 0) break;
		const faulty: Step[] = [];
		for (const step of open) {
			if (tried.length >= MOST_IN_VAIN) break;
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
	// Of the others it tells nothing.
	if (likely) return { ...likely.step.place, record: likely.record, isUnproven: true };
	// The service may be late with it: it is waited for where the user says that it will be.
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

/** It says nothing of the job: the service was not asked, is in trouble, or has answered doubtfully a few times. */
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
	/** Names what answers, whichever job it is about. */
	key: string;
	/** Its path, as a person reads it. */
	told: string;
	place: StatusFound;
	learned: Learned;
}

/** All places where a job may be found, in their order. */
function stepsOf(service: Service, sought: Sought): Step[] {
	const [own, ...others] = identifiersFirst(sought.facts.identifiers);
	const routes = STATUS_LADDER.flatMap((name) => routeNamed(name) ?? []).filter((route) =>
		coversMediaOf(route, sought.family),
	);
	return [
		...setSteps(service, sought),
		...linkSteps(sought),
		...routes.flatMap((route) =>
			route.list ? listSteps(sought, route) : routeSteps(sought, route, own ? [own] : []),
		),
		// Other identifiers last: a list is found by any of them.
		...routes.flatMap((route) => (route.list ? [] : routeSteps(sought, route, others))),
	];
}

/** A generation_id first, since that is what the documented route takes. */
const identifiersFirst = (identifiers: readonly Identifier[]): Identifier[] => {
	const rank = ({ field }: Identifier) => (field === GENERATION_ID ? 0 : 1);
	return [...identifiers].sort((one, other) => rank(one) - rank(other));
};

/** Whether a route has jobs of a family, by what they make. */
function coversMediaOf({ mediaTypes }: JobRoute, family: string): boolean {
	return routeNamed(family)?.mediaTypes.every((type) => mediaTypes.includes(type)) === true;
}

/** What is set in the credential for a family, maybe after the job was created. */
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
			// Another table of the service may have that number, too.
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

/** A look at the history polls jobs that it has under the identifier by which they are known here. */
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
	// What we say of an answer names its path already.
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
	// @error(hints) The job was started and is paid for, but where its status is read is not documented
	// Ask the service for the path. A node before _Wait for Completion_ would run again, and pay again: put
	// it alone, paste the `jobId`, and choose in _Started With_ what started the job. See [What works at
	// once](openPoints.md#what-works-at-once).
	// @charged Yes.
	return `The job was started and is paid for, but where its status is read is not documented. Do not run this again: that pays for another job. ${ask} Then use Job > Wait for Completion with the ID ${own?.value}, in a node that no other leads to.`;
}

function foundHintOf({ family }: Sought, { told, place: { id, status } }: Step): string {
	const where = status.found?.isList
		? `in ${told}, which lists`
		: `at ${told}, which answered with`;
	return `You need to do nothing. The service documents no status path of ${routeNamed(family)?.label ?? family}; its jobs are read ${where} job ${id}. If the service tells you the path of the status of one job, enter it in ${SETTINGS_PLACE}, as "${STATUS_PATH.label}".`;
}
