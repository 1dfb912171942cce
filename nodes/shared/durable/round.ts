import type { IExecuteFunctions } from 'n8n-workflow';

import { nextPollMs } from '../account/polls';
import { later, type Clock } from '../clock/clock';
import { Batch, NotStarted } from '../orders/batch';
import { doubtError, noteMayBe } from '../orders/doubt';
import { JobError } from '../orders/job';
import type { JobResult, JobSpec } from '../orders/jobContext';
import { doubtIn, jobOf } from '../orders/order';
import { dropSending } from '../orders/orders';
import { runJob, typicalOf } from '../orders/runJob';
import { firstPlace } from '../orders/startJob';
import { jobItems } from '../run/finishedItems';
import { resultItems } from '../run/outputs';
import { jobSpecOf, openRun, type Run } from '../run/run';
import { attempt, type Attempt } from '../service/attempt';
import { isTooMany, isUnreachable, ServiceError } from '../service/serviceError';
import { CONCURRENT_GENERATIONS } from '../spec/limits';
import { knownWorkers, parkMs } from './parking';
import { planAt, storedError, type Work } from './stored';

/** How long a round waits for news, in ms: enough for a poll. */
const ROUND_MS = 10_000;

/** What comes within this time after news, in ms, belongs to the same round. */
const TOGETHER_MS = 300;

/** How long a job whose time is up may stay unanswered, in ms: n8n may have been down, and the service may be busy. */
const GRACE_MS = 120_000;

/** Other runs leave the places of a parked one alone for this long, in ms: it wakes up before. */
const PARKED_MS = 900_000;

/** Indexes of the items that are planned and not done. */
export const openRows = ({ plans, done }: Work): number[] =>
	[...plans.keys()].filter((row) => plans[row] && !done[row]);

/**
 * Creates the jobs that the round before has noted; or waits for news (a job has ended, or there is a place for another),
 * and notes which jobs the next round creates. Everything rests on this: n8n stores the note before any of them is sent.
 *
 * @returns when the next round comes, ms since 1970; 0 for at once, `undefined` if nothing is begun any more
 * @throws ServiceError, Error about no item, such as a credential that cannot be used
 */
export async function round(
	context: IExecuteFunctions,
	state: Work,
	clock: Clock,
): Promise<number | undefined> {
	const rest = new AbortController();
	const run = await openDurable(context, state, clock, rest.signal);
	// Another item may have the same prompt: the jobs of all are known to be theirs, even of those that are done.
	for (const { id } of run.orders.jobs) run.account.claims.add(id);
	const open = openItems(state);
	if (await tellDoubts(run, state, open)) return 0;
	delete markOf(context)[NOTED];
	const noted = open.filter((item) => stateOf(run, item) === 'sending');
	const running = open.filter((item) => jobIn(run, item));
	const isCreating = noted.length > 0;
	if (!isCreating && running.length === 0 && isClosed(state)) return undefined;
	const late = running.filter((item) => untilDue(run, item) <= 0);
	const results = new Map<number, Attempt<JobResult>>();
	const waiting = { run, results, rest };
	let hasPlace = false;
	if (isCreating) await untilNews(waiting, noted, ROUND_MS);
	// All of them end, in time or not.
	else if (late.length > 0) await untilNews(waiting, late);
	else
		hasPlace = await untilNews(
			waiting,
			running,
			ROUND_MS,
			isClosed(state) ? [] : leftOf(run, open),
		);
	run.orders.dropUnsent();
	await Promise.all(
		[...results].map(async ([row, result]) => {
			// Of one whose outcome is unknown, the next round tells; a download would hold up what n8n is to store of a creation.
			const isForNext = isCreating && ('value' in result || doubtIn(run.orders.find(row)));
			if (!isForNext) await finish(run, state, row, result);
		}),
	);
	const isNews = results.size > 0 || noted.some((item) => run.orders.find(item.itemIndex));
	if (isNews) state.newsAt = clock.now();
	// What was noted in vain waits for a while, since n8n would store each note.
	const next = isCreating ? 0 : noteNext(run, state, hasPlace);
	if (isNews || next > 0) return 0;
	const now = clock.now();
	const dues = running.map((item) => untilDue(run, item));
	const due = dues.length > 0 ? Math.min(...dues) : 0;
	const ms = parkMs(now - state.newsAt, due, knownWorkers(now).size);
	return ms > 0 ? now + ms : 0;
}

/** The items that are planned and not done, each with its job. */
const openItems = (state: Work): JobSpec[] =>
	openRows(state).map((row) => {
		const plan = planAt(state, row);
		return { ...jobSpecOf(plan.operation, plan), graceMs: GRACE_MS };
	});

/** Those of them that have ordered nothing. */
const leftOf = ({ orders }: Run, open: readonly JobSpec[]) =>
	open.filter(({ itemIndex }) => !orders.find(itemIndex));

/** How long until a running job is polled next, in ms; 0 or less if its time is up. */
function untilDue(run: Run, item: JobSpec): number {
	const age = run.clock.now() - jobIn(run, item)!.startedAt;
	return Math.min(nextPollMs(age, typicalOf(item)), item.timeoutMs) - age;
}

/** Nothing new is begun after a failure, unless the user wants that. */
const isClosed = ({ plans, done, continueOnFail }: Work) =>
	!continueOnFail && plans.some((plan, row) => plan && 'error' in (done[row] ?? {}));

/**
 * Marks a node's memory in which this process has noted orders, which nobody else may send: whoever finds orders noted
 * without it, such as a replacement, cannot know whether they were sent. n8n stores nothing that is named by a symbol,
 * and an update of the package leaves it in place.
 */
