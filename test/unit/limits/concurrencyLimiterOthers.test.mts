import { ConcurrencyLimiter, type Place } from '../../../nodes/shared/limits/concurrencyLimiter.ts';
import { concurrencyLimiterAmong } from '../../support/limiters.mts';
import { VirtualClock } from '../../support/virtualClock.mts';

/** What the history shows of others who use the account, and how many jobs are started then. */

const owner = {};

let clock: VirtualClock;
let limiter: ConcurrencyLimiter;
let durations: { average: number };
let history: { isUsable: boolean };
/** Places that were handed out, and when, s. */
let places: Place[];
let times: number[];

beforeEach(() => {
	clock = new VirtualClock(0);
	({ limiter, durations, history } = concurrencyLimiterAmong(clock));
	places = [];
	times = [];
});

const startMany = async (count: number) => {
	for (let index = 0; index < count; index++) {
		void limiter.acquire(owner, 100).then((place) => {
			places.push(place);
			times.push(clock.now() / 1000);
		});
	}
	await clock.advance(0);
};

const idsOf = (count: number, name = 'job') =>
	new Set(Array.from({ length: count }, (_, index) => `${name} ${index}`));

/** A look at the history. */
const see = async (count: number, { name = 'job', ended = 0 } = {}) => {
	limiter.seeOthers(idsOf(count, name), ended);
	await clock.advance(0);
};

test.each([
	[0, 5],
	[2, 3],
	[5, 0],
	[7, 0],
])('beside %i jobs of others, %i are started', async (others, started) => {
	await see(others);
	expect(limiter.others).toBe(others);
	await startMany(8);
	expect(places).toHaveLength(started);
});

test('those that the history shows as ended have left their place', async () => {
	await startMany(8);
	await see(2, { ended: 2 });
	places[0]!.release();
	places[1]!.release();
	await clock.advance(0);
	expect(places).toHaveLength(5);
	await see(1);
	expect(places).toHaveLength(6);
});

test('what has become free is taken at once', async () => {
	await see(5);
	await startMany(8);
	await see(0);
	expect(places).toHaveLength(5);
});

describe('jobs of others that stay the same may not be there', () => {
	test('after some times as long as a job takes, one more is tried', async () => {
		durations.average = 20_000;
		await see(5);
		await startMany(2);
		await clock.advance(100_000);
		expect(times).toEqual([80]);
	});

	test.each([
		['another job begins the time anew, the same ones do not', 4, [0, 50]],
		['but not for who has no place at all', 5, [30, 50]],
	])('%s', async (_, others, expected) => {
		await see(others);
		await startMany(2);
		await clock.advance(20_000);
		await see(others, { name: 'another' });
		await clock.advance(20_000);
		await see(others, { name: 'another' });
		await clock.advance(15_000);
		expect(times).toEqual(expected);
	});

	test('each refusal doubles it, up to 8 minutes', async () => {
		history.isUsable = true;
		await see(5);
		for (let tries = 0; tries < 6; tries++) {
			await startMany(1);
			while (places.length === tries) await clock.advance(1000);
			places.at(-1)!.refused();
		}
		expect(times).toEqual([30, 90, 210, 450, 930, 1410]);
	});
});

describe('as long as nobody knows who else uses the account', () => {
	beforeEach(async () => {
		Object.assign(history, { isUsable: true, isFresh: () => false });
		await startMany(8);
	});

	test('one job is started', () => {
		expect(places).toHaveLength(1);
		expect(limiter.isOpening).toBe(true);
	});

	test('then all, where the history does not say', async () => {
		limiter.endOpening();
		await clock.advance(0);
		expect(places).toHaveLength(5);
		expect(limiter.isOpening).toBe(false);
	});

	test('or those that it leaves room for', async () => {
		await see(2);
		expect(places).toHaveLength(3);
		// It has said already.
		limiter.endOpening();
		await clock.advance(0);
		expect(places).toHaveLength(3);
	});
});

test('a look says more where jobs wait that others leave no place for', async () => {
	await startMany(5);
	expect(limiter.isCrowded).toBe(false);
	await startMany(1);
	// All places are its own.
	expect(limiter.isCrowded).toBe(false);
	await see(1);
	expect(limiter.isCrowded).toBe(true);
	await see(0);
	expect(limiter.isCrowded).toBe(false);
});

test('a free place that the history shows ends what a refusal made believe', async () => {
	await see(1);
	await startMany(3);
	places[0]!.refused();
	await startMany(8);
	expect(places).toHaveLength(3);
	await see(2);
	expect(places).toHaveLength(4);
});

test('not where it has never shown anybody, who must be there', async () => {
	await startMany(3);
	places[0]!.refused();
	await startMany(8);
	await see(0);
	expect(places).toHaveLength(3);
});

test('for how long the oldest place has been taken', async () => {
	expect(limiter.oldestMs).toBe(0);
	await clock.advance(1000);
	await startMany(2);
	await clock.advance(500);
	places[0]!.release();
	await startMany(1);
	await clock.advance(250);
	expect(limiter.oldestMs).toBe(750);
});
