import { HistoryTrust, type OutcomeReader } from '../../../nodes/shared/orders/historyTrust.ts';
import type { JobSnapshot } from '../../../nodes/shared/orders/job.ts';
import { ShownHistory } from '../../../nodes/shared/limits/shownHistory.ts';
import { jobAccount } from '../../support/jobAccount.mts';
import { VirtualClock } from '../../support/virtualClock.mts';

/** What makes an entry of the history as good as the record of its job. */

let clock: VirtualClock;
let history: ShownHistory;
let trust: HistoryTrust;

beforeEach(() => {
	clock = new VirtualClock(0);
	history = new ShownHistory(clock);
	trust = new HistoryTrust(history);
});

const reader: OutcomeReader = {
	kind: 'image',
	read: ({ record, state }) => ({
		text: JSON.stringify([state, record.url, record.credits]),
		urls: record.url === undefined ? [] : [String(record.url)],
	}),
};

const recordOf = (id: string, more: object = {}) => ({ url: `/${id}.png`, credits: 8, ...more });

const jobOf = (id: string, more: object = {}): JobSnapshot => ({
	id,
	state: 'completed',
	record: recordOf(id, more),
	waitedMs: 0,
});

/** Its own status tells of a job, and then the history. */
function tell(id: string, more: object = {}, state = 'completed') {
	trust.expect(reader, jobOf(id));
	trust.compare(id, { state, record: recordOf(id, more) });
}

const tellMany = (count: number, name = 'told') => {
	for (let index = 0; index < count; index++) tell(`${name} ${index}`);
};

const take = (id: string, more: object = {}) => trust.take(reader, jobOf(id, more));

test('three in a row that have told the same', () => {
	tellMany(2);
	expect(take('a')).toBeUndefined();
	tell('third');
	expect(take('a')).toEqual({ hasEnded: false });
});

test('the same entry counts once', () => {
	tell('a');
	trust.compare('a', { state: 'completed', record: recordOf('a') });
	trust.compare('a', { state: 'completed', record: recordOf('a') });
	expect(take('b')).toBeUndefined();
});

test('an entry that is behind is compared when it has come to the end', () => {
	tellMany(2);
	trust.expect(reader, jobOf('a'));
	trust.compare('a', { state: 'processing', record: { credits: 8 } });
	trust.compare('a', { state: 'completed', record: recordOf('a') });
	expect(history.gradeOf('image')).toBe('what');
});

test('each kind by itself', () => {
	tellMany(3);
	expect(trust.take({ ...reader, kind: 'video' }, jobOf('a'))).toBeUndefined();
});

test('fields that nobody sees do not matter', () => {
	for (const id of ['a', 'b', 'c']) tell(id, { views: id });
	expect(history.gradeOf('image')).toBe('what');
});

test.each([
	['other credits', { credits: 1 }],
	['another URL', { url: '/other.png' }],
])('%s end it, also of what was taken before', (_, lie) => {
	tellMany(3);
	const taken = take('a');
	tell('b', lie);
	expect(taken).toEqual({ hasEnded: true });
	expect(take('c')).toBeUndefined();
});

test('it is won again after ten minutes, by three samples more each time', async () => {
	tellMany(3);
	tell('b', { credits: 1 });
	tellMany(6, 'meanwhile');
	expect(history.gradeOf('image')).toBeUndefined();
	await clock.advance(600_000);
	expect(history.gradeOf('image')).toBe('what');
	tell('c', { credits: 1 });
	await clock.advance(600_000);
	tellMany(8, 'later');
	expect(history.gradeOf('image')).toBeUndefined();
	tell('last');
	expect(history.gradeOf('image')).toBe('what');
});

test('every thirtieth is read by itself', () => {
	tellMany(3);
	const taken = Array.from({ length: 60 }, (_, index) => take(`job ${index}`));
	const read = taken.flatMap((one, index) => (one === undefined ? [index + 1] : []));
	expect(read).toEqual([30, 60]);
});

test('an entry without a URL is not taken, and ends nothing', () => {
	tellMany(3);
	expect(take('a', { url: undefined })).toBeUndefined();
	expect(take('b')).toEqual({ hasEnded: false });
});

test.each([
	['goes on', { state: 'processing', record: recordOf('a') }],
	['has failed', { state: 'failed', record: recordOf('a') }],
	['has another URL', { state: 'completed', record: recordOf('a', { url: '/other.png' }) }],
])('an entry that was taken, and is told otherwise later: %s', (_, later) => {
	tellMany(3);
	const taken = take('a');
	trust.compare('a', later);
	expect(taken).toEqual({ hasEnded: true });
});

