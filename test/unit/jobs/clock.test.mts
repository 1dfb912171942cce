import { systemClock } from '../../../nodes/shared/jobs/clock.ts';

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
