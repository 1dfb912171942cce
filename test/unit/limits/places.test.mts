import type { AccountLoop } from '../../../nodes/shared/limits/accountLoop.ts';
import type { Place } from '../../../nodes/shared/limits/places.ts';
import { loopAmong } from '../../support/limiters.mts';
import { VirtualClock } from '../../support/virtualClock.mts';

/** Who gets a place for a job, and when. From the document: 5 generations run at the same time. */

const [anna, bert, cleo] = [{ run: 'anna' }, { run: 'bert' }, { run: 'cleo' }];

let clock: VirtualClock;
let loop: AccountLoop;
let history: { isUsable: boolean };
/** Places of the jobs that have started, by name, in that order; and when, s. */
let held: Map<string, Place>;
let times: number[];

beforeEach(() => {
	clock = new VirtualClock(0);
	({ loop, history } = loopAmong(clock));
	held = new Map();
	times = [];
});

type Options = Parameters<AccountLoop['place']>[2] & { most?: number };

const start = async (name: string, owner: object, { most = 100, ...options }: Options = {}) => {
	held.set(name, await loop.place(owner, most, options));
	times.push(clock.now() / 1000);
};

const startMany = (count: number, name: string, owner: object = anna, options?: Options) => {
	for (let index = 0; index < count; index++) void start(`${name}${index}`, owner, options);
};

/** Names of the jobs that have started, once all that can happen now has happened. */
const started = async () => {
	await clock.advance(0);
	return [...held.keys()];
};

const end = async (...names: string[]) => {
	for (const name of names) {
		held.get(name)!.release();
		await clock.advance(0);
	}
};

test('5 jobs run at most, and the next starts the moment one ends', async () => {
	startMany(8, 'a');
	expect(await started()).toEqual(['a0', 'a1', 'a2', 'a3', 'a4']);
	await end('a3');
	expect(await started()).toEqual(['a0', 'a1', 'a2', 'a3', 'a4', 'a5']);
	await end('a0', 'a1');
	expect((await started()).slice(6)).toEqual(['a6', 'a7']);
	expect(clock.now()).toBe(0);
});

test('a place is given back once', async () => {
	startMany(7, 'a');
	await started();
	await end('a0', 'a0');
	held.get('a0')!.refused();
	expect(await started()).toHaveLength(6);
	await clock.advance(60_000);
	expect(await started()).toHaveLength(6);
});

describe('of several runs', () => {
	test('5 jobs run together', async () => {
		startMany(3, 'a');
		startMany(3, 'b', bert);
		expect(await started()).toHaveLength(5);
	});

	test('one that comes later with one job gets the next place, although 500 wait', async () => {
		startMany(500, 'a');
		await started();
		startMany(1, 'b', bert);
		await end('a2');
		expect((await started()).slice(5)).toEqual(['b0']);
	});

	test('two long ones come to share the places', async () => {
		startMany(100, 'a');
		await started();
		startMany(100, 'b', bert);
		const running = await started();
		for (let count = 0; count < 50; count++) {
			await end(running.shift()!);
			running.push((await started()).at(-1)!);
		}
		expect([2, 3]).toContain(running.filter((name) => name.startsWith('a')).length);
	});

	test('with equally many, who was served least recently comes first; a refused job before others of its run', async () => {
		startMany(1, 'first', cleo);
		startMany(4, 'a');
		startMany(2, 'c', cleo);
		startMany(2, 'b', bert);
		void start('again', cleo, { isFirst: true });
		await started();
		await end('first0', 'a0', 'a1', 'a2');
		expect((await started()).slice(5)).toEqual(['again', 'b0', 'c0', 'b1']);
	});

	test('one has no more running than it wants to, and leaves the rest to others, also to who comes later', async () => {
		startMany(9, 'a', anna, { most: 2 });
		expect(await started()).toEqual(['a0', 'a1']);
		startMany(9, 'b', bert);
		expect((await started()).slice(2)).toEqual(['b0', 'b1', 'b2']);
		await end('b0', 'a0');
		expect((await started()).slice(5)).toEqual(['b3', 'a2']);
	});

	test('what one that is over leaves behind takes a place, and counts for no limit', async () => {
		startMany(2, 'a', anna, { most: 2 });
		await started();
		loop.leave(anna);
		startMany(5, 'b', anna, { most: 2 });
		expect((await started()).slice(2)).toEqual(['b0', 'b1']);
		startMany(5, 'c', bert);
		expect((await started()).slice(4)).toEqual(['c0']);
	});
});

test('a job that runs already takes a place of its run, whether one is free or not', async () => {
	loop.occupy(anna);
	startMany(3, 'a', anna, { most: 2 });
	startMany(9, 'b', bert);
	expect(await started()).toEqual(['a0', 'b0', 'b1', 'b2']);
	const found = loop.occupy(cleo);
	await end('b0');
	expect(await started()).toHaveLength(4);
	found.release();
	expect((await started()).slice(4)).toEqual(['b3']);
});

