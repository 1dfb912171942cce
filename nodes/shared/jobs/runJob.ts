import type { ServiceRequest } from '../request/buildRequest';
import { attempt } from '../service/attempt';
import { RECONNECT_MS } from '../service/patience';
import type { Service } from '../service/service';
import { isTooMany, isUnreachable, ServiceError } from '../service/serviceError';
import { holds, type Values } from '../spec/conditions';
import { COMPLETED, FAILED } from '../spec/states';
import type { CreateOperation } from '../spec/types';
import type { Account } from './account';
import { NotStarted } from './batch';
import type { Clock } from './clock';
import { createJob, isDoubtful } from './createJob';
import { deadlineSignal } from './deadline';
import { acceptedJob, JobError, type Failing, type Job, type SeenJob } from './job';
import type { Entry, Ledger } from './ledger';
import type { Typical } from './pollingPlan';
import { durationIn, stateIn } from './readRecord';
import type { Slot } from './slots';
import { waitForJob } from './waitForJob';

/** What the jobs of one run of a node share. */
export interface JobRun {
	service: Service;
	account: Account;
	ledger: Ledger;
	clock: Clock;
	executionId: string;
	/** A person runs an earlier execution again, having read what happened (*Retry execution*). */
	isRetry: boolean;
	/** Fires when no more jobs are to be started. */
	closing: AbortSignal;
	/** Fires when the user stops the execution. */
	signal?: AbortSignal;
	/** Fires when all items of the run are done. */
	over: AbortSignal;
	/** Called when a job has been created, and is in the ledger. */
	onCreated?: () => void;
}

/** One job to be done. */
export interface Order {
	itemIndex: number;
	operation: CreateOperation;
	values: Values;
	request: ServiceRequest;
	/** Until it has ended, or no longer than it is created. */
	wait: boolean;
	/** ms between two looks at most; by the polling plan alone when absent. */
	ceilingMs?: number;
	/** ms after which waiting ends; also the time that the limits have to let a creation through. */
	timeoutMs: number;
	/** It is worked on a stretch at a time: the time counts from the creation, over all of them. */
	isDurable?: boolean;
	/** Jobs of this run that may be running at most. */
	maxRunning: number;
	/** Ends without a result that are no errors. */
	accepted: readonly Failing[];
}

/** A job, and what was last seen of it. */
export interface Outcome {
	job: Job;
	seen: SeenJob;
}

interface Held {
	job: Job;
	/** Of a job that may be running. */
	slot?: Slot;
}

/**
 * Creates the job of an item when a slot is free, unless the item has one already, and waits for
 * its end (money rules 1 to 3).
 *
 * @throws JobError when the job came to no result; it carries the job
 * @throws ServiceError when no job was created, or that is in doubt
 * @throws NotStarted when the run does not start any more jobs
 */
export async function runJob(run: JobRun, order: Order): Promise<Outcome> {
	const held = findJob(run, order) ?? (await startJob(run, order));
	const { job, slot } = held;
	if (!order.wait) {
		freeWhenEnded(run, order, held);
		return { job, seen: asCreated(job) };
	}
	try {
		return { job, seen: await finish(run, order, job) };
	} finally {
		slot?.release();
	}
}

/** What the ledger has of an order, unless it is to be created again. */
export function entryOf(run: JobRun, { itemIndex, request }: Order): Entry | undefined {
	const entry = run.ledger.find(itemIndex, request);
	return entry && !isToBeRepeated(run, entry) ? entry : undefined;
}

/** The job that an earlier try has paid for. */
function findJob(run: JobRun, order: Order): Held | undefined {
	const entry = entryOf(run, order);
	if (!entry) return undefined;
	const { job, doubt = '', ended } = entry;
	if (!job) throw stillInDoubt(doubt);
	return ended ? { job } : { job, slot: run.account.slots.occupy(run) };
}

/**
 * A job that failed and a creation in doubt are repeated only where a person asked for it, having
 * read what happened: by *Retry execution*, not by *Retry On Fail* within one execution.
 */
function isToBeRepeated(run: JobRun, { ended, doubt, executionId }: Entry): boolean {
	const byPerson = run.isRetry && executionId !== run.executionId;
	return byPerson && (ended === FAILED || doubt !== undefined);
}

function stillInDoubt(doubt: string): ServiceError {
	return new ServiceError({
		message: `Not sent again, since the first try may have been paid for: ${doubt}`,
		description:
			'Look into the history (Job > Get History). If the job is not there, retry this execution or run the workflow again.',
		outcome: 'unknown',
	});
}

/**
 * Creates a job. Only what has certainly not created one is sent again: after a 429 as long as
 * there is time, after connections that were never made a few times.
 */
