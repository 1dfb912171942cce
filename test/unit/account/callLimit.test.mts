import { callLimit } from '../../../nodes/shared/account/callLimit.ts';

/** Work that ends when it is told to. */
function work() {
	let resolve!: (value: string) => void;
	let reject!: (error: Error) => void;
	const promise = new Promise<string>((...ends) => ([resolve, reject] = ends));
	const started = { yes: false };
	const start = async () => {
		started.yes = true;
		return await promise;
	};
	return { start, started, resolve, reject };
}

const settle = async () => await new Promise((resolve) => setImmediate(resolve));

test('so many at once; the others start in their order, also after one that fails', async () => {
	const limit = callLimit(2);
	const works = [work(), work(), work(), work()];
	const results = works.map(async ({ start }) => await limit(start));
	const failed = expect(results[0]).rejects.toThrow('broken');
	const running = () => works.map(({ started }) => started.yes);
	await settle();
	expect(running()).toEqual([true, true, false, false]);
	works[0]!.reject(new Error('broken'));
	await settle();
	expect(running()).toEqual([true, true, true, false]);
	works[1]!.resolve('second');
	await settle();
	expect(running()).toEqual([true, true, true, true]);
	works[2]!.resolve('third');
	works[3]!.resolve('fourth');
	await failed;
	expect(await Promise.all(results.slice(1))).toEqual(['second', 'third', 'fourth']);
});

test('who comes while a place is handed over does not come in between', async () => {
	const limit = callLimit(1);
	const order: string[] = [];
	const first = work();
	const one = limit(first.start);
	const two = limit(async () => order.push('waited'));
	first.resolve('');
	await one;
	await Promise.all([limit(async () => order.push('came later')), two]);
	expect(order).toEqual(['waited', 'came later']);
});
