import { Batch, NotStarted } from '../../../nodes/shared/orders/batch.ts';
import { VirtualClock } from '../../support/virtualClock.mts';

test('at most so many at once, results in input order', async () => {
	const clock = new VirtualClock();
	let running = 0;
	let most = 0;
	const work = async (seconds: number) => {
		most = Math.max(most, ++running);
		await clock.sleep(seconds * 1000);
		running--;
		return seconds;
	};
	const start = clock.now();
	const items = [9, 1, 1, 1, 1, 1, 1, 1];
	const results = await clock.run(new Batch(true).settle(items, work, 2));
	expect(results).toEqual(items.map((value) => ({ value })));
	expect(most).toBe(2);
	expect(clock.now() - start).toBe(9000);
});

test('after a failure nothing new begins, but what has begun ends', async () => {
	const clock = new VirtualClock();
	const work = async (item: string) => {
		await clock.sleep(item === 'bad' ? 1000 : 5000);
		if (item === 'bad') throw new Error('bad');
		return item;
	};
	const items = ['good', 'bad', 'never'];
	const results = await clock.run(new Batch(false).settle(items, work, 2));
	expect(results).toEqual([{ value: 'good' }, { error: new Error('bad') }, { skipped: true }]);
});

test('or everything begins, if asked', async () => {
	const work = async (item: string) => {
		if (item === 'bad') throw new Error('bad');
		return item;
	};
	const results = await new Batch(true).settle(['bad', 'good'], work, 1);
	expect(results).toEqual([{ error: new Error('bad') }, { value: 'good' }]);
});

test('what waits for its turn when another item fails can leave without a trace', async () => {
	const clock = new VirtualClock();
	const batch = new Batch(false);
	const work = async (seconds: number) => {
		await clock.sleep(seconds * 1000);
		if (seconds === 1) throw new Error('bad');
		if (batch.stopCreating.aborted) throw new NotStarted();
		return seconds;
	};
	const results = await clock.run(batch.settle([1, 2], work, 2));
	expect(results).toEqual([{ error: new Error('bad') }, { skipped: true }]);
});

test('what was not begun is no failure', async () => {
	const batch = new Batch(false);
	const work = async (item: string) => {
		if (item === 'called off') throw new NotStarted();
		return item;
	};
	const results = await batch.settle(['called off', 'good'], work, 1);
	expect(results).toEqual([{ skipped: true }, { value: 'good' }]);
	expect(new NotStarted()).toMatchObject({ name: 'NotStarted', message: 'Not started' });
});

test('the next item is begun where one that goes on has given its place away', async () => {
	const clock = new VirtualClock();
	const begun: number[] = [];
	const batch = new Batch(true);
	const work = async (item: number, goOn: () => void) => {
		begun.push(item);
		await clock.sleep(1000);
		goOn();
		await clock.sleep(60_000);
		return item;
	};
	const all = batch.settle([1, 2, 3, 4, 5], work, 2);
	expect({ begun, left: batch.left }).toEqual({ begun: [1, 2], left: 3 });
	await clock.advance(1000);
	expect({ begun, left: batch.left }).toEqual({ begun: [1, 2, 3, 4], left: 1 });
	expect(await clock.run(all)).toEqual([1, 2, 3, 4, 5].map((value) => ({ value })));
});

test('what fails after it has given its place away ends the batch, and the others end', async () => {
	const clock = new VirtualClock();
	const batch = new Batch(false);
	const work = async (item: string, goOn: () => void) => {
		goOn();
		await clock.sleep(item === 'bad' ? 1000 : 5000);
		if (item === 'bad') throw new Error('bad');
		await clock.sleep(0);
		return item;
	};
	const all = batch.settle(['good', 'bad'], work, 1);
	expect(await clock.run(all)).toEqual([{ value: 'good' }, { error: new Error('bad') }]);
	expect(batch.left).toBe(0);
});

test('some may be begun before the others; results are in input order', async () => {
	const begun: string[] = [];
	const work = async (item: string) => void begun.push(item);
	const results = await new Batch(true).settle(['a', 'b', 'c'], work, 1, new Set(['c']));
	expect(begun).toEqual(['c', 'a', 'b']);
	expect(results).toHaveLength(3);
});
