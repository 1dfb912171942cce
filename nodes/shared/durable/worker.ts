import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Clock } from '../clock/clock';
import { orderOf, remember } from '../jobs/itemOrder';
import { withJob } from '../jobs/job';
import type { JobSpec } from '../jobs/jobContext';
import { entriesIn, Ledger } from '../jobs/ledger';
import { doubtIn, jobOf } from '../jobs/order';
import { candidatesFor } from '../jobs/reconcile';
import { asCreated, neverAnswered, typicalOf } from '../jobs/runJob';
import type { Place } from '../limits/places';
import { nextPollMs } from '../plan/reads';
import type { Run } from '../run/run';
import { attempt } from '../service/attempt';
import { PROMPT_FIELD } from '../spec/answers';
import { noteAwake, noteParked, otherParkedRuns, parkMs } from './parking';
import { paidJobsText, publishResults } from './results';
import { continueAt, NOTHING } from './roleWorkflow';
import {
	keepTimesPast,
	KILLED_WHILE_SENT,
	paidIdsIn,
	loadState,
	serializeResult,
	unknownOutcomeOf,
	WORK,
	workOfCopy,
	type WorkState,
} from './state';
import { ownershipOf, startSupervisor } from './supervisor';
import {
	holdPlaces,
	MOST_SILENT_PARKS,
	openDurable,
	openItems,
	ordersOf,
	releasePlaces,
	takePlaces,
	workOnItems,
} from './workOnItems';

/** Pause after an error that is not about an item, in ms, and how many in a row end the run. */
const ERROR_PAUSE_MS = 60_000;
const MAX_CONSECUTIVE_ERRORS = 5;

/**
 * What a tick has decided:
 * - `goOn`: n8n stores the state now, and the next tick comes at `until`, ms since 1970, or at once if that is 0
 * - `publish`: all items are done, and their results are handed over
 * - `quit`: the run belongs to another worker, or nobody waits for it
 */
type Decision = { kind: 'goOn'; until: number } | { kind: 'publish' } | { kind: 'quit' };

const AT_ONCE: Decision = { kind: 'goOn', until: 0 };

/** The role `work`: one tick of a durable run each time that n8n runs the node. */
export async function work(
	context: IExecuteFunctions,
	clock: Clock,
): Promise<INodeExecutionData[][]> {
	const { state, isNew } = loadState<WorkState>(context, WORK);
	if (isNew) return await continueAt(context, 0);
	noteAwake(state.caller.runId);
	const done = await attempt(tick(context, state, clock).then((it) => actOn(context, state, it)));
	if ('value' in done) return done.value;
	const error = done.error as Error;
	context.logger.warn(`${context.getNode().name} waits durably: ${error.message}`);
	state.consecutiveErrors += 1;
	dropIntents(context, state);
	if (state.consecutiveErrors >= MAX_CONSECUTIVE_ERRORS) endWith(context, state, error);
	state.parkedUntil = clock.now() + ERROR_PAUSE_MS;
	return await continueAt(context, state.parkedUntil);
}

async function actOn(
	context: IExecuteFunctions,
	state: WorkState,
	decision: Decision,
): Promise<INodeExecutionData[][]> {
	if (decision.kind === 'quit') {
		dropIntents(context, state);
		return NOTHING;
	}
	state.consecutiveErrors = 0;
	if (decision.kind === 'publish') {
		state.resuming = await publishResults(context, state);
		return NOTHING;
	}
	const { until } = decision;
	noteParked(state.caller.runId, until);
	state.parkedUntil = until;
	return await continueAt(context, until);
}

/**
 * Nothing more can be done, for example because the credential is gone: all open items fail. A replacement's intents
 * are those of the dead worker, so their jobs may have been paid for.
 */
function endWith(context: IExecuteFunctions, state: WorkState, error: Error): void {
	const { runIndex: index } = state.caller;
	const orders = ordersOf(state, new Ledger(context.getContext('node'), { index }));
	const intended = state.isReplacement ? state.intents.items : [];
	const { unknownOutcome } = KILLED_WHILE_SENT;
	const lost = { kind: 'lost', unknownOutcome } as const;
	for (const jobSpec of openItems(state)) {
		const { itemIndex, operation } = jobSpec;
		const before = orderOf(orders, jobSpec);
		if (!before && intended.includes(itemIndex)) remember(orders, jobSpec, lost);
		const order = orderOf(orders, jobSpec);
		const job = jobOf(order);
		const doubt = doubtIn(order);
		const reason = doubt ? unknownOutcomeOf(operation, doubt, error.message) : error;
		state.results[itemIndex] = serializeResult({
			error: job ? withJob(error, asCreated(job)) : reason,
		});
	}
}

