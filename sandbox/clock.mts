import { setTimeout as delay } from 'node:timers/promises';

/** The sandbox's clock; tests pass a virtual one. */
export interface Clock {
	/** ms since 1970. */
	now(): number;
	sleep(ms: number): Promise<void>;
}

/** The machine's clock. Its sleeps do not keep the process alive. */
export const REAL_CLOCK: Clock = {
	now: () => Date.now(),
	sleep: (ms) => delay(ms, undefined, { ref: false }),
};
