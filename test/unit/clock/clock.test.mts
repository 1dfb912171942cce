import { systemClock } from '../../../nodes/shared/clock/clock.ts';

test('sleep ends when the signal fires, and leaves no listener behind', async () => {
	const stop = new AbortController();
	const remove = jest.spyOn(stop.signal, 'removeEventListener');
	await systemClock.sleep(1, stop.signal);
	expect(remove).toHaveBeenCalledWith('abort', expect.any(Function));

	const sleeping = systemClock.sleep(60_000, stop.signal);
	stop.abort();
	await expect(sleeping).rejects.toThrow();
	await expect(systemClock.sleep(60_000, stop.signal)).rejects.toThrow();
});

describe('a sleep that is longer than a timer takes (2^31 - 1 ms)', () => {
	const LONGEST = 2 ** 31 - 1;

	test.each([
		[0, [0]],
		[1000, [1000]],
		[LONGEST, [LONGEST]],
		[LONGEST + 1, [LONGEST, 1]],
		[3 * LONGEST + 5, [LONGEST, LONGEST, LONGEST, 5]],
	])('%i ms are slept in pieces', async (ms, expected) => {
		jest.useFakeTimers();
		const timers = jest.spyOn(globalThis, 'setTimeout');
		const sleeping = systemClock.sleep(ms);
		await jest.advanceTimersByTimeAsync(ms);
		await sleeping;
		expect(timers.mock.calls.map(([, delay]) => delay)).toEqual(expected);
		jest.useRealTimers();
	});

	test.each([LONGEST + 1, Infinity])(
		'the system clock asks for no such timer: %d ms',
		async (ms) => {
			const timers = jest.spyOn(globalThis, 'setTimeout');
			const stop = new AbortController();
			const sleeping = systemClock.sleep(ms, stop.signal);
			stop.abort();
			await expect(sleeping).rejects.toThrow();
			expect(timers.mock.calls.map(([, delay]) => delay)).toEqual([LONGEST]);
			timers.mockRestore();
		},
	);
});