async function startJob(run: JobRun, order: Order): Promise<Held> {
	const { account, clock, signal } = run;
	const { operation, request, timeoutMs, maxRunning } = order;
	let slot = await firstSlot(run, maxRunning);
	const deadline = deadlineSignal(clock, timeoutMs, signal);
	try {
		for (let lost = 0; ; ) {
			const creation = createJob(run.service, operation, request, clock, deadline.signal);
			const made = await attempt(creation);
			if ('value' in made) {
				remember(run, order, { job: made.value });
				account.slots.created();
				run.onCreated?.();
				return { job: made.value, slot };
			}
			const { error } = made;
			if (isTooMany(error)) slot.refused(error.retryAfterMs);
			else slot.release();
			if (isDoubtful(error)) remember(run, order, { doubt: (error as Error).message });

			const pauseMs = isUnreachable(error) ? RECONNECT_MS[lost++] : pauseAfter(error);
			if (pauseMs === undefined || clock.now() + pauseMs >= deadline.at) throw error;
			const wanted = AbortSignal.any([deadline.signal, run.closing]);
			const again = { signal: wanted, isFirst: true };
			const next = await attempt(
				clock
					.sleep(isTooMany(error) ? 0 : pauseMs, wanted)
					.then(async () => await account.slots.acquire(run, maxRunning, again)),
			);
			if ('error' in next) throw error;
			slot = next.value;
		}
	} finally {
		deadline.forget();
	}
}

/** @throws NotStarted when the run does not start any more jobs */
async function firstSlot(run: JobRun, maxRunning: number): Promise<Slot> {
	const { signal, closing } = run;
	// A signal of its own, lest the items of a large batch all listen to the same.
	const ends = AbortSignal.any(signal ? [signal, closing] : [closing]);
	const slot = await run.account.slots.acquire(run, maxRunning, { signal: ends }).catch(() => {
		throw new NotStarted();
	});
	if (!ends.aborted) return slot;
	slot.release();
	throw new NotStarted();
}

/** ms that a refused creation has to wait at least; `undefined` where waiting does not help. */
function pauseAfter(error: unknown): number | undefined {
	return isTooMany(error) ? (error.retryAfterMs ?? 0) : undefined;
}

function remember({ ledger, executionId }: JobRun, order: Order, entry: Entry): void {
	ledger.remember(order.itemIndex, order.request, { ...entry, executionId });
}

async function finish(run: JobRun, order: Order, job: Job): Promise<SeenJob> {
	if ('unknown' in job.status) return { ...asCreated(job), notWaited: job.status.unknown };
	try {
		const seen = await follow(run, order, job, run.signal);
		remember(run, order, { job, ended: COMPLETED });
		return seen;
	} catch (error) {
		const hasFailed = error instanceof JobError && error.kind === 'failed';
		if (hasFailed) remember(run, order, { job, ended: FAILED });
		return acceptedJob(error, order.accepted);
	}
}

async function follow(
	{ service, account, clock }: JobRun,
	order: Order,
	job: Job,
	signal?: AbortSignal,
): Promise<SeenJob> {
	if ('unknown' in job.status) throw new Error(job.status.unknown);
	const { path, isInHistory } = job.status;
	const seen = await waitForJob(
		service,
		{ ...job, path },
		{
			ceilingMs: order.ceilingMs,
			timeoutMs: order.timeoutMs,
			...(order.isDurable && { endsAt: job.startedAt + order.timeoutMs }),
			typical: typicalOf(account, order),
			clock,
			signal,
			...(isInHistory && { lookout: account.lookout }),
		},
	);
	account.durations.note(kindOf(order), durationIn(seen.record) ?? seen.waitedMs);
	return seen;
}

/**
 * A job that nobody waits for holds its slot until it has ended, as long as other jobs of the run
 * need one: better to look than to run into the limit. After that the slot is free.
 */
function freeWhenEnded(run: JobRun, order: Order, { job, slot }: Held): void {
	if (!slot) return;
	const isNeeded = run.account.slots.waiting > 0 && 'path' in job.status;
	if (!isNeeded) return slot.release();
	const free = () => slot.release();
	follow(run, order, job, run.over).then(free, free);
}

/** When the job of an order ends, as far as that is known. */
export function typicalOf(account: Account, order: Order): Typical | undefined {
	return documented(order) ?? account.durations.typical(kindOf(order));
}

/** What is alike in how long it takes. */
function kindOf({ operation, values }: Order): string {
	const { resource, operation: name, modelField } = operation;
	return [resource, name, modelField && values[modelField]].join(' ');
}

/** The typical time that the document tells. */
function documented({ operation, values }: Order): Typical | undefined {
	const typical = operation.typicalSeconds?.find(({ when }) => holds(when, values));
	return typical && { fromMs: typical.from * 1000, toMs: typical.to * 1000 };
}

/** A job that has not been looked at since. */
export function asCreated({ id, creation }: Job): SeenJob {
	return { id, state: stateIn(creation), record: creation, creation, waitedMs: 0 };
}
