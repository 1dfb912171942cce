import type { IExecuteFunctions } from 'n8n-workflow';

import { attempt, type Attempt, type Clock, later } from '../clock/clock';
import { nextPollMs } from '../account/requests';
import { doubtError, noteMayBe } from '../orders/doubt';
import { JobError } from '../orders/job';
import { Batch, type JobResult, type JobSpec, NotStarted } from '../orders/jobContext';
import { doubtIn, jobOf } from '../orders/order';
import { dropSending } from '../orders/orders';
import { runJob, typicalOf } from '../orders/runJob';
import { firstPlace } from '../orders/startJob';
import { jobItems } from '../run/finishedItems';
import { itemsOf } from '../run/outputs';
import { jobSpecOf, openRun, rowOf, type Run } from '../run/run';
import { isNotSent, isTooMany, isUnreachable } from '../service/serviceError';
import { planAt, storedError, type Work } from './stored';

/** How long a round waits for news, in ms: enough for a poll. */
const ROUND_MS = 10_000;

/** What comes within this time after news, in ms, belongs to the same round. */
const TOGETHER_MS = 300;

/** How long a job whose time is up may stay unanswered, in ms: n8n may have been down, and the service may be busy. */
const PARKED_GRACE_MS = 300_000;

/** Other runs leave the places of a parked one alone for this long, in ms: it wakes up before. */
const PARKED_MS = 900_000;

/** Indexes of the items that are planned and not done. */
export const openRows = ({ plans, done }: Work): number[] =>
	[...plans.keys()].filter((row) => plans[row] && !done[row]);

/**
 * Creates the job that the round before has noted; or waits for news (a job has ended, or there is a place for another),
 * and notes the job that the next round creates. Everything rests on this: n8n stores the note before it is sent.
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
	const open = openItems(run, state);
	for (const { order, operation } of open) {
		if (order?.outcome.state !== 'unknown') continue;
		// The item fails, and names the jobs that it may be. With *Stop*, that ends the run.
		await noteMayBe(run, [{ order, operation }]);
		await finish(run, state, order.row, { error: doubtError({ order, operation }) });
		return 0;
	}
	delete markOf(context)[NOTED];
	const noted = open.find(({ order }) => order?.outcome.state === 'sending');
	const running = open.filter(({ order }) => jobOf(order));
	if (!noted && running.length === 0 && isClosed(state)) return undefined;
	const wanted = noted || isClosed(state) ? undefined : open.find(({ order }) => !order);
	const { results, hasPlace } = await untilNews(run, noted ? [noted] : running, wanted, rest);
	dropSending(context.getContext('node'));
	const finished = [...results].map(async ([row, result]) => {
		// Of one whose outcome is unknown, the next round tells.
		if (!doubtIn(run.orders.find(row))) await finish(run, state, row, result);
	});
	await Promise.all(finished);
	const now = clock.now();
	const isNews = results.size > 0 || jobOf(noted?.order) !== undefined;
	if (isNews) state.newsAt = now;
	if (wanted && hasPlace && !isClosed(state)) {
		run.orders.begin(wanted.itemIndex, { ...wanted.noted, sentAt: now });
		markOf(context)[NOTED] = true;
		return 0;
	}
	const due = running.length > 0 ? Math.min(...running.map((item) => untilDue(item, now))) : 0;
	const ms = isNews ? 0 : parkMs(now - state.newsAt, due, knownWorkers(now).size);
	return ms > 0 ? now + ms : 0;
}

/** The items that are planned and not done, each with what it has ordered. */
const openItems = (run: Run, state: Work): JobSpec[] =>
	openRows(state).map((row) => {
		const plan = planAt(state, row);
		const order = run.orders.find(row);
		return { ...jobSpecOf(plan.operation, plan), graceMs: PARKED_GRACE_MS, order };
	});

