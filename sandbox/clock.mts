import { setTimeout as delay } from 'node:timers/promises';

/** What the sandbox knows of time; tests pass a virtual one. */
export interface Clock {
	/** Milliseconds since 1970. */
	now(): number;
	sleep(ms: number): Promise<void>;
}

/** The machine's clock. A sleep of it does not keep the process alive. */
export const REAL_CLOCK: Clock = {
	now: () => Date.now(),
	sleep: (ms) => delay(ms, undefined, { ref: false }),
};