/** One step of a durable run; n8n stores afterwards what it has changed in `state`. */
async function tick(context: IExecuteFunctions, state: WorkState, clock: Clock): Promise<Decision> {
	keepTimesPast(state, entriesIn(context.getContext('node')), clock.now());
	const ownership = await ownershipOf(context, state, clock);
	if (ownership.kind === 'callerGone') warnOfPaidJobs(context, state);
	if (ownership.kind === 'callerGone' || ownership.kind === 'superseded') return { kind: 'quit' };
	if (ownership.kind === 'inTheDark') {
		// Another worker may have created the jobs that are missing here, so this one creates none, and starts a supervisor.
		const { intents } = workOfCopy({ state, entries: {} }).state;
		Object.assign(state, { intents, isReplacement: true, isSupervisorDismissed: true });
		return AT_ONCE;
	}
	if (ownership.kind === 'unsupervised' && !state.isReplacement && !state.isSupervisorDismissed) {
		// Once n8n has stored this, the supervisor replaces nobody. The next tick asks whether it already has.
		state.isSupervisorDismissed = true;
		return AT_ONCE;
	}
	if (ownership.kind === 'unsupervised') {
		const worker = context.getExecutionId();
		const work = { state, entries: entriesIn(context.getContext('node')) };
		state.supervisor = await startSupervisor(context, state.caller, {
			worker,
			standby: ownership.standby,
			// This worker may be killed, and dropped by n8n, before the new supervisor looks.
			copy: { worker, work },
		});
		delete state.isSupervisorDismissed;
		state.silence = undefined;
	}
	// Comes before the service is opened, which fails if the credential is gone.
	if (openItems(state).length === 0) return { kind: 'publish' };
	const rest = new AbortController();
	const run = await openDurable(context, state, clock, rest.signal);
	if (state.isReplacement) await reconcileIntents(run, state);
	const open = openIn(run, state);
	if (!open.isAny) return { kind: 'publish' };
	return await carryOn(run, state, open, rest);
}

/** Creates what was noted before, waits for what runs, and notes what the next tick creates. */
async function carryOn(
	run: Run,
	state: WorkState,
	{ running, next }: Open,
	rest: AbortController,
): Promise<Decision> {
	const { clock } = run;
	const intended = intendedOf(run, state, next);
	const further = next.filter(
		(item) => !intended.some(({ itemIndex }) => itemIndex === item.itemIndex),
	);
	const late = running.filter((item) => isTimeUp(run, item));
	const items = [...running, ...intended];
	const { results, places } = await workOnItems(run, state, { items, next: further }, rest);
	for (const [itemIndex, result] of results) state.results[itemIndex] = serializeResult(result);
	const wasCreated = intended.some((jobSpec) => orderOf(run, jobSpec));
	const isProgress = results.size > 0 || wasCreated;
	if (isProgress) state.lastProgressAt = clock.now();
	// Items have just got places, and the next tick creates their jobs: do not park.
	const isPromising = places.length > 0 && intended.length === 0;
	const ms = isProgress || isPromising ? 0 : parkFor(run, state);
	const until = ms > 0 ? clock.now() + ms : 0;
	intend(run, state, until > 0 ? [] : openIn(run, state).next, places);
	claimJobs(run);
	if (until === 0) return AT_ONCE;
	countSilence(state, late);
	return giveUpSilent(run, state, late) ? AT_ONCE : { kind: 'goOn', until };
}

/** Gives up the jobs for which not even the last look was answered. @returns whether there are any */
function giveUpSilent(run: Run, state: WorkState, late: readonly JobSpec[]): boolean {
	const silent = late.filter(
		({ itemIndex }) => Number(state.silentParks?.[itemIndex]) > MOST_SILENT_PARKS,
	);
	for (const jobSpec of silent) {
		const job = jobOf(orderOf(run, jobSpec));
		const error = job && neverAnswered(job, jobSpec);
		if (error) state.results[jobSpec.itemIndex] = serializeResult({ error });
	}
	return silent.length > 0;
}

/**
 * Notes which jobs to create next, as many as there are places for. Everything rests on this: the tick that notes
 * them creates none. n8n stores the note, and only the next tick creates them. So after a crash we know which
 * creations have an unknown outcome, and about when they were sent.
 */
function intend(
	{ context, clock }: Run,
	state: WorkState,
	next: readonly JobSpec[],
	places: readonly Place[],
): void {
	const items = next.slice(0, places.length).map(({ itemIndex }) => itemIndex);
	for (const place of places.slice(items.length)) place.release();
	state.intents = { at: clock.now(), items };
	if (items.length > 0) holdPlaces(context.getExecutionId(), places.slice(0, items.length), clock);
}

/** How old a note may be when its creations are sent, in ms: reconciling relies on its time. */
const FRESH_MS = 20_000;

/** What the previous tick noted and n8n has stored, each with its place. */
function intendedOf({ context, clock }: Run, state: WorkState, next: readonly JobSpec[]) {
	const { at, items } = state.intents;
	const age = clock.now() - at;
	const noted = next.filter(({ itemIndex }) => items.includes(itemIndex));
	if (age < 0 || age > FRESH_MS || noted.length === 0) {
		releasePlaces(context.getExecutionId());
		return [];
	}
	const places = takePlaces(context.getExecutionId());
	for (const place of places.slice(noted.length)) place.release();
	return noted
		.slice(0, places.length)
		.map((jobSpec, index) => ({ ...jobSpec, place: places[index] }));
}

