import { ConcurrencyLimiter, type Place } from '../../../nodes/shared/limits/concurrencyLimiter.ts';
import { concurrencyLimiterAmong } from '../../support/limiters.mts';
import { VirtualClock } from '../../support/virtualClock.mts';

const [anna, bert, cleo] = [{ run: 'anna' }, { run: 'bert' }, { run: 'cleo' }];

let clock: VirtualClock;
let limiter: ConcurrencyLimiter;
/** Places of the jobs that have started, by name, in that order. */
let held: Map<string, Place>;

beforeEach(() => {
	clock = new VirtualClock(0);
	({ limiter } = concurrencyLimiterAmong(clock));
	held = new Map();
});

type Options = Parameters<ConcurrencyLimiter['acquire']>[2] & { limit?: number };

const start = async (name: string, owner: object, { limit = 100, ...options }: Options = {}) => {
	held.set(name, await limiter.acquire(owner, limit, options));
};

const startMany = (count: number, name: string, owner: object, options?: Options) => {
	for (let index = 0; index < count; index++) void start(`${name}${index}`, owner, options);
};

const end = async (name: string) => {
	held.get(name)!.release();
	await clock.advance(0);
};

/** Names of the jobs that have started, once all that can happen now has happened. */
const started = async () => {
	await clock.advance(0);
	return [...held.keys()];
};

test('5 jobs run at most, and the next starts the moment one ends', async () => {
	startMany(8, 'a', anna);
	expect(await started()).toEqual(['a0', 'a1', 'a2', 'a3', 'a4']);
	await end('a3');
	expect(await started()).toEqual(['a0', 'a1', 'a2', 'a3', 'a4', 'a5']);
	await end('a0');
	await end('a1');
	expect((await started()).slice(6)).toEqual(['a6', 'a7']);
	expect(clock.now()).toBe(0);
});

test('of all runs together', async () => {
	startMany(3, 'a', anna);
	startMany(3, 'b', bert);
	expect(await started()).toHaveLength(5);
});

test('a run that comes later with one job gets the next place, although 500 wait', async () => {
	startMany(500, 'a', anna);
	await started();
	startMany(1, 'b', bert);
	expect(await started()).toHaveLength(5);
	await end('a2');
	expect((await started()).at(-1)).toBe('b0');
});

test('two long runs come to share the places', async () => {
	startMany(100, 'a', anna);
	await started();
	startMany(100, 'b', bert);
	const running = await started();
	for (let count = 0; count < 50; count++) {
		await end(running.shift()!);
		running.push((await started()).at(-1)!);
	}
	const ofAnna = running.filter((name) => name.startsWith('a')).length;
	expect([2, 3]).toContain(ofAnna);
});

test('of runs with equally many, who was served least recently comes first', async () => {
	startMany(5, 'a', anna);
	startMany(2, 'b', bert);
	startMany(2, 'c', cleo);
	await started();
	for (const name of ['a0', 'a1', 'a2', 'a3']) await end(name);
	expect((await started()).slice(5)).toEqual(['b0', 'c0', 'b1', 'c1']);
});

test('a run has no more running than it wants to, and leaves the rest to others', async () => {
	startMany(9, 'a', anna, { limit: 2 });
	startMany(9, 'b', bert);
	expect(await started()).toEqual(['a0', 'a1', 'b0', 'b1', 'b2']);
	await end('b0');
	expect((await started()).at(-1)).toBe('b3');
	await end('a0');
	expect((await started()).at(-1)).toBe('a2');
});

test('places that a limited run leaves stay free for who comes', async () => {
	startMany(9, 'a', anna, { limit: 2 });
	expect(await started()).toEqual(['a0', 'a1']);
	startMany(1, 'b', bert);
	expect((await started()).at(-1)).toBe('b0');
});

test('a place is given back once', async () => {
	startMany(7, 'a', anna);
	await started();
	await end('a0');
	await end('a0');
	held.get('a0')!.refused();
	expect(await started()).toHaveLength(6);
	await clock.advance(60_000);
	expect(await started()).toHaveLength(6);
});

test('a job that was refused once goes before the others of its run, not before other runs', async () => {
	startMany(5, 'a', anna);
	startMany(2, 'b', bert);
	startMany(2, 'c', cleo);
	void start('again', cleo, { isFirst: true });
	await started();
	for (const name of ['a0', 'a1', 'a2', 'a3']) await end(name);
	expect((await started()).slice(5)).toEqual(['b0', 'again', 'b1', 'c0']);
});

test('tells how many run and how many wait', async () => {
	const counts = () => ({ running: limiter.running, waiting: limiter.waiting });
	startMany(4, 'a', anna);
	limiter.occupy(bert);
	startMany(2, 'b', bert);
	await started();
	expect(counts()).toEqual({ running: 5, waiting: 2 });
	await end('a0');
	await end('a1');
	await end('a2');
	expect(counts()).toEqual({ running: 4, waiting: 0 });
});

describe('a job that runs already', () => {
	test('takes a place', async () => {
		limiter.occupy(anna);
		startMany(5, 'b', bert);
		expect(await started()).toHaveLength(4);
	});

	test('whether one is free or not; then more have to end before another starts', async () => {
		startMany(5, 'a', anna);
		await started();
		const found = [limiter.occupy(bert), limiter.occupy(bert)];
		startMany(1, 'c', cleo);
		await end('a0');
		found[0]!.release();
		expect(await started()).toHaveLength(5);
		await end('a1');
		expect((await started()).at(-1)).toBe('c0');
	});

	test('counts for the limit of its run', async () => {
		limiter.occupy(anna);
		startMany(3, 'a', anna, { limit: 2 });
		expect(await started()).toEqual(['a0']);
	});
});

describe('a signal', () => {
	test('ends the waiting with its reason; others move up', async () => {
		const stop = new AbortController();
		startMany(5, 'a', anna);
		await started();
		const stopped = start('stopped', bert, { signal: stop.signal });
		startMany(1, 'c', cleo);
		const reason = new Error('stopped');
		stop.abort(reason);
		await expect(stopped).rejects.toBe(reason);
		await end('a0');
		expect((await started()).slice(5)).toEqual(['c0']);
	});

	test('that has fired before keeps a job from starting though places are free', async () => {
		const signal = AbortSignal.abort(new Error('stopped'));
		await expect(start('never', anna, { signal })).rejects.toThrow('stopped');
		startMany(6, 'a', anna);
		expect(await started()).toHaveLength(5);
	});
});

test('jobs that have not got in line yet count among those that wait', async () => {
	let left = 90;
	const noMore = limiter.expect({}, () => left);
	for (let count = 0; count < 7; count++) void limiter.acquire({}, 5);
	expect(limiter.waiting).toBe(2 + 90);
	left = 10;
	expect(limiter.waiting).toBe(2 + 10);
	noMore();
	expect(limiter.waiting).toBe(2);
});
