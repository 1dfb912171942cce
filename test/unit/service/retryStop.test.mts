import { sendWithRetry } from '../../../nodes/shared/service/retry.ts';
import { fault } from '../../support/fakeService.mts';
import { pacedService } from '../../support/pacedService.mts';
import { VirtualClock } from '../../support/virtualClock.mts';

const request = { method: 'GET' as const, path: '/first/' };
const tooMany = () => fault('refused', 429).with({ retryAfterMs: 1000 });

test('stopped while a request is under way that is answered by a 429: it was given up', async () => {
	const clock = new VirtualClock(0);
	const stop = new AbortController();
	const { open } = pacedService(clock, async () => {
		await clock.sleep(1000);
		throw tooMany();
	});
	void clock.sleep(500).then(() => stop.abort());
	const sent = sendWithRetry(open(), request, clock, { signal: stop.signal });
	await expect(clock.run(sent.catch((error: unknown) => error))).resolves.toMatchObject({
		outcome: 'notSent',
	});
});

test('a request that was refused goes before one that comes later at that instant', async () => {
	const clock = new VirtualClock(0);
	const order: string[] = [];
	const { open } = pacedService(clock, ({ path }) => {
		order.push(path);
		if (order.length === 1) throw tooMany();
		return 'answer';
	});
	const service = open();
	const first = sendWithRetry(service, request, clock);
	const second = (async () => {
		for (let tick = 0; tick < 60; tick++) await Promise.resolve();
		return await sendWithRetry(service, { ...request, path: '/second/' }, clock);
	})();
	await clock.run(Promise.all([first, second]));
	expect(order).toEqual(['/first/', '/first/', '/second/']);
});
