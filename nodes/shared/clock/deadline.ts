import { WOKEN, type Clock } from './clock';

/** A time after which nothing is begun. */
export interface Deadline {
	/** elapsed ms. */
	at: number;
	/** Fires a little after it, so that what is begun in time is done, or when the outer one does. */
	signal: AbortSignal;
	/** Stops the clock. */
	forget(): void;
}

/** For what is due at the deadline itself, ms. */
const GRACE_MS = 2000;

/** @param ms from now */
export function deadlineSignal(clock: Clock, ms: number, outer?: AbortSignal): Deadline {
	const late = new AbortController();
	const done = new AbortController();
	clock.sleep(ms + GRACE_MS, done.signal).then(
		() => late.abort(),
		() => {},
	);
	return {
		at: clock.elapsed() + ms,
		signal: outer ? AbortSignal.any([outer, late.signal]) : late.signal,
		forget: () => done.abort(WOKEN),
	};
}
