/** The result of work that may fail, or its error. */
export type Attempt<T> = { value: T } | { error: unknown };

/** Waits for work, and gives its error as a value. */
export async function attempt<T>(work: Promise<T>): Promise<Attempt<T>> {
	return await work.then(
		(value) => ({ value }),
		(error: unknown) => ({ error }),
	);
}
