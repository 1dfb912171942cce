import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	IRunExecutionData,
} from 'n8n-workflow';

import type { Clock } from '../clock/clock';
import { attempt } from '../service/attempt';
import {
	isDead,
	isStopped,
	lookAt,
	memoryOf,
	readExecution,
	stubIn,
	whereabouts,
	type Sight,
	type Waiter,
} from './executions';
import { othersParked } from './neighbours';
import { shareMs } from './rest';
import { again, NOTHING } from './rounds';
import { start } from './start';
import {
	newWatch,
	recall,
	takeIn,
	WATCH,
	watchIn,
	workIn,
	workItem,
	type WatchState,
	type Work,
} from './state';

/** Between two polls, ms: after the working execution is due, and at most; while it seems dead. */
const AFTER_MS = 90_000;
const MOST_MS = 900_000;
const SUSPICIOUS_MS = 66_000;

/** Times that the working execution may be woken up meanwhile, where there are many. */
const OFTEN = 5;

/** Woken up so late, n8n was not running: others may be as late, ms. */
const LATE_MS = 90_000;

/** Results that were handed over are handed over again so many times at most. */
const MOST_DELIVERIES = 3;

/**
 * The role of the executions that watch over a durable run. n8n brings none back to life that ran
 * when it was killed, so where the working one, or the one that hands over the results, has done
 * nothing for two looks, another takes its place with what n8n has stored of it. There are two that
 * watch, lest one be awake just when n8n is killed: a guard, and its reserve, which looks seldom.
 */
export async function watch(
	context: IExecuteFunctions,
	clock: Clock,
): Promise<INodeExecutionData[][]> {
	if (takeIn(context, WATCH)) return await again(context, 0);
	const state = recall<WatchState>(context, WATCH);
	const look = await attempt(restAfterLook(context, state, clock));
	if ('error' in look) {
		context.logger.warn(`${context.getNode().name} watches: ${(look.error as Error).message}`);
	}
	const ms = 'error' in look ? SUSPICIOUS_MS : look.value;
	if (ms === undefined) return NOTHING;
	state.dueAt = clock.now() + ms;
	return await again(context, state.dueAt);
}

/** @returns until the next poll, ms; `undefined` where there is nothing to watch over any more */
async function restAfterLook(
	context: IExecuteFunctions,
	state: WatchState,
	clock: Clock,
): Promise<number | undefined> {
	const isFirst = state.dueAt === undefined;
	const isLate = clock.now() - (state.dueAt ?? Infinity) > LATE_MS;
	if (isFirst) return await firstRest(context, state, clock);
	const { waiter } = state;
	const waiting = await readExecution(context, waiter.executionId);
	if (whereabouts(waiting, waiter) !== 'here') return undefined;
	state.worker ??= stubIn(memoryOf(waiting, waiter.node), waiter)?.worker;
	if (state.isReserve) await followGuard(context, state);
	const data = await readExecution(context, String(state.worker));
	const work = workIn(data, waiter.node);
	if (!data || !work || isStopped(data)) return undefined;
	if (!state.isReserve && work.state.guard !== context.getExecutionId()) return undefined;
	if (!state.isReserve) await keepReserve(context, state, clock);

	const { delivery } = work.state;
	const snapshot = delivery === undefined ? data : await readExecution(context, delivery);
	const before = isLate ? undefined : state.sight;
	state.sight = lookAt(snapshot, clock.now(), before);
	if (state.isReserve && state.sight) {
		const guard = await readExecution(context, work.state.guard);
		state.sight = joined(state.sight, lookAt(guard, clock.now()), before);
	}
	if (!state.sight) return restOf(state, snapshot, clock.now());
	if (!isDead(state.sight, 2 ** state.deliveries)) return SUSPICIOUS_MS;
	if (delivery !== undefined && ++state.deliveries > MOST_DELIVERIES) return undefined;
	state.worker = await startHeir(context, waiter, work);
	// After it: the new reserve has to know who works now.
	if (state.isReserve) await stepIn(context, state);
	state.sight = undefined;
	return AFTER_MS;
}

async function firstRest(
	context: IExecuteFunctions,
	state: WatchState,
	clock: Clock,
): Promise<number> {
	if (state.isReserve) return restOf(state, undefined, clock.now());
	state.reserve ??= await startReserve(context, state);
	return AFTER_MS;
}

/**
 * The execution that works now: since the look before, a guard may have put others in its place,
 * and each of them another guard.
 */
async function followGuard(context: IExecuteFunctions, state: WatchState): Promise<void> {
	const { node } = state.waiter;
	for (let last; last !== state.worker; ) {
		last = state.worker;
		const work = workIn(await readExecution(context, String(last)), node);
		if (!work) return;
		const guard = watchIn(await readExecution(context, work.state.guard), node);
		state.worker = guard.worker ?? last;
		// Lest each reserve begins to count anew, where nobody takes the results any more.
		state.deliveries = Math.max(state.deliveries, guard.deliveries ?? 0);
	}
}

/** Both have done nothing since the look before. */
function joined(worker: Sight, guard?: Sight, before?: Sight): Sight | undefined {
	if (!guard) return undefined;
	const print = `${worker.print} ${guard.print}`;
	return { print, times: before?.print === print ? before.times + 1 : 1 };
}

async function keepReserve(
	context: IExecuteFunctions,
	state: WatchState,
	clock: Clock,
): Promise<void> {
	const data = await readExecution(context, String(state.reserve));
	state.reserveSight = lookAt(data, clock.now(), state.reserveSight);
	if (!isDead(state.reserveSight)) return;
	state.reserve = await startReserve(context, state);
	state.reserveSight = undefined;
}

/** The reserve becomes the guard, and gets a reserve of its own. */
async function stepIn(context: IExecuteFunctions, state: WatchState): Promise<void> {
	delete state.isReserve;
	state.reserve = await startReserve(context, state);
}

async function startReserve(
	context: IExecuteFunctions,
	{ waiter, worker }: WatchState,
): Promise<string> {
	const reserve: WatchState = {
		...newWatch(waiter),
		isReserve: true,
		...(worker !== undefined && { worker }),
	};
	return await start(context, waiter, 'watch', { [WATCH]: reserve as object as IDataObject });
}

async function startHeir(
	context: IExecuteFunctions,
	waiter: Waiter,
	{ state, entries }: Work,
): Promise<string> {
	const heir = {
		...state,
		guard: context.getExecutionId(),
		isHeir: true,
		delivery: undefined,
		sight: undefined,
		troubles: 0,
	};
	return await start(context, waiter, 'work', workItem({ state: heir, entries }));
}

/** While all is well. */
function restOf(
	{ waiter, isReserve }: WatchState,
	data: IRunExecutionData | undefined,
	now: number,
): number {
	const till = data?.waitTill ? new Date(data.waitTill).getTime() : now;
	const own = Math.min(Math.max(till - now, 0) + AFTER_MS, MOST_MS);
	const shared = OFTEN * shareMs(othersParked(waiter.ticket, now));
	return Math.max(isReserve ? MOST_MS : own, shared);
}
