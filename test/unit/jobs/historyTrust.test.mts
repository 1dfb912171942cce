import { HistoryTrust, type OutcomeReader } from '../../../nodes/shared/jobs/historyTrust.ts';
import type { JobSnapshot } from '../../../nodes/shared/jobs/job.ts';
import { VirtualClock } from '../../support/virtualClock.mts';

/** What makes an entry of the history as good as the record of its job. */

let clock: VirtualClock;
let trust: HistoryTrust;

beforeEach(() => {
	clock = new VirtualClock(0);
	trust = new HistoryTrust(clock);
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
	expect(trust.isTrusted('image')).toBe(true);
});

test('each kind by itself', () => {
	tellMany(3);
	expect(trust.take({ ...reader, kind: 'video' }, jobOf('a'))).toBeUndefined();
});

test('fields that nobody sees do not matter', () => {
	for (const id of ['a', 'b', 'c']) tell(id, { views: id });
	expect(trust.isTrusted('image')).toBe(true);
});

test.each([
	['other credits', { credits: 1 }],
	['another URL', { url: '/other.png' }],
	['no URL', { url: undefined }],
])('%s end it, also of what was taken before', (_, lie) => {
	tellMany(3);
	const taken = take('a');
	tell('b', lie);
	expect(taken).toEqual({ hasEnded: true });
	expect(take('c')).toBeUndefined();
});

test('it is won again after ten minutes, by twice as many', async () => {
	tellMany(3);
	tell('b', { credits: 1 });
	tellMany(6, 'meanwhile');
	expect(trust.isTrusted('image')).toBe(false);
	await clock.advance(600_000);
	expect(trust.isTrusted('image')).toBe(true);
	tell('c', { credits: 1 });
	await clock.advance(600_000);
	tellMany(11, 'later');
	expect(trust.isTrusted('image')).toBe(false);
	tell('last');
	expect(trust.isTrusted('image')).toBe(true);
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
