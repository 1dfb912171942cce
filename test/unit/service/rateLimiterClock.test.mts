import { RateLimiter, type Priority } from '../../../nodes/shared/service/rateLimiter.ts';
import { fault } from '../../support/fakeService.mts';
import { VirtualClock } from '../../support/virtualClock.mts';

const HOUR_MS = 3_600_000;

/** The clock of the machine that n8n runs on may be set to another time. */
function start() {
	const time = new VirtualClock();
	let offMs = 0;
	const startedAt = time.now();
	const clock = { now: () => time.now() + offMs, sleep: time.sleep };
	const rateLimiter = new RateLimiter(clock);
	const owner = {};
	return {
		run: time.run.bind(time),
		setBack: (ms: number) => (offMs -= ms),
		/** Gives when it was sent, s. */
		async send(priority: Priority, answer: () => Promise<unknown> = async () => {}) {
			const request = async () => {
				const at = (time.now() - startedAt) / 1000;
				await answer();
				return at;
			};
			return await rateLimiter.send(request, { priority, owner });
		},
	};
}

const refuse = async () => {
	throw fault('refused', 429).with({ retryAfterMs: 40_000 });
};

it.each(['create', 'read', 'poll', 'trigger'] as const)(
	'a %s does not wait for a pause that a clock set back would bring again',
	async (priority) => {
		const { run, send, setBack } = start();
		await expect(run(send('read', refuse))).rejects.toThrow();
		setBack(3 * HOUR_MS);
		expect(await run(send(priority))).toBeLessThanOrEqual(40);
	},
);

it.each(['read', 'trigger'] as const)(
	'%ss that were sent before the clock was set back count for a minute',
	async (priority) => {
		const { run, send, setBack } = start();
		const all = Array.from({ length: 100 }, async () => await send('read'));
		await run(Promise.all(all));
		setBack(3 * HOUR_MS);
		const at = await run(send(priority));
		expect(at).toBeGreaterThanOrEqual(60);
		expect(at).toBeLessThanOrEqual(61);
	},
);

it('polls keep their pace when the clock was set back', async () => {
	const { run, send, setBack } = start();
	await run(send('poll'));
	const before = await run(send('poll'));
	setBack(3 * HOUR_MS);
	const after = await run(send('poll'));
	expect(after - before).toBeLessThanOrEqual(10);
});