describe('a signal', () => {
	test('ends the waiting with its reason, during a pause too; others move up', async () => {
		const stop = new AbortController();
		startMany(5, 'a');
		await started();
		const stopped = start('stopped', bert, { signal: stop.signal });
		startMany(1, 'c', cleo);
		held.get('a1')!.refused(5000);
		const reason = new Error('stopped');
		stop.abort(reason);
		await expect(stopped).rejects.toBe(reason);
		expect(clock.now()).toBe(0);
		await end('a0');
		await clock.advance(5000);
		expect((await started()).slice(5)).toEqual(['c0']);
	});

	test('that has fired before keeps a job from starting though places are free', async () => {
		const signal = AbortSignal.abort(new Error('stopped'));
		await expect(start('never', anna, { signal })).rejects.toThrow('stopped');
		startMany(6, 'a');
		expect(await started()).toHaveLength(5);
	});
});

describe('a creation that is refused (429)', () => {
	const take = () => clock.run(loop.place(anna, 100));

	const takeMany = async (count: number) => {
		const all: Place[] = [];
		while (all.length < count) all.push(await take());
		return all;
	};

	/** When the next place is handed out, s. */
	async function nextAt(): Promise<number> {
		await take();
		return clock.now() / 1000;
	}

	/** So many are refused one after another, each as soon as it has a place: when, s. */
	async function refuseMany(count: number, retryAfterMs?: number): Promise<number[]> {
		const tries = [];
		while (tries.length < count) {
			const place = await take();
			tries.push(clock.now() / 1000);
			place.refused(retryAfterMs);
		}
		return tries;
	}

	const create = () => {
		loop.places.creationSent();
		loop.places.creationAnswered(true);
		loop.serve();
	};

	test('is tried after 1, 2, 4, 8, 16 and 30 seconds, with nothing running', async () => {
		expect(await refuseMany(7)).toEqual([0, 1, 3, 7, 15, 31, 61]);
	});

	test('and after 1 second again, once one has succeeded', async () => {
		await refuseMany(3);
		(await take()).release();
		create();
		const [first, second] = await refuseMany(2);
		expect(second! - first!).toBe(1);
	});

	test.each([
		['Retry-After is kept', 7000, [0, 7, 14]],
		['for 5 minutes at most', 86_400_000, [0, 300, 600]],
	])('%s', async (_, retryAfterMs, tries) => {
		expect(await refuseMany(3, retryAfterMs)).toEqual(tries);
	});

	test('no more are started than run by then, until one ends', async () => {
		const [first, , refused] = await takeMany(3);
		refused!.refused();
		startMany(1, 'next');
		await clock.advance(5000);
		expect(times).toEqual([]);
		first!.release();
		await started();
		expect(times).toEqual([5]);
	});

	test('or 10 s have passed: one more is tried, and one more after another 10 s', async () => {
		(await takeMany(3))[2]!.refused();
		expect([await nextAt(), await nextAt(), await nextAt()]).toEqual([10, 20, 30]);
	});

	test('never more than 5', async () => {
		(await take()).refused();
		await clock.advance(3_600_000);
		await takeMany(5);
		startMany(1, 'next');
		await clock.advance(3_600_000);
		expect(times).toEqual([]);
	});

	test('with each creation that succeeds, one more is tried at once', async () => {
		(await takeMany(3))[2]!.refused();
		await clock.advance(1000);
		startMany(2, 'next');
		create();
		await started();
		expect(times).toEqual([1]);
	});

	test.each([
		['makes an end of a guessed pause', undefined, 0.3],
		['does not make an end of one that was asked for', 5000, 5],
	])('a job that ends %s', async (_, retryAfterMs, at) => {
		const [first, refused] = await takeMany(2);
		refused!.refused(retryAfterMs);
		await clock.advance(300);
		first!.release();
		expect(await nextAt()).toBe(at);
	});

	test.each<[string, Array<number | undefined>, number[]]>([
		['one counts', [undefined, undefined, undefined], [1, 3]],
		['a guess does not shorten what was asked for', [5000, undefined], [5]],
		['nor does what another asks for', [9000, 2000], [9]],
	])('of several together %s', async (_, asked, tries) => {
		const places = await takeMany(asked.length);
		for (const [index, place] of places.entries()) place.refused(asked[index]);
		expect(await refuseMany(tries.length)).toEqual(tries);
	});

	test('beside 3 jobs of another process 2 are kept running, and all 5 once those have ended', async () => {
		let others = 3;
		let running = 0;
		const counts: number[] = [];
		const job = async () => {
			for (;;) {
				const place = await loop.place(anna, 100);
				if (running + others >= 5) {
					place.refused();
					continue;
				}
				create();
				running += 1;
				await clock.sleep(20_000);
				running -= 1;
				return place.release();
			}
		};
		void Promise.all(Array.from({ length: 200 }, job));
		for (let second = 0; second < 240; second++) {
			if (second === 120) others = 0;
			await clock.advance(1000);
			counts.push(running);
		}
		expect(new Set(counts.slice(0, 119))).toEqual(new Set([2]));
		expect(new Set(counts.slice(150))).toEqual(new Set([5]));
	});
});

