import { NodeOperationError, type INodeExecutionData, type IPollFunctions } from 'n8n-workflow';
import pLimit from 'p-limit';

import { systemClock, type Clock } from '../clock/clock';
import { deadlineSignal } from '../clock/deadline';
import { nodeError } from '../run/errors';
import { openService } from '../service/service';
import type { TriggerOperation } from '../spec/types';
import type { EndedJob } from './endedJob';
import { faultsThatMatter } from './faults';
import { jobItem } from './jobItem';
import { keepIn, memoryIn } from './memory';
import { latestJob } from './latestJob';
import { causeOf, registrationOf } from './registration';
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
	const wishes = readWishes(context, trigger);
	const service = await openService(context, { clock });
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
	const cause = causeOf(context);
	const isActivation = cause === 'activation';
	const registration = registrationOf(context);
	// n8n starts a poll although the one before has not ended.
	const turn = registration.begin(isActivation);
	if (!turn) return null;
	try {
		const wishes = readWishes(context, poll.trigger);
		const service = await openService(context, { clock });
		const staticData = context.getWorkflowStaticData('node');
		const stored = memoryIn(staticData);
		const streams = streamsOf(poll.trigger.sources, wishes.media, service);
		const {
			jobs,
			memory,
			faults: all,
		} = await watch({
			streams,
			sources: poll.trigger.sources,
			wishes,
			service: triggerService(service, poll.trigger, { ...poll, isBeginning: isActivation }),
			clock,
			memory: registration.recall(stored),
			isBeginning: isActivation,
			tell: (text) => registration.tellOnce(context, text),
		});
		const faults = faultsThatMatter(all, streams.length);
		if (isActivation) throwIf(faults[0]);
		const items = await itemsOf(jobs, poll, wishes, service);
		keepIn(staticData, memory);
		registration.keep(stored, items.length > 0 ? undefined : memoryIn(staticData));
		for (const fault of faults) context.logger.warn(logText(context, fault));
		// At its start n8n would give the trigger up, although nobody is there to see it.
		if (cause === 'start') return items.length > 0 ? [items] : null;
		const fault = registration.faults.toShow(faults, clock.now());
		if (items.length === 0) {
			throwIf(fault);
			return null;
		}
		if (fault !== undefined) registration.faults.putOff();
		return [items];
	} finally {
		registration.end(turn);
	}
}

const logText = (context: IPollFunctions, fault: unknown) =>
	`${context.getNode().name} (workflow ${context.getWorkflow().id}): ${(fault as Error).message}. The next poll tries again.`;

function throwIf(fault: unknown): void {
	if (fault !== undefined) throw fault;
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
