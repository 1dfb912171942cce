import { Durations } from '../../../nodes/shared/limits/durations.ts';
import { jobAccount } from '../../support/jobAccount.mts';
import { VirtualClock } from '../../support/virtualClock.mts';

/** An account whose jobs are done one after another. */
function setUp(behaviour: Parameters<typeof jobAccount>[1] = {}) {
	const clock = new VirtualClock();
	const account = jobAccount(clock, behaviour);
	/** How late the end of each job is seen, s. */
	const lags = async (...seconds: number[]) => {
		const lags = [];
		for (const prompt of seconds) {
			const { at } = await clock.run(account.open().job(prompt));
			lags.push(at - account.made.at(-1)!.endsAt);
		}
		return lags;
	};
	return { clock, account, lags };
}

const HOUR = 3_600_000;

test.each([
	['its creation in a zone an hour behind', { created_at: -HOUR, completed_at: 0 }],
	['its creation a day before', { created_at: -24 * HOUR, completed_at: 0 }],
	['its end in a zone two hours ahead', { created_at: 0, completed_at: 2 * HOUR }],
])('records that tell of %s do not make later jobs wait', async (_, shift) => {
	const shifted = (record: object) => {
		const { created_at: from, completed_at: to } = record as Record<string, string | null>;
		const moved = (time: string, ms: number) => new Date(Date.parse(time) + ms).toISOString();
		const completed_at = to && moved(to, shift.completed_at);
		return { ...record, created_at: moved(from!, shift.created_at), completed_at };
	};
	const { lags } = setUp({ record: shifted });
	for (const lag of await lags(5, 5, 5, 5, 5, 5)) expect(lag).toBeLessThan(2);
});

test('jobs that are picked up a day after they were paid for teach nothing', async () => {
	const { clock, account, lags } = setUp({ record: ({ created_at: _, ...record }: any) => record });
	const contexts = [{}, {}, {}];
	for (const context of contexts) {
		const stop = new AbortController();
		const stopped = account.open({ context, signal: stop.signal }).job(5);
		await clock.advance(1000);
		stop.abort();
		await clock.run(stopped);
	}
	await clock.advance(24 * HOUR);
	for (const context of contexts) await clock.run(account.open({ context }).job(5));
	expect(account.made).toHaveLength(3);
	for (const lag of await lags(5, 5, 5)) expect(lag).toBeLessThan(2);
});

test('where jobs become quicker, that is learned without any word of the service', async () => {
	const { lags } = setUp({ record: ({ created_at: _, ...record }: any) => record });
	await lags(50, 50, 50);
	const later = await lags(5, 5, 5, 5, 5, 5, 5, 5);
	for (const lag of later.slice(-3)) expect(lag).toBeLessThan(6);
});

test('however long jobs have taken, the first poll is planned within a minute', () => {
	const durations = new Durations();
	for (let count = 0; count < 20; count++) durations.note('video', 24 * HOUR);
	expect(durations.typical('video')?.fromMs).toBe(60_000);
});

describe('what is noted of an end that was seen', () => {
	test.each([
		['as its record tells, between the two looks', 4000, 6000, 5200, 5200],
		['between the two looks, where its record tells of another time', 4000, 6000, 86_400_000, 5000],
		['or of a time too short', 4000, 6000, 10, 5000],
		['or of none', 4000, 6000, undefined, 5000],
	])('%s', (_, afterMs, byMs, recordedMs, expected) => {
		const durations = new Durations();
		durations.noteEnd('video', { afterMs, byMs, recordedMs });
		expect(durations.average).toBe(expected);
	});
});
