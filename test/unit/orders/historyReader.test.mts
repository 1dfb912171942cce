import { accountOf } from '../../../nodes/shared/orders/account.ts';
import { VirtualClock } from '../../support/virtualClock.mts';
import { listed, watchedJobs } from '../../support/watchedJobs.mts';

let clock: VirtualClock;

beforeEach(() => {
	clock = new VirtualClock();
});

const within = (times: number[], from: number, to: number) =>
	times.filter((at) => at >= from && at < to);

test('several jobs are looked at with one request', async () => {
	const ends = { a: 25, b: 25, c: 25, d: 25, e: 25 };
	const { waitFor, asked, read } = watchedJobs(clock, { ends });
	await clock.run(Promise.all(Object.keys(ends).map((id) => waitFor(id))));
	for (const id of Object.keys(ends)) expect(within(read(id), 1, 25)).toEqual([]);
	expect(within(asked(), 1, 25).length).toBeGreaterThan(10);
});

test('one job alone is read by itself', async () => {
	const { waitFor, asked, read } = watchedJobs(clock, { ends: { a: 25 } });
	await clock.run(waitFor('a'));
	expect(asked()).toEqual([]);
	expect(read('a').length).toBeGreaterThan(5);
});

test('and so is the one that is left when the others have ended', async () => {
	const { waitFor, asked } = watchedJobs(clock, { ends: { a: 10, b: 29 } });
	const [a] = await clock.run(Promise.all([waitFor('a'), waitFor('b')]));
	expect(within(asked(), a!.at, Infinity)).toEqual([]);
});

test('an end that the history tells of is confirmed at once by the job’s own status', async () => {
	const status = (state: string, id: string) => ({ status: state, url: `https://cdn/${id}` });
	const { waitFor, asked, read } = watchedJobs(clock, { ends: { a: 10, b: 60 }, status });
	const waiting = Promise.all([waitFor('a'), waitFor('b')]);
	await clock.advance(20_000);
	const told = asked().find((at) => at + 0.05 >= 10)!;
	expect(within(read('a'), 1, 60)).toHaveLength(1);
	expect(read('a').at(-1)! - told).toBeLessThan(0.5);
	const [{ end }] = await clock.run(waiting);
	expect(end).toMatchObject({ state: 'completed', record: { url: 'https://cdn/a' } });
});

test('a failure that the history tells of, too', async () => {
	const history = (states: Record<string, string>) => listed({ ...states, a: 'failed' });
	const status = (state: string, id: string) =>
		id === 'a' ? { status: 'failed', error_message: 'no luck' } : { status: state };
	const { waitFor } = watchedJobs(clock, { ends: { a: 99, b: 5 }, history, status });
	const [{ end }] = await clock.run(Promise.all([waitFor('a'), waitFor('b')]));
	expect(end).toMatchObject({ kind: 'failed', message: 'Job a failed: no luck' });
});

test.each([0.2, 3, 8, 14, 25, 40, 90])(
	'a job of %i s among others is found about as soon as one alone',
	async (seconds) => {
		const ends = { a: seconds, b: 200, c: 200 };
		const { waitFor } = watchedJobs(clock, { ends });
		const all = [waitFor('a'), waitFor('b'), waitFor('c')];
		const { at } = await clock.run(all[0]!);
		expect(at - seconds).toBeLessThan(1 + seconds / 8);
	},
);

test('a job that has just begun is read by itself', async () => {
	const { waitFor, read, asked } = watchedJobs(clock, { ends: { a: 60, b: 60, c: 0 } });
	void Promise.all([waitFor('a'), waitFor('b')]);
	await clock.advance(10_000);
	const before = asked().length;
	const { at } = await clock.run(waitFor('c'));
	expect(at).toBeLessThan(10.1);
	expect(read('c')).toEqual([10]);
	expect(asked()).toHaveLength(before);
});

test('a job that cannot have ended yet is heard of when the history is asked for others', async () => {
	const { waitFor, read } = watchedJobs(clock, { ends: { a: 5, b: 60, c: 60 } });
	const typical = { fromMs: 30_000, toMs: 45_000 };
	void Promise.all([waitFor('b'), waitFor('c')]);
	const { at } = await clock.run(waitFor('a', { typical }));
	expect(at).toBeLessThan(7);
	expect(read('a')).toHaveLength(1);
});

