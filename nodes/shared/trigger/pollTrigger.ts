import { NodeOperationError, type INodeExecutionData, type IPollFunctions } from 'n8n-workflow';
import pLimit from 'p-limit';

import { systemClock, type Clock } from '../clock/clock';
import { deadlineSignal } from '../clock/deadline';
import { nodeError } from '../run/errors';
import { attempt } from '../service/attempt';
import { openService } from '../service/service';
import type { TriggerOperation } from '../spec/types';
import { activeTriggerOf, causeOf, log, type ActiveTrigger } from './activeTrigger';
import type { EndedJob } from './endedJob';
import { faultsOfLists, mistake, type Cause, type Fault } from './faults';
import { jobItem } from './jobItem';
import { keepIn, memoryIn } from './memory';
import { latestJob } from './latestJob';
import { streamsOf } from './stream';
import { triggerService } from './triggerService';
import { watch } from './watch';
import { readWishes, type Wishes } from './wishes';

/** A poll may take this long where n8n does not say, ms. */
const BUDGET_MS = 300_000;

/** Jobs whose files are downloaded at the same time. */
const DOWNLOADING = 3;

/**
 * One poll: an item for each job that has ended since the last one; `null` where there is none. What has
 * been handed on is remembered in the node's static data (docs/trigger.md).
 *
 * @throws NodeApiError, NodeOperationError when the workflow is activated or tested, and when a fault lasts
 */
export async function pollTrigger(
	context: IPollFunctions,
	trigger: TriggerOperation,
	clock: Clock = systemClock,
): Promise<INodeExecutionData[][] | null> {
	const deadline = deadlineSignal(clock, context.getPollBudgetMs?.() ?? BUDGET_MS);
	const poll = { context, trigger, clock, signal: deadline.signal };
	try {
		return context.getMode() === 'manual' ? await sample(poll) : await pollOnce(poll);
	} catch (error) {
		throw error instanceof NodeOperationError ? error : nodeError(context, error);
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

/** *Fetch Test Event*: the job that has ended last. */
async function sample(poll: Poll): Promise<INodeExecutionData[][]> {
	const { context, trigger, clock, signal } = poll;
	const { wishes, service } = await prepare(poll);
	const streams = streamsOf(trigger.sources, wishes.media, service);
	const found = await latestJob(streams, { service, clock, wishes, signal });
	if (found) return [await itemsOf([found], poll, wishes, service)];
	throw new NodeOperationError(context.getNode(), 'No job in the history fits yet', {
		description:
			'Fetch Test Event gives the latest job that fits Events, Media Type and Only These Job IDs. Generate an image or a video, wait until it is finished, and fetch again.',
	});
}

async function pollOnce(poll: Poll): Promise<INodeExecutionData[][] | null> {
	const { context, clock } = poll;
	const active = activeTriggerOf(context);
	const cause = causeOf(context);
	// n8n starts a poll although the one before has not ended.
	const turn = active.begin(cause === 'activation');
	if (!turn) return null;
	try {
		const { items, faults } = await newItems(poll, active, cause);
		const hasItems = items.length > 0;
		const shown = active.faults.toShow(faults, { cause, now: clock.now(), hasItems });
		for (const { error } of faults) log(context, (error as Error).message);
		if (shown) throw nodeError(context, shown.error, undefined, cause === 'time' ? GOES_ON : '');
		return hasItems ? [items] : null;
	} finally {
		active.end(turn);
	}
}

const GOES_ON = 'The trigger goes on: the next poll tries again, and no job is lost.';

/** The items that are new, and what was in the way of others. */
async function newItems(
	poll: Poll,
	active: ActiveTrigger,
	cause: Cause,
): Promise<{ items: INodeExecutionData[]; faults: Fault[] }> {
	const { context, trigger, clock } = poll;
	const prepared = await attempt(prepare(poll));
	if ('error' in prepared) return { items: [], faults: [mistake(prepared.error)] };
	const { wishes, service } = prepared.value;
	const isBeginning = cause === 'activation';
	const staticData = context.getWorkflowStaticData('node');
	const stored = memoryIn(staticData);
	const streams = streamsOf(trigger.sources, wishes.media, service);
	const { jobs, memory, errors } = await watch({
		streams,
		sources: trigger.sources,
		wishes,
		service: triggerService(service, trigger, { ...poll, isBeginning }),
		clock,
		memory: active.recall(stored),
		isBeginning,
		tell: (text) => active.tellOnce(context, text),
	});
	const faults = faultsOfLists(errors, streams.length);
	// A beginning without all lists would take for news what the missing one has.
	if (isBeginning && faults.length > 0) return { items: [], faults };
	const items = await itemsOf(jobs, poll, wishes, service);
	keepIn(staticData, memory);
	active.keep(stored, items.length > 0 ? undefined : memoryIn(staticData));
	return { items, faults };
}

/** @throws InvalidValues, ServiceError for what a person has to correct */
async function prepare({ context, trigger, clock }: Poll) {
	return {
		wishes: readWishes(context, trigger),
		service: await openService(context, { clock }),
	};
}

async function itemsOf(
	jobs: readonly EndedJob[],
	{ context: { helpers }, clock, signal }: Poll,
	{ options }: Wishes,
	service: Parameters<typeof jobItem>[1]['service'],
): Promise<INodeExecutionData[]> {
	const limit = pLimit(DOWNLOADING);
	const making = { helpers, service, clock, signal, options };
	return await Promise.all(
		jobs.map(async (job) => await limit(async () => await jobItem(job, making))),
	);
}
