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