const NOTED = Symbol.for('n8n-nodes-mediagen: orders noted');

const markOf = (context: IExecuteFunctions): { [NOTED]?: boolean } => context.getContext('node');

/** Forgets the orders that this execution has noted and not sent, as nobody waits for the run. */
export function dropNoted(context: IExecuteFunctions): void {
	if (markOf(context)[NOTED]) dropSending(context.getContext('node'));
}

const stateOf = ({ orders }: Run, { itemIndex }: JobSpec) => orders.find(itemIndex)?.outcome.state;

const jobIn = ({ orders }: Run, { itemIndex }: JobSpec) => jobOf(orders.find(itemIndex));

/** Notes the items to order next, as many as there are places for. @returns how many */
function noteNext(run: Run, state: Work, hasPlace: boolean): number {
	const { context, account, clock } = run;
	if (isClosed(state)) return 0;
	const open = openItems(state);
	const left = leftOf(run, open);
	const { running, ofOthers } = account.limits.places;
	const free = Math.max(hasPlace ? 1 : 0, CONCURRENT_GENERATIONS - running - ofOthers);
	const own = mostOf(left) - (open.length - left.length);
	const next = left.slice(0, Math.max(0, Math.min(free, own)));
	for (const { itemIndex, noted } of next) {
		run.orders.begin(itemIndex, { ...noted, sentAt: clock.now() });
	}
	if (next.length > 0) markOf(context)[NOTED] = true;
	return next.length;
}

/** How many jobs of the run may be running at once. */
const mostOf = (items: readonly JobSpec[]) =>
	Math.min(...items.map(({ maxRunning }) => maxRunning));

interface Waiting {
	run: Run;
	/** What becomes of the jobs that are over, by item index. */
	results: Map<number, Attempt<JobResult>>;
	/** Ends the wait. */
	rest: AbortController;
}

/**
 * Creates the items' jobs, and waits for them, until something is new.
 *
 * @param ms for how long at most; without it, as long as it takes
 * @param wanted items that wait for a place
 * @returns whether there is a place for one of them
 */
async function untilNews(
	{ run, results, rest }: Waiting,
	items: readonly JobSpec[],
	ms?: number,
	wanted: readonly JobSpec[] = [],
): Promise<boolean> {
	const done = new AbortController();
	const restIn = (within: number) => later(run.clock, within, () => rest.abort(), done.signal);
	if (ms !== undefined) restIn(ms);
	const jobs = { ...run, onCreated: () => restIn(TOGETHER_MS) };
	const worked = items.map(async (item) => {
		const result = await attempt(runJob(jobs, item));
		if ('error' in result && isOpen(result.error, rest.signal)) return;
		restIn(TOGETHER_MS);
		results.set(item.itemIndex, result);
	});
	const placed = wanted.length > 0 ? attempt(firstPlace(jobs, mostOf(wanted))) : undefined;
	void placed?.then(() => restIn(TOGETHER_MS));
	await Promise.all([...worked, placed]);
	done.abort();
	const place = await placed;
	if (!place || 'error' in place) return false;
	place.value.release();
	return true;
}

/** Whether an item is only left for the next round, because its job runs on or was not created. */
function isOpen(error: unknown, rest: AbortSignal): boolean {
	// Nobody waits for an answer now, so that it is tried until somebody stops the run.
	if (error instanceof NotStarted || isTooMany(error)) return true;
	if (!rest.aborted) return false;
	if (error instanceof JobError) return error.kind === 'stopped';
	if (isUnreachable(error)) return true;
	return error instanceof ServiceError && error.outcome === 'notSent';
}

/** Keeps what has become of an item: its items with their files, or what the node fails with. */
async function finish(
	run: Run,
	state: Work,
	itemIndex: number,
	result: Attempt<JobResult>,
): Promise<void> {
	const { done, continueOnFail, failedAs: as } = state;
	const plan = planAt(state, itemIndex);
	// The end of the round must not call off a download.
	const making: Run = { ...run, signal: run.context.getExecutionCancelSignal() };
	const made =
		'error' in result
			? result
			: await attempt(jobItems(making, plan.operation, plan, result.value));
	if ('error' in made && !continueOnFail) done[itemIndex] = { error: storedError(made.error) };
	else done[itemIndex] = { value: resultItems(run, { value: plan }, made, { itemIndex, as }) };
}

/** Items whose orders are of unknown outcome fail, and name the jobs that they may be. @returns whether there are any */
async function tellDoubts(run: Run, state: Work, items: readonly JobSpec[]): Promise<boolean> {
	const doubts = items.flatMap(({ itemIndex, operation }) => {
		const order = run.orders.find(itemIndex);
		return order?.outcome.state === 'unknown' ? [{ order, operation }] : [];
	});
	if (doubts.length > 0) await noteMayBe(run, doubts);
	for (const doubt of doubts) {
		await finish(run, state, doubt.order.row, { error: doubtError(doubt) });
	}
	return doubts.length > 0;
}

/**
 * Opens the run that the jobs of a durable run belong to.
 *
 * @param rest fires when waiting for the jobs is to stop; without it, nothing is sent any more, and no credential is needed
 */
export async function openDurable(
	context: IExecuteFunctions,
	{ origin, continueOnFail }: Work,
	clock: Clock,
	rest?: AbortSignal,
): Promise<Run> {
	const kind = rest ? 'create' : 'recover';
	const { stopCreating, onItemFailed } = new Batch(continueOnFail);
	const hasNoted = markOf(context)[NOTED] === true;
	return await openRun(context, kind, {
		...{ clock, stopCreating, onItemFailed, rest, leftMs: PARKED_MS },
		origin: { ...origin, hasNoted },
	});
}
