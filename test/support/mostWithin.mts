/** The most requests that arrived within any window of that length, ms. */
export function mostWithin(times: readonly number[], windowMs: number): number {
	let first = 0;
	let most = 0;
	for (const [index, at] of times.entries()) {
		while (times[first]! <= at - windowMs) first += 1;
		most = Math.max(most, index - first + 1);
	}
	return most;
}
