/** How long a start and an end may take, ms: those of n8n with its workers are the longest. */
const START_TIMEOUT = 240_000;
const END_TIMEOUT = 60_000;

/**
 * Starts something before the tests of a file, and ends it after them.
 *
 * @param renew makes it as new before each test
 * @returns stands for what was started; to be used in tests and hooks only
 */
export function useStarted<T extends object>(
	start: () => Promise<T>,
	renew: (started: T) => unknown,
	end: (started: T) => Promise<void>,
): T {
	let starting: Promise<T> | undefined;
	let started: T | undefined;
	beforeAll(async () => {
		starting = start();
		started = await starting;
	}, START_TIMEOUT);
	afterAll(async () => {
		// Also what started too late for the tests: left running, it would keep Jest from ending.
		const late = await starting?.catch(() => undefined);
		if (late) await end(late);
	}, END_TIMEOUT);
	beforeEach(async () => {
		await renew(theStarted());
	});
	const theStarted = () => {
		if (!started) throw new Error('This is there in tests and hooks only, once it has started.');
		return started;
	};
	// Some properties change, so all are read when asked for.
	return new Proxy({} as T, {
		get: (_, property) => Reflect.get(theStarted(), property),
		set: (_, property, value) => Reflect.set(theStarted(), property, value),
	});
}
