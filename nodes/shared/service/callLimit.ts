/** Starts work when it is its turn, and gives what becomes of it. */
export type CallLimit = <T>(work: () => Promise<T>) => Promise<T>;

/** At most so many calls at the same time; the others wait, and start in their order. */
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
			// It takes the place over, so that nobody comes in between.
			if (startNext) startNext();
			else running--;
		}
	};
}
