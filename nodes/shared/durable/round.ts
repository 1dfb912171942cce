import type { IExecuteFunctions } from 'n8n-workflow';

import { MAX_PAUSE_MS } from '../account/backoff';
import { nextPollMs } from '../account/polls';
import { later, type Clock } from '../clock/clock';
import { Batch, NotStarted } from '../orders/batch';
import { doubtError, noteMayBe } from '../orders/doubt';
import { JobError } from '../orders/job';
import type { JobResult, JobSpec } from '../orders/jobContext';
import { doubtIn, jobOf } from '../orders/order';
import { dropSending } from '../orders/orders';
import { neverAnswered, runJob, typicalOf } from '../orders/runJob';
import { firstPlace } from '../orders/startJob';
import { jobItems } from '../run/finishedItems';
import { resultItems } from '../run/outputs';
import { jobSpecOf, openRun, type Run } from '../run/run';
import { attempt, type Attempt } from '../service/attempt';
import { isTooMany, isUnreachable, ServiceError } from '../service/serviceError';
import { CONCURRENT_GENERATIONS } from '../spec/limits';
import { AWAKE_MS, otherParkedRuns, parkMs } from './parking';
import { planAt, storedError, type Work } from './stored';

/**
 * What a worker does next:
 * - a time, ms since 1970: n8n stores the state now, and the next round comes then, or at once if it is 0
 * - `handOver`: all items are done, or none is begun any more
 * - `over`: nobody waits for the run
 */
export type Step = number | 'handOver' | 'over';

const AT_ONCE: Step = 0;

/**
 * How long a round waits for news, in ms; the second time applies when there has been none for a while, and is long
 * enough for a poll.
 */
const ROUND_MS = 20_000;
const QUIET_ROUND_MS = 5000;

/** Other runs leave the places of a parked one alone for this long, in ms: it wakes up before. */
const PARKED_MS = 900_000;

/** What comes within this time after news, in ms, belongs to the same round. */
const TOGETHER_MS = 300;

/**
 * How often a worker parks while no look at a job whose time is up is answered, before that is given up. A count, not a
 * time, since n8n may be down again.
 */
const MOST_LATE_PARKS = 10;

/** How many items, with their files, are made in one round. */
const ITEMS_AT_ONCE = 10;

/** Indexes of the items that are planned and not done. */
export const openRows = ({ plans, done }: Work): number[] =>
	[...plans.keys()].filter((row) => plans[row] && !done[row]);

/**
 * Creates the jobs that the round before has noted, waits for news (a job was created or has ended), and notes which
 * jobs the next round creates. Everything rests on this: n8n stores the note before any of them is sent. The items of
 * jobs that have ended are made in a round of their own, so that no download holds up what n8n is to store.
 *
 * @throws ServiceError, Error about no item, such as a credential that cannot be used
 */
export async function round(context: IExecuteFunctions, state: Work, clock: Clock): Promise<Step> {
	const rest = new AbortController();
	const run = await openDurable(context, state, clock, rest.signal);
	// Another item may have the same prompt: the jobs of all are known to be theirs, even of those that are done.
	for (const { id } of run.orders.jobs) run.account.claims.add(id);
	const ended = Object.entries(state.ended).slice(0, ITEMS_AT_ONCE);
	if (ended.length > 0) {
		await Promise.all(
			ended.map(async ([row, value]) => await finish(run, state, Number(row), { value })),
		);
		return AT_ONCE;
	}
	const open = openRows(state).map((row) => jobSpecAt(state, row));
	if (await tellDoubts(run, state, open)) return AT_ONCE;
	delete markOf(context)[NOTED];
	const noted = open.filter((item) => stateOf(run, item) === 'sending');
	const running = open.filter((item) => jobIn(run, item));
	const left = open.filter((item) => !run.orders.find(item.itemIndex));
	if (running.length + noted.length === 0 && isClosed(state)) return 'handOver';
	const wanted = noted.length === 0 && !isClosed(state) ? left : [];
	const { results, hasPlace } = await untilNews(run, state, [...running, ...noted], wanted, rest);
	run.orders.dropUnsent();
	const late = running.filter((item) => isLate(run, item));
	const isGivenUp = state.lateParks >= MOST_LATE_PARKS;
	for (const item of late.filter(({ itemIndex }) => isGivenUp && !results.has(itemIndex))) {
		results.set(item.itemIndex, { error: neverAnswered(jobIn(run, item)!, item) });
	}
	for (const [row, result] of results) {
		if ('value' in result) state.ended[row] = result.value;
		// Of one whose outcome is unknown, the next round tells.
		else if (!doubtIn(run.orders.find(row))) await finish(run, state, row, result);
	}
	const isNews = results.size > 0 || noted.some((item) => run.orders.find(item.itemIndex));
	if (isNews) Object.assign(state, { newsAt: clock.now(), lateParks: 0 });
	// Told before anything else is noted: with *Stop*, it ends the run.
	if (open.some((item) => stateOf(run, item) === 'unknown')) return AT_ONCE;
	// What was noted in vain, since the account is full, waits for a while: n8n would store each note.
	const isInVain = noted.length > 0 && !isNews;
	const next = isInVain ? 0 : noteNext(run, state, open, hasPlace ? 1 : 0);
	if (isNews || next > 0) return AT_ONCE;
	const ms = parkFor(run, state, running);
	if (ms === 0) return AT_ONCE;
	if (late.length > 0) state.lateParks += 1;
	return clock.now() + ms;
}

