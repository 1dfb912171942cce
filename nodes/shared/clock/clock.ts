import { sleep } from 'n8n-workflow';

/** Time as the code sees it; a test passes a clock that it moves itself. */
export interface Clock {
	/** The time of day, ms since 1970. */
	now(): number;
	/** Resolves after `ms` milliseconds, or 24 days; rejects as soon as the signal fires. */
	sleep(ms: number, signal?: AbortSignal): Promise<void>;
	/** A random number from 0 to below 1. */
	random(): number;
}

/** The longest time that a timer accepts, in ms, 24 days; a longer one fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
	now: () => Date.now(),
	random: () => Math.random(),
	// Older n8n versions ignore the signal, so it is raced.
	sleep: async (ms, signal) =>
		await unlessStopped(() => sleep(Math.min(ms, LONGEST_TIMER_MS), signal), signal),
};

/**
 * The result of the work, unless the signal fires first.
 *
 * @throws Error if it does
 */
export async function unlessStopped<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
	let forget = () => {};
	const stopped = new Promise<never>((_, reject) => {
		const stop = () => reject(new Error('Stopped'));
		if (signal?.aborted) stop();
		signal?.addEventListener('abort', stop, { once: true });
		forget = () => signal?.removeEventListener('abort', stop);
	});
	return await Promise.race([work(), stopped]).finally(forget);
}

/** Does the work `ms` later, unless the signal fires first. */
export function later(clock: Clock, ms: number, work: () => void, unless: AbortSignal): void {
	clock.sleep(ms, unless).then(work, () => {});
}

/** A time limit: its signal fires `ms` later, or when the outer signal does. */
export function timeLimit(clock: Clock, ms: number, outer?: AbortSignal) {
	const late = new AbortController();
	const done = new AbortController();
	later(clock, ms, () => late.abort(), done.signal);
	return {
		signal: outer ? AbortSignal.any([outer, late.signal]) : late.signal,
		/** Cancels the time limit. */
		forget: () => done.abort(),
	};
}

/** The result of work that may fail, or its error. */
export type Attempt<T> = { value: T } | { error: unknown };

/** Waits for work, and gives its error as a value. */
export async function attempt<T>(work: Promise<T>): Promise<Attempt<T>> {
	return await work.then(
		(value) => ({ value }),
		(error: unknown) => ({ error }),
	);
}

/**
 * Repeats work as long as it fails in a way that may pass.
 *
 * @param pauseAfter ms to wait after an error; `undefined` where trying again does not help
 * @throws the last error
 */
export async function retry<T>(
	work: () => Promise<T>,
	pauseAfter: (error: unknown) => number | undefined,
	{ clock, signal }: { clock: Clock; signal?: AbortSignal },
): Promise<T> {
	for (;;) {
		const done = await attempt(work());
		if ('value' in done) return done.value;
		const pauseMs = pauseAfter(done.error);
		// Without a pause, the work itself fails if it was called off.
		if (pauseMs === 0) continue;
		if (pauseMs === undefined || signal?.aborted) throw done.error;
		await clock.sleep(pauseMs, signal).catch(() => {
			throw done.error;
		});
	}
}

/** Starts work when its turn comes, and gives its result. */
export type CallLimit = <T>(work: () => Promise<T>) => Promise<T>;

/** Lets at most `most` calls run at the same time; the others wait, and start in order. */
export function callLimit(most: number): CallLimit {
	let running = 0;
	const waiting: Array<() => void> = [];
	return async (work) => {
		if (running < most) running++;
		else await new Promise<void>((resolve) => waiting.push(resolve));
		try {
			return await work();
		} finally {
			const startNext = waiting.shift();
			// The next call takes over the place, so that no other gets in between.
			if (startNext) startNext();
			else running--;
		}
	};
}
