import type { Priority } from '../../../nodes/shared/plan/requests.ts';
import { fault } from '../../support/fakeService.mts';
import { MachineClock } from '../../support/machineClock.mts';
import { rateLimiterAmong, sendBy } from '../../support/limiters.mts';
import { VirtualClock } from '../../support/virtualClock.mts';

const HOUR_MS = 3_600_000;

/** The clock of the machine that n8n runs on may be set to another time, and the machine may sleep. */
function start() {
	const time = new VirtualClock();
	const startedAt = time.now();
	const machine = new MachineClock(time);
	const { rateLimiter } = rateLimiterAmong(machine);
	const owner = {};
	return {
		run: time.run.bind(time),
		set: (ms: number) => machine.set(ms),
		suspend: (ms: number) => time.suspend(ms),
		/** Gives when it was sent, s. */
		async send(priority: Priority, answer: () => Promise<unknown> = async () => {}) {
			const request = async () => {
				const at = (time.now() - startedAt) / 1000;
				await answer();
				return at;
			};
			return await sendBy(rateLimiter, request, { priority, owner });
		},
	};
}

const refuse = async () => {
	throw fault('refused', 429).with({ retryAfterMs: 40_000 });
};

it.each(['create', 'read', 'poll', 'trigger'] as const)(
	'a %s does not wait for a pause that a clock set back would bring again',
	async (priority) => {
		const { run, send, set } = start();
		await expect(run(send('read', refuse))).rejects.toThrow();
		set(-3 * HOUR_MS);
		expect(await run(send(priority))).toBeLessThanOrEqual(40);
	},
);

it.each(['read', 'trigger'] as const)(
	'%ss that were sent before the clock was set back count for a minute',
	async (priority) => {
		const { run, send, set } = start();
		const all = Array.from({ length: 100 }, async () => await send('read'));
		await run(Promise.all(all));
		set(-3 * HOUR_MS);
		const at = await run(send(priority));
		expect(at).toBeGreaterThanOrEqual(60);
		expect(at).toBeLessThanOrEqual(61);
	},
);

it('polls keep their pace when the clock was set back', async () => {
	const { run, send, set } = start();
	await run(send('poll'));
	const before = await run(send('poll'));
	set(-3 * HOUR_MS);
	const after = await run(send('poll'));
	expect(after - before).toBeLessThanOrEqual(10);
});

it('requests of before the machine slept for longer than a minute do not count', async () => {
	const { run, send, suspend } = start();
	const all = Array.from({ length: 100 }, async () => await send('read'));
	await run(Promise.all(all));
	suspend(70_000);
	expect(await run(send('read'))).toBe(70);
});

it('a clock that was set back, and forth again, makes no window shorter', async () => {
	const { run, send, set } = start();
	const all = Array.from({ length: 100 }, async () => await send('read'));
	await run(Promise.all(all));
	set(-3 * HOUR_MS);
	await expect(run(send('read', refuse))).rejects.toThrow();
	set(3 * HOUR_MS);
	expect(await run(send('read'))).toBeGreaterThanOrEqual(100);
});
