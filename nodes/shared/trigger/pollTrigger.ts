import { NodeOperationError, type INodeExecutionData, type IPollFunctions } from 'n8n-workflow';

import { systemClock, timeLimit, type Clock, attempt, callLimit } from '../clock/clock';
import { isNodeError, nodeError } from '../run/messages';
import { sendInTime } from '../service/retry';
import { type ServiceRequest, openService, type Service } from '../service/service';
import { isUnfinished } from '../spec/answers';
import { ACCOUNT_KINDS } from '../spec/limits';
import {
	activeTriggerOf,
	faultOfLists,
	log,
	type ActiveTrigger,
	type Cause,
	type Fault,
	Seen,
} from './memory';
import { isResultUntold, jobItem, resultOf, withStatus } from './endedJob';
import {
	endOf,
	hasEnded,
	readList,
	streamsOf,
	type ListedJob,
	type Reading,
	type Stream,
} from './lists';
import { isWished, readWishes, type Wishes } from './wishes';

/** How long a poll may take where n8n does not say, in ms. */
const BUDGET_MS = 300_000;

/** How long a request waits for its turn, in ms; then the next poll tries. */
const TURN_MS = 60_000;

/** How many jobs one poll hands on, and how many statuses it reads; the rest is left to the next. */
const MOST_JOBS = 100;
const MOST_STATUSES = 20;

/** How many jobs have their files downloaded at the same time. */
const DOWNLOADING = 3;

/**
 * One poll: an item for each job that has ended since the last one; `null` where there is none. What has
 * been handed on is remembered in the node's static data (docs/maintainers/architecture.md).
 *
 * @throws NodeApiError, NodeOperationError when the workflow is activated or tested, and when a fault lasts
 */
export async function pollTrigger(
	context: IPollFunctions,
	clock: Clock = systemClock,
): Promise<INodeExecutionData[][] | null> {
	const deadline = timeLimit(clock, context.getPollBudgetMs?.() ?? BUDGET_MS);
	const begun = { context, clock, signal: deadline.signal };
	try {
		const items = context.getMode() === 'manual' ? await sample(begun) : await pollOnce(begun);
		return items.length > 0 ? [items] : null;
	} catch (error) {
		throw isNodeError(error) ? error : nodeError(context, error);
	} finally {
		deadline.forget();
	}
}

interface Poll {
	context: IPollFunctions;
	clock: Clock;
	/** Fires when the time of the poll is up. */
	signal: AbortSignal;
	/** What a person has filled in, and what follows from that. */
	wishes: Wishes;
	service: Service;
	/** The lists that have the wanted jobs. */
	streams: readonly Stream[];
}

type BegunPoll = Pick<Poll, 'context' | 'clock' | 'signal'>;

/**
 * @param isAwaited a person waits for the poll: then its requests come before the polls of running jobs
 * @throws InvalidValues, ServiceError for what a person has to correct
 */
async function prepare(begun: BegunPoll, isAwaited: boolean): Promise<Poll> {
	const { context, clock, signal } = begun;
	const wishes = readWishes(context);
	const opened = await openService(context, { clock });
	const priority = isAwaited ? 'other' : 'trigger';
	const send = async (request: ServiceRequest) =>
		await sendInTime(opened, request, { clock, signal, priority, turnMs: TURN_MS });
	const streams = streamsOf(wishes.media, opened.account);
	return { ...begun, wishes, service: { ...opened, send }, streams };
}

async function pollOnce(begun: BegunPoll): Promise<INodeExecutionData[]> {
	const { context } = begun;
	const active = activeTriggerOf(context);
	const cause = active.begin(context);
	if (!cause) return [];
	try {
		const { items, fault } = await newItems(begun, active, cause);
		if (!active.isCurrent(context)) return [];
		if (fault && fault.kind !== 'noTurn') log(context, (fault.error as Error).message);
		// A poll that has something to hand on cannot fail: the next one can.
		if ((fault && items.length > 0) || !active.isToBeTold(fault, cause)) return items;
		if (fault.kind === 'noTurn') throw noRequestsLeft(context);
		throw nodeError(context, fault.error, { more: WHAT_NOW[cause] });
	} finally {
		active.end(context);
	}
}

/** What a fault means to the trigger. */
const WHAT_NOW: Partial<Record<Cause, string>> = {
	switchedOn: 'The workflow is not published; publish it again once this is settled.',
	due: 'The trigger goes on: the next poll tries again, and no job is lost.',
};

function noRequestsLeft(context: IPollFunctions): NodeOperationError {
	const limits = ACCOUNT_KINDS.map(({ label, words }) => `${label}: ${words}`).join('; ');
	const description = `The service limits them (${limits}). Publish the workflow again later.`;
	const message = 'The account has no requests left for the moment';
	return new NodeOperationError(context.getNode(), message, { description });
}

