import type { IExecuteFunctions } from 'n8n-workflow';

import { later, type Clock } from '../clock/clock';
import { Batch, NotStarted } from '../jobs/batch';
import { JobError } from '../jobs/job';
import type { JobResult, JobSpec } from '../jobs/jobContext';
import type { Ledger } from '../jobs/ledger';
import { runJob } from '../jobs/runJob';
import { firstPlace } from '../jobs/startJob';
import { MAX_PAUSE_MS } from '../limits/backoff';
import type { Place } from '../limits/places';
import { jobSpecOf, openRun, type Run } from '../run/run';
import { attempt, type Attempt } from '../service/attempt';
import { isTooMany, isUnreachable, ServiceError } from '../service/serviceError';
import { AWAKE_MS } from './parking';
import { plansIn, type WorkState } from './state';

/**
 * How long a tick waits for jobs, in ms, unless there is news sooner: the second time applies when there has been no
 * news for a while, and is long enough for a poll.
 */
const TICK_MS = 20_000;
const QUIET_TICK_MS = 5000;

/** What comes within this time after news, in ms, belongs to the same tick. */
const TOGETHER_MS = 300;

/**
 * After a job's time is up, the run parks this many times while no look at the job is answered. Then the job gets one
 * last look, and is given up if that fails, too. This is a count, not a time, because n8n may be down again.
 */
export const MOST_SILENT_PARKS = 10;

/** The jobs of those items of a durable run that are not done. Their time may have been up while n8n was down. */
export function openItems({ plans, results, silentParks }: WorkState): JobSpec[] {
	return plansIn(plans).flatMap((plan, itemIndex) => {
		if (results[itemIndex] || !('value' in plan)) return [];
		const { operation } = plan.value;
		if (operation.kind !== 'create') return [];
		const isLastLook = Number(silentParks?.[itemIndex]) >= MOST_SILENT_PARKS;
		return [{ ...jobSpecOf(operation, plan.value), graceMs: isLastLook ? 0 : MAX_PAUSE_MS }];
	});
}

/** The orders of a durable run, and what tells whether they still count (`orderOf`). */
export function ordersOf(
	{ caller: { executionId }, isRetry, parameters }: WorkState,
	ledger: Ledger,
) {
	return { ledger, executionId, isRetry, parameters };
}

/** Opens the run that the jobs of a durable run belong to. When `rest` fires, waiting for them stops. */
export async function openDurable(
	context: IExecuteFunctions,
	{ caller, isRetry, parameters, continueOnFail }: WorkState,
	clock: Clock,
	rest: AbortSignal = new AbortController().signal,
): Promise<Run> {
	const { executionId, runIndex } = caller;
	const { stopCreating, onItemFailed } = new Batch(continueOnFail);
	const run = await openRun(context, 'create', {
		clock,
		stopCreating,
		onItemFailed,
		runDone: rest,
		origin: { executionId, runIndex, isRetry, parameters },
		rest,
	});
	return run;
}

/** The outcome of a tick. */
interface Worked {
	/** Results of the items that have one. */
	results: Map<number, Attempt<JobResult>>;
	/** Places for jobs that the next tick creates. */
	places: Place[];
}

/**
 * Creates jobs and waits for them, as in process, until there is news that n8n should store: a job that
 * was created or has ended, or a place for one more. Jobs that run on are left to the next tick.
 *
 * @param run opened with the signal of `rest`
 * @param items those whose jobs run, or are to be created now, with their places
 * @param next those to be created next, as places are free for them
 * @param rest fired when the tick is over
 */
export async function workOnItems(
	run: Run,
	{ lastProgressAt }: WorkState,
	{ items, next }: { items: readonly JobSpec[]; next: readonly JobSpec[] },
	rest: AbortController,
): Promise<Worked> {
	const { clock } = run;
	const done = new AbortController();
	const restIn = (ms: number) => later(clock, ms, () => rest.abort(), done.signal);
	const jobs = { ...run, onCreated: () => restIn(TOGETHER_MS) };
	restIn(clock.now() - lastProgressAt < AWAKE_MS ? TICK_MS : QUIET_TICK_MS);
	// A new place must not end a tick that creates: a creation held up by the account's limits would be called off
	// and noted again each time.
	const isCreating = items.some(({ place }) => place);
	const gathered = next.map(async ({ maxRunning }) => {
		const got = await attempt(firstPlace(jobs, maxRunning));
		if ('error' in got) return [];
		if (!isCreating) restIn(TOGETHER_MS);
		return [got.value];
	});
	const results: Worked['results'] = new Map();
	const worked = items.map(async (jobSpec) => {
		const result = await attempt(runJob(jobs, jobSpec));
		if ('error' in result && isOpen(result.error, rest.signal)) return;
		restIn(TOGETHER_MS);
		results.set(jobSpec.itemIndex, result);
	});
	await Promise.all(worked);
	const places = (await Promise.all(gathered)).flat();
	done.abort();
	return { results, places };
}

/** Whether an item is only left for the next tick, because its job runs on or was not created. */
function isOpen(error: unknown, rest: AbortSignal): boolean {
	if (error instanceof NotStarted) return true;
	if (!rest.aborted) return false;
	if (error instanceof JobError) return error.kind === 'stopped';
	if (isTooMany(error) || isUnreachable(error)) return true;
	return error instanceof ServiceError && error.outcome === 'notSent';
}

/** How long places are held, in ms: a worker that was stopped meanwhile never takes them. */
const HELD_MS = 30_000;

interface Held {
	places: Place[];
	taken: AbortController;
}

/**
 * By execution ID of the worker: the places for the creations that it has noted. The process that got them holds them
 * while n8n stores the note.
 */
const held = new Map<string, Held>();

/** Keeps places for the next tick of a worker. */
export function holdPlaces(worker: string, places: Place[], clock: Clock): void {
	const taken = new AbortController();
	held.set(worker, { places, taken });
	later(clock, HELD_MS, () => releasePlaces(worker), taken.signal);
}

/** Takes the places held for a worker, which has to give them back itself from then on. */
export function takePlaces(worker: string): Place[] {
	const { places = [], taken } = held.get(worker) ?? {};
	held.delete(worker);
	taken?.abort();
	return places;
}

/** Gives back the places held for a worker that creates nothing. */
export function releasePlaces(worker: string): void {
	for (const place of takePlaces(worker)) place.release();
}