/**
 * Drops the intents that this tick did not send, as their time would be wrong for a later one, and after the last
 * one nobody sends them. A replacement keeps them: the worker before it may have sent them.
 */
function dropIntents(context: IExecuteFunctions, state: WorkState): void {
	releasePlaces(context.getExecutionId());
	if (!state.isReplacement) state.intents = { at: 0, items: [] };
}

/** Whether the time of the item's job is up: then any answer to a look ends the wait. */
function isTimeUp(run: Run, jobSpec: JobSpec): boolean {
	const job = jobOf(orderOf(run, jobSpec));
	return job !== undefined && run.clock.now() >= job.startedAt + jobSpec.timeoutMs;
}

/** Counts a park for each late item. As there was no news, no look at its job was answered. */
function countSilence(state: WorkState, late: readonly JobSpec[]): void {
	const parks = { ...state.silentParks };
	for (const { itemIndex } of late) parks[itemIndex] = (parks[itemIndex] ?? 0) + 1;
	state.silentParks = parks;
}

function warnOfPaidJobs(context: IExecuteFunctions, { caller }: WorkState): void {
	const paid = paidJobsText(paidIdsIn(entriesIn(context.getContext('node'))));
	const { name } = context.getNode();
	const text = `${name}: execution ${caller.executionId} does not wait any more. ${paid}`;
	context.logger.warn(text.trimEnd());
}

/** Items of a durable run that are not done. */
interface Open {
	/** Items whose jobs run, as far as we know. */
	running: JobSpec[];
	/** Items whose jobs to create next, as many as may still run beside the others. */
	next: JobSpec[];
	/** Whether any item is left to do. */
	isAny: boolean;
}

function openIn(run: Run, state: WorkState): Open {
	const open = openItems(state);
	const running = open.filter((jobSpec) => orderOf(run, jobSpec));
	// Nothing new is begun after a failure, unless the user wants that.
	const hasFailed = Object.values(state.results).some((one) => 'error' in one);
	const isClosed = !state.continueOnFail && hasFailed;
	const left = isClosed ? [] : open.filter((item) => !running.includes(item));
	const free = Math.min(...left.map(({ maxRunning }) => maxRunning)) - running.length;
	const next = left.slice(0, Math.max(0, free));
	return { running, next, isAny: running.length + left.length > 0 };
}

/** Nobody knows what became of the creations that the worker before was about to send: their rows fail, and say so. */
async function reconcileIntents(run: Run, state: WorkState): Promise<void> {
	const { at, items } = state.intents;
	const unknown = openItems(state).filter(
		(jobSpec) => items.includes(jobSpec.itemIndex) && !orderOf(run, jobSpec),
	);
	if (unknown.length > 0) {
		claimJobs(run);
		const sent = unknown.map(({ itemIndex, operation, request }) => {
			return { itemIndex, operation, prompt: request.body?.[PROMPT_FIELD], at };
		});
		const found = await candidatesFor(run, sent);
		for (const jobSpec of unknown) {
			const { itemIndex, operation } = jobSpec;
			const candidates = found.get(itemIndex) ?? [];
			const { unknownOutcome } = KILLED_WHILE_SENT;
			remember(run, jobSpec, { kind: 'lost', unknownOutcome, candidates });
			const doubt = { ...KILLED_WHILE_SENT, candidates };
			const error = unknownOutcomeOf(operation, doubt);
			state.results[itemIndex] = serializeResult({ error });
		}
	}
	state.isReplacement = false;
	state.intents = { at: 0, items: [] };
}

/** How long to park, in ms. */
function parkFor(run: Run, state: WorkState): number {
	const { clock, account } = run;
	const now = clock.now();
	const running = openItems(state).flatMap((jobSpec) => {
		const job = jobOf(orderOf(run, jobSpec));
		return job ? [{ ...jobSpec, job }] : [];
	});
	const inTime = running.filter((jobSpec) => !isTimeUp(run, jobSpec));
	const isAnyLate = inTime.length < running.length;
	const due = inTime.map(({ job: { startedAt }, ...jobSpec }) => {
		return startedAt + nextPollMs(now - startedAt, { typical: typicalOf(account, jobSpec) });
	});
	const ends = inTime.map(({ job, timeoutMs }) => job.startedAt + timeoutMs);
	return parkMs({
		now,
		lastProgressAt: state.lastProgressAt,
		dueAt: isAnyLate || due.length === 0 ? undefined : Math.min(...due),
		endsAt: Math.min(...ends),
		others: otherParkedRuns(state.caller.runId, now),
	});
}

/** Claims the jobs of all items, even of those that are done: another item may have the same prompt. */
function claimJobs({ ledger, account }: Run): void {
	for (const { id } of ledger.jobs) account.claims.add(id);
}
