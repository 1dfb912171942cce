import { SharedReads } from '../../../nodes/shared/trigger/triggerService.ts';
import { MachineClock } from '../../support/machineClock.mts';
import { VirtualClock } from '../../support/virtualClock.mts';

const KEPT_MS = 20_000;

const page = (offset = 0) => `page at ${offset}`;

let clock: VirtualClock;
let machine: MachineClock;
let reads: SharedReads;
let sent: number;

beforeEach(() => {
	clock = new VirtualClock();
	machine = new MachineClock(clock);
	sent = 0;
	reads = new SharedReads(machine);
});

/** Gives the number of the request that was sent. */
const read = async (request = page(), answer: () => Promise<void> = async () => {}) =>
	await reads.read(
		request,
		async () => {
			const number = ++sent;
			await answer();
			return number;
		},
		() => KEPT_MS,
	);

it('an answer serves for a while', async () => {
	expect([await read(), await read()]).toEqual([1, 1]);
	await clock.advance(KEPT_MS - 1);
	expect(await read()).toBe(1);
	await clock.advance(1);
	expect(await read()).toBe(2);
});

it('each page has its own', async () => {
	expect([await read(page(0)), await read(page(100)), await read(page(0))]).toEqual([1, 2, 1]);
});

it('several who ask at once wait for one answer, however long it takes', async () => {
	const slow = async () => await clock.sleep(10 * KEPT_MS);
	const all = [
		read(page(), slow),
		clock.sleep(9 * KEPT_MS).then(async () => await read(page(), slow)),
	];
	expect(await clock.run(Promise.all(all))).toEqual([1, 1]);
});

it('all of them meet its fault, and nothing is kept of it', async () => {
	const failing = async () => {
		await clock.sleep(1000);
		throw new Error('broken');
	};
	const all = Promise.allSettled([read(page(), failing), read(page(), failing)]);
	const settled = await clock.run(all);
	expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
	expect(sent).toBe(1);
	expect(await read()).toBe(2);
});

it('no answer serves from before the machine slept', async () => {
	await read();
	clock.suspend(3_600_000);
	expect(await read()).toBe(2);
});

it.each([-3_600_000, -1])(
	'an answer serves as long where the clock is set by %i ms',
	async (ms) => {
		await read();
		machine.set(ms);
		await clock.advance(KEPT_MS - 1000);
		expect(await read()).toBe(1);
		await clock.advance(1000);
		expect(await read()).toBe(2);
	},
);

it('does not grow without end', async () => {
	for (let offset = 0; offset < 1000; offset++) await read(page(offset));
	const { kept } = reads as unknown as { kept: Map<string, unknown> };
	expect(kept.size).toBeLessThanOrEqual(200);
	expect(await read(page(999))).toBe(1000);
});
