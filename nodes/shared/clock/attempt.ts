import type { Clock } from './clock';

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