test('nor does it make the history be asked', async () => {
	const { waitFor, asked } = watchedJobs(clock, { ends: { a: 20, b: 20 } });
	const typical = { fromMs: 30_000, toMs: 45_000 };
	void Promise.all([waitFor('a', { typical }), waitFor('b', { typical })]);
	await clock.advance(29_000);
	expect(asked()).toEqual([]);
});

test('nor do it and one other', async () => {
	const { waitFor, asked } = watchedJobs(clock, { ends: { a: 20, b: 40 } });
	const typical = { fromMs: 30_000, toMs: 45_000 };
	void Promise.all([waitFor('a'), waitFor('b', { typical })]);
	await clock.advance(25_000);
	expect(asked()).toEqual([]);
});

test('nor a job that it does not list, and one other', async () => {
	const history = ({ a }: Record<string, string>) => listed({ a: a! });
	const { waitFor, asked } = watchedJobs(clock, { ends: { a: 29, b: 29 }, history });
	void Promise.all([waitFor('a'), waitFor('b')]);
	await clock.advance(25_000);
	expect(asked()).toHaveLength(1);
});

test('a job that the history does not list is read by itself; the others are not', async () => {
	const history = ({ a, b }: Record<string, string>) => listed({ a: a!, b: b! });
	const { waitFor, read } = watchedJobs(clock, { ends: { a: 29, b: 29, c: 15 }, history });
	const all = Promise.all(['a', 'b', 'c'].map((id) => waitFor(id)));
	const [, , c] = await clock.run(all);
	// Polls are spread, and those of the others are as many.
	expect(c!.at).toBeLessThan(18);
	expect(within(read('c'), 1, 15).length).toBeGreaterThan(5);
	expect(within(read('a'), 1, 28)).toEqual([]);
});

test('whatever the history says, a job is read by itself when 30 s have passed', async () => {
	const { waitFor, read } = watchedJobs(clock, { ends: { a: 200, b: 200 } });
	await clock.run(Promise.all([waitFor('a'), waitFor('b')]));
	const checks = [0, ...within(read('a'), 1, 200)];
	const pauses = checks.slice(1).map((at, index) => at - checks[index]!);
	expect(Math.min(...pauses)).toBeGreaterThan(29);
	// With the gap to the next look.
	expect(Math.max(...pauses)).toBeLessThan(41);
});

test('whoever waits for what another has asked goes on after 3 s, if that does not come', async () => {
	const history = () => clock.sleep(30_000);
	const { waitFor, asked } = watchedJobs(clock, { ends: { a: 2, b: 2 }, history });
	const times = await clock.run(Promise.all([waitFor('a'), waitFor('b')]));
	const first = Math.min(...times.map(({ at }) => at));
	expect(first - asked()[0]!).toBeLessThan(3.2);
});

test('an answer that makes something go wrong ends nothing: the jobs are read by themselves', async () => {
	const history = (states: Record<string, string>) => listed(states);
	const { waitFor, loop } = watchedJobs(clock, { ends: { a: 20, b: 20 }, history });
	jest.spyOn(loop.places, 'seeOthers').mockImplementationOnce(() => {
		throw new TypeError('made to fail');
	});
	const [a, b] = await clock.run(Promise.all([waitFor('a'), waitFor('b')]));
	expect([a!.end, b!.end]).toEqual([
		expect.objectContaining({ state: 'completed' }),
		expect.objectContaining({ state: 'completed' }),
	]);
});

test('of a history that shows other jobs each time, no more and more is remembered', async () => {
	let shown = 0;
	const others = () => Array.from({ length: 100 }, () => [`other ${shown++}`, 'processing']);
	const history = (states: Record<string, string>) =>
		listed({ ...states, ...(Object.fromEntries(others()) as Record<string, string>) });
	const { waitFor, service } = watchedJobs(clock, { ends: { a: 600, b: 600 }, history });
	await clock.run(Promise.all([waitFor('a'), waitFor('b')]));
	const remembered = Object.values(accountOf(service.account, clock).historyReader).map((value) =>
		Number((value as Partial<Set<unknown>>).size ?? 0),
	);
	expect(shown).toBeGreaterThan(10_000);
	expect(Math.max(...remembered)).toBeLessThan(300);
});
