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
