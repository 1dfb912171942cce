import { sleep } from 'n8n-workflow';

/** Time as the jobs see it; a test passes one that it moves itself. */
export interface Clock {
	/**
	 * The time of day, ms since 1970. Somebody may set it, back or forth. For what is stored or shown, and for
	 * what is compared with the times of the service and of n8n.
	 */
	now(): number;
	/**
	 * The time that this process has gone through, ms since a moment of its own ("elapsed ms"). It is never set,
	 * and stands still while the machine sleeps. For how long something takes, waits or counts.
	 */
	elapsed(): number;
	/** Resolves after `ms` milliseconds; rejects as soon as the signal fires. */
	sleep(ms: number, signal?: AbortSignal): Promise<void>;
	/** Chance, from 0 to below 1. */
	random(): number;
}

/**
 * A time of day as one of `elapsed`. One that is still to come was noted before the clock was set back: it counts as
 * this moment.
 *
 * @param time in the past, ms since 1970
 */
export const elapsedAt = (clock: Clock, time: number): number =>
	clock.elapsed() - Math.max(0, clock.now() - time);

/** A moment of `elapsed` as the time of day that the clock gives for it now, ms since 1970. */
export const timeAt = (clock: Clock, elapsed: number): number =>
	clock.now() - (clock.elapsed() - elapsed);

/**
 * How the clock is set, ms: the time of day at which `elapsed` began. It is another once somebody has set the clock or
 * the machine has slept, and in each process.
 */
export const settingOf = (clock: Clock): number => clock.now() - clock.elapsed();

/** The longest time that a timer takes, ms; it takes more for nothing at all. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
	now: () => Date.now(),
	elapsed: () => Math.round(performance.now()),
	random: () => Math.random(),
	sleep: async (ms, signal) => {
		let left = ms;
		do {
			const piece = Math.min(left, LONGEST_TIMER_MS);
			// Older n8n versions ignore the signal, so it is raced.
			await unlessStopped(() => sleep(piece, signal), signal);
			left -= piece;
		} while (left > 0);
	},
};

/** Why a sleep is over that is of no use any more; the error that stands for none is slow to make. */
export const WOKEN = 'woken';

/**
 * What comes of the work, unless the signal fires before.
 *
 * @throws Error when it does
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

/** Does something so many ms later, unless the signal fires before. */
export function later(clock: Clock, ms: number, work: () => void, unless: AbortSignal): void {
	clock.sleep(ms, unless).then(work, () => {});
}

/** A limit of time: fires so many ms later, or when the outer signal does. */
export function timeLimit(clock: Clock, ms: number, outer?: AbortSignal) {
	const late = new AbortController();
	const done = new AbortController();
	later(clock, ms, () => late.abort(), done.signal);
	return {
		signal: outer ? AbortSignal.any([outer, late.signal]) : late.signal,
		/** Stops the clock. */
		forget: () => done.abort(WOKEN),
	};
}

/** For what is due at a deadline itself, ms. */
const GRACE_MS = 2000;

/**
 * A time after which nothing is begun, `at` elapsed ms. The signal fires a little after it, so that what is begun in
 * time is done.
 */
export const deadlineIn = (clock: Clock, ms: number, outer?: AbortSignal) => ({
	at: clock.elapsed() + ms,
	...timeLimit(clock, ms + GRACE_MS, outer),
});
