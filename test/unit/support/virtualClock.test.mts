import { VirtualClock } from '../../support/virtualClock.mts';

describe('the virtual clock', () => {
	const start = 1_000_000;
	let clock: VirtualClock;
	let log: string[];

	beforeEach(() => {
		clock = new VirtualClock(start);
		log = [];
	});

	const sleeper = async (name: string, ...naps: number[]) => {
		for (const nap of naps) {
			await clock.sleep(nap);
			log.push(`${name} ${clock.now() - start}`);
		}
	};

	it('wakes in the order of time, then of falling asleep', async () => {
		await clock.run(
			Promise.all([
				sleeper('a', 30, 30),
				sleeper('b', 20, 40),
				sleeper('c', 20, 5),
				sleeper('d', 0),
			]),
		);
		expect(log).toEqual(['d 0', 'b 20', 'c 20', 'c 25', 'a 30', 'b 60', 'a 60']);
	});

	it('advances by no more than it is told', async () => {
		void sleeper('a', 10, 10, 10);
		await clock.advance(25);
		expect(log).toEqual(['a 10', 'a 20']);
		expect(clock.now() - start).toBe(25);
		expect(clock.sleeping).toBe(1);
		await clock.advance(5);
		expect(log).toEqual(['a 10', 'a 20', 'a 30']);
		expect(clock.sleeping).toBe(0);
	});

	it('runs to a result or an error', async () => {
		await expect(clock.run(clock.sleep(86_400_000).then(() => 'done'))).resolves.toBe('done');
		expect(clock.now() - start).toBe(86_400_000);
		const failing = clock.sleep(5).then(() => Promise.reject(new Error('broken')));
		await expect(clock.run(failing)).rejects.toThrow('broken');
	});

	it('does not move for what takes no time, however many steps it has', async () => {
		const steps = async () => {
			for (let step = 0; step < 1000; step++) await null;
			return clock.now() - start;
		};
		void clock.sleep(10);
		await expect(clock.run(steps())).resolves.toBe(0);
		expect(clock.sleeping).toBe(1);
	});

	it('says when time cannot help', async () => {
		await expect(clock.run(new Promise(() => undefined))).rejects.toThrow('nobody sleeps');
	});

	describe('ends what does not end', () => {
		const forever = async (pauseMs: number): Promise<never> => {
			for (;;) await clock.sleep(pauseMs);
		};

		beforeEach(() => clock.witnesses.push(() => 'It asks again and again'));

		it('after many turns', async () => {
			clock.bounds.turns = 1000;
			const told = /^It does not end: 0 requests, 1001 turns, 0\.0 h .*\nIt asks again and again$/;
			await expect(clock.run(forever(1))).rejects.toThrow(told);
			await expect(clock.advance(2000)).rejects.toThrow('It does not end: 0 requests, 2002 turns');
			await expect(clock.advance(10)).resolves.toBeUndefined();
		});

		it('after many turns that take no time', async () => {
			clock.bounds.turns = 1000;
			let isOver = false;
			const held = async () => {
				while (!isOver) await clock.hold(new Promise((resolve) => setImmediate(resolve)));
			};
			await expect(clock.run(held())).rejects.toThrow('It does not end: 0 requests, 1001 turns');
			isOver = true;
		});

		it('after many requests', async () => {
			clock.bounds.requests = 100;
			const asking = async (): Promise<never> => {
				for (;;) await clock.sleep(1).then(() => clock.count());
			};
			await expect(clock.run(asking())).rejects.toThrow('It does not end: 101 requests, ');
		});

		it('after much time, unless it was asked for', async () => {
			const hour = 3_600_000;
			await expect(clock.run(forever(hour))).rejects.toThrow('101.0 h of virtual time');
			await clock.advance(1000 * hour);
			expect(clock.elapsed()).toBe(1101 * hour);
		});
	});

	it('wakes an aborted sleeper with the reason', async () => {
		const abort = new AbortController();
		const sleeping = clock.sleep(1000, abort.signal);
		abort.abort(new Error('stopped'));
		await expect(sleeping).rejects.toThrow('stopped');
		expect(clock.sleeping).toBe(0);
		await expect(clock.sleep(1, abort.signal)).rejects.toThrow('stopped');
		expect(clock.now()).toBe(start);
	});

	it('leaves no listener on a signal', async () => {
		const { signal } = new AbortController();
		const removed = jest.spyOn(signal, 'removeEventListener');
		await clock.run(clock.sleep(1, signal));
		expect(removed).toHaveBeenCalledTimes(1);
	});

	it('stands still while something is held', async () => {
		const work = async () => {
			for (let step = 0; step < 3; step++) {
				// Outside of the virtual time, as HTTP is.
				await clock.hold(new Promise((resolve) => setImmediate(() => setImmediate(resolve))));
				log.push(`work ${clock.now() - start}`);
			}
			await clock.sleep(5);
		};
		const both = Promise.all([work(), sleeper('a', 1)]);
		await clock.run(both);
		expect(log).toEqual(['work 0', 'work 0', 'work 0', 'a 1']);
		expect(clock.now() - start).toBe(5);
	});

	it('goes on when what was held has failed', async () => {
		const failing = clock.hold(Promise.reject(new Error('broken')));
		await expect(clock.run(failing)).rejects.toThrow('broken');
		await expect(clock.run(clock.sleep(1))).resolves.toBeUndefined();
	});
});