describe('beside jobs of others', () => {
	/** A look at the history. */
	const see = async (count: number, { name = 'job', ended = 0 } = {}) => {
		const ids = Array.from({ length: count }, (_, index) => `${name} ${index}`);
		loop.history.ask();
		loop.history.answered();
		loop.places.seeOthers(new Set(ids), ended);
		loop.serve();
		await clock.advance(0);
	};

	test.each([
		[0, 5],
		[2, 3],
		[5, 0],
		[7, 0],
	])('%i of them: %i are started', async (others, expected) => {
		await see(others);
		startMany(8, 'a');
		expect(await started()).toHaveLength(expected);
		await see(0);
		expect(await started()).toHaveLength(5);
	});

	test('those that the history shows as ended have left their place', async () => {
		startMany(8, 'a');
		await started();
		await see(2, { ended: 2 });
		await end('a0', 'a1');
		expect(await started()).toHaveLength(5);
		await see(1);
		expect(await started()).toHaveLength(6);
	});

	test('that stay the same for a minute, one more is tried', async () => {
		await see(5);
		startMany(2, 'a');
		await clock.advance(100_000);
		expect(times).toEqual([60]);
	});

	test.each([
		['another job begins the time anew, the same ones do not', 4, [0, 80]],
		['but not for who has no place at all', 5, [60, 80]],
	])('%s', async (_, others, expected) => {
		await see(others);
		startMany(2, 'a');
		await clock.advance(20_000);
		await see(others, { name: 'another' });
		await clock.advance(50_000);
		await see(others, { name: 'another' });
		await clock.advance(15_000);
		expect(times).toEqual(expected);
	});

	/** Waits until one more is tried, while looks show five jobs of others, each with the name of its own. */
	const untilTry = async (nameAt: (ms: number) => string) => {
		const tries = times.length;
		startMany(1, `try ${tries} `);
		for (; times.length === tries; await see(5, { name: nameAt(clock.now()) })) {
			await clock.advance(1000);
		}
		return [...held.values()].at(-1)!;
	};

	const changing = (ms: number) => `job at ${ms}, `;

	test.each<[string, (ms: number) => string]>([
		['each refusal doubles that time, up to 8 minutes', () => 'job'],
		['also for who has no place at all, while others come and go', changing],
	])('%s', async (_, nameAt) => {
		await see(5);
		history.isUsable = true;
		for (let tries = 0; tries < 6; tries++) (await untilTry(nameAt)).refused();
		expect(times).toEqual([60, 180, 420, 900, 1380, 1860]);
	});

	test.each<[string, (place: Place) => Promise<void> | void]>([
		['it is a minute again once one was tried with success', (place) => place.release()],
		[
			'and once others have left',
			async (place) => {
				place.refused();
				await see(0);
			},
		],
	])('%s', async (_, then) => {
		await see(5);
		history.isUsable = true;
		(await untilTry(changing)).refused();
		await then(await untilTry(changing));
		await see(5);
		await untilTry(changing);
		expect(times).toEqual([60, 180, 240]);
	});

	test('of the free places that the history shows after a refusal, one is taken, and one more with each success', async () => {
		await see(1);
		startMany(3, 'a');
		await started();
		held.get('a0')!.refused();
		startMany(8, 'b');
		expect(await started()).toHaveLength(3);
		await see(1);
		expect(await started()).toHaveLength(4);
		loop.places.creationSent();
		loop.places.creationAnswered(true);
		loop.serve();
		expect(await started()).toHaveLength(5);
	});

	test('not where it has never shown anybody, who must be there', async () => {
		startMany(3, 'a');
		await started();
		held.get('a0')!.refused();
		startMany(8, 'b');
		await see(0);
		expect(await started()).toHaveLength(3);
	});

	describe('as long as nobody has looked', () => {
		beforeEach(async () => {
			history.isUsable = true;
			startMany(8, 'a');
			expect(await started()).toHaveLength(1);
		});

		test('one job is started, then all, where the history does not say', async () => {
			loop.places.doWithoutFirstLook();
			loop.serve();
			expect(await started()).toHaveLength(5);
		});

		test('or those that it leaves room for', async () => {
			await see(2);
			// It has said already.
			loop.places.doWithoutFirstLook();
			loop.serve();
			expect(await started()).toHaveLength(3);
		});
	});
});