/** How long until a running job is polled next, in ms; 0 or less if its time is up. @param now ms since 1970 */
function untilDue(item: JobSpec, now: number): number {
	const age = now - jobOf(item.order)!.startedAt;
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

/** Forgets the order that this execution has noted and not sent, as nobody waits for the run. */
export function dropNoted(context: IExecuteFunctions): void {
	if (markOf(context)[NOTED]) dropSending(context.getContext('node'));
}

/** A run that the end of a round does not stop. */
const unresting = (run: Run): Run => ({ ...run, signal: run.context.getExecutionCancelSignal() });

/**
 * Creates the items' jobs, or waits for them, until something is new; for those whose time is up, to their end.
 *
 * @param wanted an item that waits for a place
 * @returns what has become of the jobs that are over, by item index, and whether there is a place
 */
async function untilNews(
	run: Run,
	items: readonly JobSpec[],
	wanted: JobSpec | undefined,
	rest: AbortController,
) {
	const { clock } = run;
	const done = new AbortController();
	const restIn = (ms: number) => later(clock, ms, () => rest.abort(), done.signal);
	restIn(ROUND_MS);
	const jobs = { ...run, onCreated: () => rest.abort() };
	const results = new Map<number, Attempt<JobResult>>();
	const worked = items.map(async (item) => {
		const isLate = jobOf(item.order) && untilDue(item, clock.now()) <= 0;
		const result = await attempt(runJob(isLate ? unresting(jobs) : jobs, item));
		if ('error' in result && isOpen(result.error, rest.signal)) return;
		restIn(TOGETHER_MS);
		results.set(item.itemIndex, result);
	});
	const placed = wanted && attempt(firstPlace(jobs, wanted.maxRunning));
	void placed?.then(() => restIn(TOGETHER_MS));
	await Promise.all([...worked, placed]);
	done.abort();
	const place = await placed;
	const hasPlace = place !== undefined && 'value' in place;
	if (hasPlace) place.value.release();
	return { results, hasPlace };
}

/** Whether an item is only left for the next round, because its job runs on or was not created. */
function isOpen(error: unknown, rest: AbortSignal): boolean {
	// Nobody waits for an answer now, so that it is tried until somebody stops the run.
	if (error instanceof NotStarted || isTooMany(error)) return true;
	const isStopped = error instanceof JobError && error.kind === 'stopped';
	return rest.aborted && (isStopped || isUnreachable(error) || isNotSent(error));
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
	const made =
		'error' in result
			? result
			: await attempt(jobItems(unresting(run), plan.operation, plan, result.value));
	if ('error' in made && !continueOnFail) done[itemIndex] = { error: storedError(made.error) };
	else
		done[itemIndex] = {
			value: itemsOf(run.context, rowOf(run.orders, itemIndex, { plan, result: made }), as),
		};
}

/**
 * Opens the run that the jobs of a durable run belong to.
 *
 * @param rest fires when waiting for the jobs is to stop; without it, nothing is sent any more, and no credential is needed
 */
export async function openDurable(
	context: IExecuteFunctions,
	{ owner, continueOnFail }: Work,
	clock: Clock,
	rest?: AbortSignal,
): Promise<Run> {
	const { stopCreating, onItemFailed } = new Batch(continueOnFail);
	const hasNoted = markOf(context)[NOTED] === true;
	const run = await openRun(context, {
		...{ clock, stopCreating, onItemFailed, rest, leftMs: PARKED_MS },
		owner: { ...owner, hasNoted },
	});
	if (rest && run.unusable) throw run.unusable;
	return run;
}

/**
 * A worker stays awake for a minute after the last news, so that a batch goes on fast, and parks for no less, in ms: n8n
 * looks only once a minute for what is due.
 */
const SHORTEST_PARK_MS = 60_000;

/** Without news, a worker parks for this part of the time since the last. */
const PART = 1 / 8;

/**
 * Each run lets every other one park this much longer, in ms: waking up a worker and its watcher takes a fifth to a third
 * of a second of processor time. docs/speed.md has what many runs take.
 */
const SHARE_MS = 9000;

/** The longest park before a job that is due, in ms. */
const LONGEST_PARK_MS = 600_000;

/**
 * How long a worker parks now, in ms; 0 if it stays awake.
 *
 * @param idle for how long nothing was new: no job created, or ended
 * @param untilDue how long the wait for its jobs would sleep now: until one may have ended
 * @param runs how many this process works for
 */
function parkMs(idle: number, untilDue: number, runs: number): number {
	if (idle < SHORTEST_PARK_MS && untilDue < SHORTEST_PARK_MS) return 0;
	const paced = Math.min(Math.max(idle * PART, runs * SHARE_MS), LONGEST_PARK_MS);
	return Math.max(untilDue, SHORTEST_PARK_MS, paced);
}

/** A worker that is overdue by more than this, in ms, goes on in another process (queue mode) or not at all. */
const WORKER_OVERDUE_MS = 60_000;

/**
 * The runs that this process works for, each with when its worker is due, ms since 1970; Infinity as long as it is awake,
 * however long a download takes. After a restart, from its next round on.
 */
export const workers = new Map<string, number>();

export function knownWorkers(now: number): ReadonlyMap<string, number> {
	for (const [runId, until] of workers) if (until < now - WORKER_OVERDUE_MS) workers.delete(runId);
	return workers;
}