/** When the time of a job is up, any answer ends the wait for it: none may come for longer than a round. */
function jobSpecAt(state: Work, row: number): JobSpec {
	const plan = planAt(state, row);
	return { ...jobSpecOf(plan.operation, plan), graceMs: MAX_PAUSE_MS };
}

/** Whether the time of the item's job is up. */
function isLate(run: Run, item: JobSpec): boolean {
	const { startedAt = Infinity } = jobIn(run, item) ?? {};
	return run.clock.now() >= startedAt + item.timeoutMs;
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

/**
 * Notes the items to order next, as many as there are places for.
 *
 * @param least how many places there are for certain
 * @returns how many
 */
function noteNext(run: Run, state: Work, open: readonly JobSpec[], least: number): number {
	const { context, account, clock } = run;
	if (isClosed(state)) return 0;
	const { running, ofOthers } = account.limits.places;
	const undone = open.filter(({ itemIndex: row }) => !state.done[row] && !state.ended[row]);
	const left = undone.filter((item) => !run.orders.find(item.itemIndex));
	const free = Math.max(least, CONCURRENT_GENERATIONS - running - ofOthers);
	const own = mostOf(left) - (undone.length - left.length);
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

/**
 * Waits for the items' jobs until something is new.
 *
 * @param wanted items that wait for a place
 * @returns what has become of the jobs that are over, by item index, and whether there is a place for another
 */
async function untilNews(
	run: Run,
	{ newsAt }: Work,
	items: readonly JobSpec[],
	wanted: readonly JobSpec[],
	rest: AbortController,
) {
	const { clock } = run;
	const done = new AbortController();
	const restIn = (ms: number) => later(clock, ms, () => rest.abort(), done.signal);
	const jobs = { ...run, onCreated: () => restIn(TOGETHER_MS) };
	restIn(clock.now() - newsAt < AWAKE_MS ? ROUND_MS : QUIET_ROUND_MS);
	const results = new Map<number, Attempt<JobResult>>();
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
	const hasPlace = place !== undefined && 'value' in place;
	if (hasPlace) place.value.release();
	return { results, hasPlace };
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
	const { ended, done, continueOnFail, failedAs: as } = state;
	const plan = planAt(state, itemIndex);
	// The end of the round must not call off a download.
	const making: Run = { ...run, signal: run.context.getExecutionCancelSignal() };
	const made =
		'error' in result
			? result
			: await attempt(jobItems(making, plan.operation, plan, result.value));
	delete ended[itemIndex];
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

/** How long to park, in ms, at most until the time of a job is up; 0 to stay awake. */
function parkFor(run: Run, { newsAt, caller }: Work, running: readonly JobSpec[]): number {
	const now = run.clock.now();
	const ages = running.map((item) => ({ item, age: now - jobIn(run, item)!.startedAt }));
	const dues = ages.map(({ item, age }) =>
		isLate(run, item) ? 0 : nextPollMs(age, typicalOf(item)) - age,
	);
	const ends = ages.map(({ item, age }) => item.timeoutMs - age).filter((ms) => ms > 0);
	const untilDue = dues.length > 0 ? Math.min(...dues) : 0;
	const ms = parkMs(now - newsAt, untilDue, otherParkedRuns(caller.runId, now));
	return ms === 0 ? 0 : Math.max(1, Math.min(ms, ...ends));
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
