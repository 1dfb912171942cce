import { NodeOperationError, type INodeExecutionData, type IPollFunctions } from 'n8n-workflow';

import { deadlineIn, systemClock, type Clock } from '../clock/clock';
import { loopOf } from '../limits/accountLoop';
import { callLimit } from '../service/callLimit';
import { isNodeError, nodeError } from '../run/nodeError';
import { attempt } from '../service/attempt';
import { sendWithRetry } from '../service/retry';
import { openService, type Service } from '../service/service';
import { ACCOUNT_KINDS } from '../spec/limits';
import type { TriggerOperation } from '../spec/catalogs';
import { activeTriggerOf, causeOf, log, type ActiveTrigger } from './activeTrigger';
import { asItsStatusTells, asListed, isResultUntold, jobItem, type EndedJob } from './endedJob';
import { faultsOfLists, type Cause, type Fault } from './faults';
import { endOf, hasEnded, readStream, streamsOf, type Stream } from './listedJobs';
import { hashOf, keepIn, memoryIn, type TriggerMemory } from './memory';
import { sharedReadsOf, triggerService } from './triggerService';
import { watch } from './watch';
import { isWished, readWishes, type Wishes } from './wishes';

/** How long a poll may take where n8n does not say, in ms. */
const BUDGET_MS = 300_000;

/** How many jobs have their files downloaded at the same time. */
const DOWNLOADING = 3;

/**
 * One poll: an item for each job that has ended since the last one; `null` where there is none. What has
 * been handed on is remembered in the node's static data (docs/maintainers/trigger.md).
 *
 * @throws NodeApiError, NodeOperationError when the workflow is activated or tested, and when a fault lasts
 */
export async function pollTrigger(
	context: IPollFunctions,
	trigger: TriggerOperation,
	clock: Clock = systemClock,
): Promise<INodeExecutionData[][] | null> {
	const deadline = deadlineIn(clock, context.getPollBudgetMs?.() ?? BUDGET_MS);
	const poll = { context, trigger, clock, signal: deadline.signal };
	try {
		return context.getMode() === 'manual' ? await sample(poll) : await pollOnce(poll);
	} catch (error) {
		throw isNodeError(error) ? error : nodeError(context, error);
	} finally {
		deadline.forget();
	}
}

interface Poll {
	context: IPollFunctions;
	trigger: TriggerOperation;
	clock: Clock;
	/** Fires when the time of the poll is up. */
	signal: AbortSignal;
}

/** A poll with what a person has filled in, and what follows from that. */
interface PreparedPoll extends Poll {
	wishes: Wishes;
	service: Service;
	/** The lists that have the wanted jobs. */
	streams: readonly Stream[];
}

/** *Fetch Test Event*: the job that has ended last. */
async function sample(poll: Poll): Promise<INodeExecutionData[][]> {
	const prepared = await prepare(poll);
	const found = await latestJob(prepared);
	if (found) return [await itemsOf([found], prepared)];
	throw new NodeOperationError(poll.context.getNode(), 'No job in the history fits yet', {
		description:
			'Fetch Test Event gives the latest job that fits Events, Media Type and Only These Job IDs. Generate an image or a video, wait until it is finished, and fetch again.',
	});
}

async function pollOnce(poll: Poll): Promise<INodeExecutionData[][] | null> {
	const { context, clock } = poll;
	const active = activeTriggerOf(context);
	const cause = causeOf(context, active);
	// n8n may start a poll while another is under way. The new one ends at once, unless a person waits for it.
	const turn = active.begin(isAwaited(cause));
	if (!turn) return null;
	try {
		const isOn = () => active.isOn(turn);
		const { items, faults } = await newItems(poll, active, { cause, isOn });
		const hasItems = items.length > 0;
		const shown = active.faults.toShow(faults, { cause, now: clock.elapsed(), hasItems });
		for (const { error, kind } of faults) {
			if (kind !== 'noTurn') log(context, (error as Error).message);
		}
		if (shown?.kind === 'noTurn') throw noRequestsLeft(context);
		if (shown) throw nodeError(context, shown.error, { more: WHAT_NOW[cause] });
		// If this poll lost its turn, n8n has begun another try meanwhile, which still needs what was read.
		if (isAwaited(cause) && isOn()) active.endTries();
		return hasItems ? [items] : null;
	} finally {
		active.end(turn);
	}
}

/** Whether a person waits for the poll. */
const isAwaited = (cause: Cause) => cause === 'activation' || cause === 'edit';

/** What a fault means to the trigger. */
const WHAT_NOW: Partial<Record<Cause, string>> = {
	activation: 'The workflow is not published; publish it again once this is settled.',
	time: 'The trigger goes on: the next poll tries again, and no job is lost.',
};

