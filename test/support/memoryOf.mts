/** Bytes that the resident memory of this process grows by while it does some work. */
export async function memoryOf(work: () => Promise<unknown>): Promise<number> {
	const before = process.memoryUsage().rss;
	let peak = before;
	const timer = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 10);
	await work().finally(() => clearInterval(timer));
	return Math.max(peak, process.memoryUsage().rss) - before;
}