test('an entry that was taken is no proof of itself', () => {
	tellMany(3);
	const taken = take('a');
	trust.compare('a', { state: 'completed', record: recordOf('a') });
	expect(taken).toEqual({ hasEnded: false });
});

test("a URL that is another job's, by its own status, too", () => {
	tellMany(3);
	const taken = take('a', { url: '/b.png' });
	trust.expect(reader, jobOf('b'));
	expect(taken).toEqual({ hasEnded: true });
});

test('or by another entry', () => {
	tellMany(3);
	const taken = take('a', { url: '/same.png' });
	expect(take('b', { url: '/same.png' })).toBeUndefined();
	expect(taken).toEqual({ hasEnded: true });
});

test('a job that has failed, and that the history tells to be completed', () => {
	tellMany(3);
	const taken = take('a');
	trust.expect(reader, { ...jobOf('b'), state: 'failed', record: {} });
	trust.compare('b', { state: 'completed', record: recordOf('b') });
	expect(taken).toEqual({ hasEnded: true });
});

describe('entries that have the right state, and no result', () => {
	const NO_RESULT = { url: undefined };

	test('tell when a job has ended, once three in a row have been right; none is taken for its record', () => {
		for (const id of ['a', 'b']) tell(id, NO_RESULT);
		expect(history.gradeOf('image')).toBeUndefined();
		tell('c', NO_RESULT);
		expect(history.gradeOf('image')).toBe('when');
		expect(history.isAnyTrusted).toBe(false);
		expect(take('d')).toBeUndefined();
		expect(history.gradeOf('video')).toBeUndefined();
	});

	test.each([
		['one that is completed, of a job that has failed', { state: 'failed' }, NO_RESULT],
		['one that has another URL', {}, { url: '/other.png' }],
		['one that has other credits beside the right URL', {}, { credits: 1 }],
	])('a difference ends that: %s', (_, seen, entry) => {
		for (const id of ['a', 'b', 'c']) tell(id, NO_RESULT);
		trust.expect(reader, { ...jobOf('d'), ...seen });
		trust.compare('d', { state: 'completed', record: recordOf('d', entry) });
		expect(history.gradeOf('image')).toBeUndefined();
		expect(history.isDistrusted).toBe(true);
	});

	test('one among others that have it takes their records away, and ends nothing', () => {
		tellMany(3);
		const taken = take('a');
		tell('b', NO_RESULT);
		expect([history.gradeOf('image'), taken]).toEqual(['when', { hasEnded: false }]);
		tellMany(2, 'again');
		expect(take('c')).toBeUndefined();
		tell('third');
		expect(take('d')).toEqual({ hasEnded: false });
	});

	/** Of images; an entry with a URL has the same as the status. */
	async function jobsAmong(entry?: (record: { id: string; status: string }) => object) {
		const withUrl = (record: { id: string; status: string }) =>
			record.status === 'completed' ? { ...record, ...recordOf(record.id) } : record;
		const account = jobAccount(clock, { record: withUrl, entry: entry ?? withUrl });
		const run = account.open();
		const all = Array.from({ length: 20 }, (_, itemIndex) =>
			run.job(5 + ((itemIndex * 7) % 10), { itemIndex, outcome: () => reader }),
		);
		const ends = await clock.run(Promise.all(all));
		/** Those that are created once there were enough to compare, and end while others run. */
		return account.made.slice(10, 15).map((job, index) => ({
			snapshot: (ends[10 + index]!.result as { snapshot: JobSnapshot }).snapshot,
			read: account.read(job.id),
			looks: account.asked().filter((at) => at > job.createdAt && at < job.endsAt).length,
			endsAt: job.endsAt,
			url: `/${job.id}.png`,
		}));
	}

	test('the history is looked at for ends, and each result is read by itself', async () => {
		for (const job of await jobsAmong(({ id, status }) => ({ id, status }))) {
			expect(job.snapshot).toMatchObject({ state: 'completed', record: { url: job.url } });
			expect(job.snapshot.trust).toBeUndefined();
			expect(job.read).toHaveLength(1);
			expect(job.read[0]).toBeGreaterThanOrEqual(job.endsAt);
			expect(job.looks).toBeGreaterThan(0);
		}
	});

	test('where they have a result, none is', async () => {
		for (const job of await jobsAmong()) {
			expect(job.snapshot).toMatchObject({ record: { url: job.url }, trust: { hasEnded: false } });
			expect(job.read).toEqual([]);
		}
	});
});
