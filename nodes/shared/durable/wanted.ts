import type { IExecuteFunctions } from 'n8n-workflow';

import type { Clock } from '../clock/clock';
import { entriesIn } from '../jobs/ledger';
import {
	isDead,
	lookAt,
	PARKING_LOOK_MS,
	PARKING_MS,
	readExecution,
	whereabouts,
	type Waiter,
} from './executions';
import { start } from './start';
import { newWatch, WATCH, watchIn, type WorkState } from './state';

/** Between two times that others are looked at, ms. */
const LOOK_MS = 5_000;

/**
 * Whether an execution waits for the results, and this is the one that works on them. Puts another
 * guard in place of one that is dead.
 */
export async function isWanted(
	context: IExecuteFunctions,
	state: WorkState,
	clock: Clock,
): Promise<boolean> {
	const isFirst = state.lookedAt === undefined;
	if (!isFirst && clock.now() - Number(state.lookedAt) < LOOK_MS) return true;
	if (!(await isWaitedFor(context, state, clock, isFirst))) {
		const { name } = context.getNode();
		const ids = Object.values(entriesIn(context.getContext('node'))).map(({ job }) => job?.id);
		const paid = ids.filter(Boolean).join(', ');
		context.logger.warn(
			`${name}: execution ${state.waiter.executionId} does not wait any more.${paid && ` Paid for: jobs ${paid}.`}`,
		);
		return false;
	}
	state.lookedAt = clock.now();
	if (state.isHeir) return await isNamed(context, state, clock);
	return isFirst || (await isGuarded(context, state, clock));
}

/**
 * Whether the guard has stored that this execution is the one that works: it may have died before
 * that, and then another will take the place.
 */
async function isNamed(
	context: IExecuteFunctions,
	state: WorkState,
	clock: Clock,
): Promise<boolean> {
	const { guard, waiter } = state;
	const deadline = clock.now() + PARKING_MS;
	for (;;) {
		const { worker, isReserve } = watchIn(await readExecution(context, guard), waiter.node);
		if (worker === context.getExecutionId()) return true;
		if (clock.now() >= deadline) {
			// A reserve that died as it stepped in has none of its own: nobody else would go on.
			if (isReserve) state.guard = await startGuard(context, waiter);
			return isReserve === true;
		}
		await clock.sleep(PARKING_LOOK_MS);
	}
}

/** @param reserve that of the guard before */
async function startGuard(
	context: IExecuteFunctions,
	waiter: Waiter,
	reserve?: string,
): Promise<string> {
	const worker = context.getExecutionId();
	const watch = { ...newWatch(waiter), worker, ...(reserve && { reserve }) };
	return await start(context, waiter, 'watch', { [WATCH]: watch });
}

async function isWaitedFor(
	context: IExecuteFunctions,
	{ waiter }: WorkState,
	clock: Clock,
	isFirst: boolean,
): Promise<boolean> {
	const deadline = clock.now() + (isFirst ? PARKING_MS : 0);
	for (;;) {
		const data = await readExecution(context, waiter.executionId);
		if (whereabouts(data, waiter) === 'here') return true;
		if (clock.now() >= deadline) return false;
		await clock.sleep(PARKING_LOOK_MS);
	}
}

/** @returns whether the guard takes this execution for the one that works */
async function isGuarded(
	context: IExecuteFunctions,
	state: WorkState,
	clock: Clock,
): Promise<boolean> {
	const own = context.getExecutionId();
	const { waiter } = state;
	const data = await readExecution(context, state.guard);
	const { worker = own, reserve } = watchIn(data, waiter.node);
	if (worker !== own) return false;
	state.sight = lookAt(data, clock.now(), state.sight);
	if (isDead(state.sight)) {
		state.guard = await startGuard(context, waiter, reserve);
		state.sight = undefined;
	}
	return true;
}