/** The new items, and the fault that was in the way of others. */
async function newItems(
	begun: BegunPoll,
	active: ActiveTrigger,
	cause: Cause,
): Promise<{ items: INodeExecutionData[]; fault?: Fault }> {
	const { context } = begun;
	const isBeginning = cause === 'switchedOn';
	const prepared = await attempt(prepare(begun, isBeginning || cause === 'edited'));
	if ('error' in prepared) return { items: [], fault: { error: prepared.error, kind: 'lasting' } };
	const poll = prepared.value;
	const staticData = context.getWorkflowStaticData('node');
	const seen = new Seen(staticData, active.marks);
	const begins = ({ key }: Stream) => isBeginning || !seen.isWatched(key);
	const isOld = (job: ListedJob) => begins(job.stream) || seen.hasAny(job.id);
	const isRunning = (job: ListedJob) => isUnfinished(job.state);
	const isNews = (job: ListedJob) =>
		begins(job.stream) || isRunning(job) || (hasEnded(job) && !isOld(job));
	let isLeftOff = false;
	const { jobs, watched, errors } = await readLists(poll, {
		readsOn: (page) => page.some(isNews),
		isThorough: active.isThorough,
		leaveOff: (stream) => (isLeftOff = !begins(stream)),
		tell: (text) => active.logOnce(context, text),
	});
	const fault = faultOfLists(errors, poll.streams.length);
	// If the trigger began without one of the lists, that list's old jobs would later count as news.
	if (isBeginning && fault) return { items: [], fault };
	const ended = jobs.filter(hasEnded);
	const old = ended.filter(isOld);
	const isLast = ({ id }: ListedJob) => Number(active.unread.has(id));
	const news = ended
		.filter((job) => !isOld(job))
		.sort((one, other) => isLast(one) - isLast(other) || endOf(one) - endOf(other));
	const { wanted, unread, isAnyLeft } = await decide(news, poll, seen);
	const items = await itemsOf(wanted, poll);
	active.unread = unread;
	active.isBehind = isLeftOff || isAnyLeft || errors.length > 0;
	for (const { key } of watched) seen.add(key);
	for (const { id, stream } of old) seen.add(stream.key, id);
	if (active.isCurrent(context)) active.marks = seen.keepIn(staticData, poll.streams);
	return { items, fault };
}

/** The jobs of the lists that can be read, each from the end of its list, where the oldest are most likely. */
async function readLists({ streams, service }: Poll, reading: Omit<Reading, 'service'>) {
	const lists = await Promise.all(
		streams.map(async (stream) => await attempt(readList(stream, { ...reading, service }))),
	);
	return {
		jobs: lists.flatMap((list) => ('value' in list ? list.value.reverse() : [])),
		watched: streams.filter((_, index) => 'value' in lists[index]!),
		errors: lists.flatMap((list) => ('error' in list ? [list.error] : [])),
	};
}

/**
 * The jobs that start the workflow, in their order. What is decided on counts as seen. The rest is left to the next poll:
 * what is too much for one, and those whose status cannot be read, which come last then and hold up no others.
 */
async function decide(
	jobs: readonly ListedJob[],
	poll: Poll,
	seen: Seen,
	most = MOST_JOBS,
): Promise<{ wanted: ListedJob[]; unread: Set<string>; isAnyLeft: boolean }> {
	const { wishes, service, clock } = poll;
	const wanted: ListedJob[] = [];
	const unread = new Set<string>();
	let isAnyLeft = false;
	let statuses = MOST_STATUSES;
	for (const listed of jobs) {
		// Another list may have shown it a moment ago.
		if (seen.hasAny(listed.id)) continue;
		const isStatusNeeded = isOpen(listed, poll);
		const isTooMuch = wanted.length >= most || (isStatusNeeded && statuses-- <= 0);
		isAnyLeft ||= isTooMuch;
		if (isTooMuch) continue;
		const job = isStatusNeeded ? await withStatus(listed, service, clock) : listed;
		if (!job || !hasEnded(job)) {
			unread.add(listed.id);
			continue;
		}
		seen.add(job.stream.key, job.id);
		if (isWished(wishes, job) !== false && !isOfAnother(job, poll, seen)) wanted.push(job);
	}
	return { wanted, unread, isAnyLeft };
}

/** Whether the list leaves open if the job is wanted, or what has become of it. */
function isOpen(job: ListedJob, { wishes, service }: Poll): boolean {
	const wished = isWished(wishes, job);
	if (wished !== true) return wished === undefined;
	return isResultUntold(job, service, wishes.options.resultField);
}

/**
 * Whether another list has shown the job: two lists may know it by different identifiers, but its result has one URL,
 * which is remembered.
 */
function isOfAnother(job: ListedJob, { streams, service }: Poll, seen: Seen): boolean {
	const url = resultOf(job, service).main[0]?.url;
	if (url === undefined) return false;
	const { key: own } = job.stream;
	const others = streams.filter(({ key }) => key !== own).map(({ key }) => `${key} ${url}`);
	const isSeen = seen.hasAny(...others);
	if (!isSeen) seen.add(own, `${own} ${url}`);
	return isSeen;
}

async function itemsOf(jobs: readonly ListedJob[], poll: Poll): Promise<INodeExecutionData[]> {
	const limit = callLimit(DOWNLOADING);
	const making = { ...poll, helpers: poll.context.helpers };
	const itemOf = async (job: ListedJob) => await limit(async () => await jobItem(job, making));
	return await Promise.all(jobs.map(itemOf));
}

/**
 * *Fetch Test Event*: the wanted job that has ended last, as far as the lists show.
 *
 * @throws ServiceError when no list can be read
 */
async function sample(begun: BegunPoll): Promise<INodeExecutionData[]> {
	const poll = await prepare(begun, true);
	const fits = (job: ListedJob) => hasEnded(job) && isWished(poll.wishes, job) !== false;
	const readsOn = (page: readonly ListedJob[]) => !page.some(fits);
	const { jobs, watched, errors } = await readLists(poll, { readsOn });
	if (watched.length === 0) throw errors[0];
	const ended = jobs.filter(fits).sort((one, other) => endOf(other) - endOf(one));
	const { wanted } = await decide(ended, poll, new Seen({}), 1);
	const [found] = [...wanted, ...ended];
	if (found) return await itemsOf([found], poll);
	const description =
		'Fetch Test Event gives the latest job that fits Events, Media Type and Only These Job IDs. Generate an image or a video, wait until it is finished, and fetch again.';
	const message = 'No job in the history fits yet';
	throw new NodeOperationError(begun.context.getNode(), message, { description });
}