function noRequestsLeft(context: IPollFunctions): NodeOperationError {
	const limits = ACCOUNT_KINDS.map(({ label, words }) => `${label}: ${words}`).join('; ');
	return new NodeOperationError(
		context.getNode(),
		'The account has no requests left for the moment',
		{
			description: `The service limits them (${limits}). Publish the workflow again later.`,
		},
	);
}

/** The new items, and the faults that were in the way of others. */
async function newItems(
	poll: Poll,
	active: ActiveTrigger,
	{ cause, isOn }: { cause: Cause; isOn: () => boolean },
): Promise<{ items: INodeExecutionData[]; faults: Fault[] }> {
	const { context, trigger, clock } = poll;
	const prepared = await attempt(prepare(poll));
	if ('error' in prepared) {
		return { items: [], faults: [{ error: prepared.error, kind: 'lasting' }] };
	}
	const { wishes, service, streams } = prepared.value;
	const { account } = service;
	const isBeginning = cause === 'activation';
	const reading = {
		...poll,
		isAwaited: isAwaited(cause),
		reads: isAwaited(cause) ? active.readsOfTries(account, clock) : sharedReadsOf(account, clock),
	};
	const staticData = context.getWorkflowStaticData('node');
	const stored = memoryIn(staticData);
	const { jobs, memory, errors, hasMore } = await watch({
		streams,
		sources: trigger.sources,
		wishes,
		service: triggerService(service, trigger, reading),
		clock,
		memory: memoryOf(service, active.recall(stored)),
		isBeginning,
		isThorough: active.isThorough(),
		onJobs: (goOn) => {
			loopOf(account, clock).requests.hasJobsElsewhere = goOn;
		},
		tell: (text) => active.tellOnce(context, text),
	});
	active.hasMore = hasMore;
	const faults = faultsOfLists(errors, streams.length);
	// If the trigger began without one of the lists, that list's old jobs would later count as news.
	if (isBeginning && faults.length > 0) return { items: [], faults };
	const items = await itemsOf(jobs, prepared.value);
	// Meanwhile a person may have switched the workflow off and on.
	if (!isOn()) return { items: [], faults: [] };
	keepIn(staticData, memory);
	active.keep(stored, memoryIn(staticData), items.length > 0);
	return { items, faults };
}

/** The memory for this service: jobs that were waited for at another one are dropped. */
function memoryOf({ baseUrl }: Pick<Service, 'baseUrl'>, memory: TriggerMemory): TriggerMemory {
	const service = hashOf(baseUrl);
	return memory.service === service ? memory : { ...memory, pending: [], service };
}

/** @throws InvalidValues, ServiceError for what a person has to correct */
async function prepare(poll: Poll): Promise<PreparedPoll> {
	const { context, trigger, clock } = poll;
	const wishes = readWishes(context, trigger);
	const service = await openService(context, { clock });
	const streams = streamsOf(trigger.sources, wishes.media, service);
	return { ...poll, wishes, service, streams };
}

async function itemsOf(
	jobs: readonly EndedJob[],
	{ context: { helpers }, wishes: { options }, service, clock, signal }: PreparedPoll,
): Promise<INodeExecutionData[]> {
	const limit = callLimit(DOWNLOADING);
	const making = { helpers, service, clock, signal, options };
	return await Promise.all(
		jobs.map(async (job) => await limit(async () => await jobItem(job, making))),
	);
}

/** How many pages of each list, and how many jobs, are looked through for a sample. */
const SAMPLE_PAGES = 3;
const SAMPLE_JOBS = 10;

/**
 * The wanted job that ended last, as far as the lists show.
 *
 * @throws ServiceError when no list can be read
 */
async function latestJob(poll: PreparedPoll): Promise<EndedJob | undefined> {
	const { streams, clock, wishes, signal } = poll;
	const send: Service['send'] = async (request) =>
		await sendWithRetry(poll.service, request, clock, { signal });
	const service = { ...poll.service, send, sendSpare: send };
	const reading = { service, isThorough: true, mostPages: SAMPLE_PAGES };
	const listings = await Promise.all(
		streams.map(async (stream) => await attempt(readStream(stream, reading))),
	);
	const read = listings.flatMap((listing) => ('value' in listing ? [listing.value] : []));
	const [failed] = listings.flatMap((listing) => ('error' in listing ? [listing.error] : []));
	if (read.length === 0 && failed !== undefined) throw failed;
	const ended = read
		.flatMap(({ jobs }) => jobs)
		.filter((job) => hasEnded(job) && isWished(wishes, job) !== false);
	ended.sort((one, other) => endOf(other) - endOf(one));
	for (const job of ended.slice(0, SAMPLE_JOBS)) {
		const listed = asListed(job, service);
		if (!isResultUntold(listed, wishes.options.resultField)) return listed;
		const told = await attempt(asItsStatusTells(job, service, clock));
		if ('error' in told) return listed;
		if (hasEnded(told.value.job) && isWished(wishes, told.value.job) !== false) return told.value;
	}
	return undefined;
}
