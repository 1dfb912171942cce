import { Claims } from '../../../nodes/shared/orders/order.ts';
import { mayBe } from '../../../nodes/shared/orders/doubt.ts';
import { ServiceError } from '../../../nodes/shared/service/serviceError.ts';
import { VirtualClock } from '../../support/virtualClock.mts';

/** Which jobs of the history a person is told of, where the answer to a creation was lost. */

/** When the creation was sent. */
const AT = Date.parse('2026-01-01T12:00:00.000Z');

const clock = new VirtualClock(AT + 300_000);

interface Told {
	id: string;
	prompt?: string;
	status: string;
	generation_type?: string;
	created_at: string;
}

/** @param seconds from when it was sent */
const entry = (id: string, prompt: string, seconds: number): Told => ({
	id,
	prompt,
	status: 'processing',
	generation_type: 'image',
	created_at: new Date(AT + seconds * 1000).toISOString(),
});

const OLD = entry('old', 'another', -200_000);

/** Within the hour, in a process that knows the job `mine`; the history is what the function gives for each request. */
async function found(history: (offset: number) => unknown, prompt = 'cat') {
	const claims = new Claims();
	claims.add('mine');
	const send = async ({ query: { offset = 0 } }: { query: { offset?: number } }) => history(offset);
	const run = { service: { send }, clock, account: { claims }, orders: { jobs: [] } };
	const sought = { prompt, from: AT - 3_600_000, to: AT + 3_600_000 };
	const all = mayBe(run as unknown as Parameters<typeof mayBe>[0], [sought]);
	return (await clock.run(all))?.[0];
}

/** A history that never gives more than so many entries, whatever is asked for. */
const paged =
	(entries: unknown[], size = 20) =>
	(offset: number) =>
		entries.slice(offset, offset + size);

/** The identifiers of those that may be the job, in words. */
const idsIn = async (history: (offset: number) => unknown, prompt?: string) =>
	(await found(history, prompt))?.map(({ jobId }) => jobId).join(' ');

const catIn = async (entries: unknown[], size?: number) => await idsIn(paged(entries, size));

const newestFirst = (one: Told, other: Told) => (one.created_at > other.created_at ? -1 : 1);

test('those with the prompt, each with its time and prompt', async () => {
	const history = paged([entry('b', 'dog', 2), entry('a', 'cat', 30), OLD]);
	expect(await found(history)).toEqual([
		{ jobId: 'a', createdAt: '2026-01-01T12:00:30.000Z', prompt: 'cat' },
	]);
});

test('five of many, the nearest in time first', async () => {
	const made = [9, 1, 300, 4, 7, 2].map((seconds) => entry(`s${seconds}`, 'cat', seconds));
	expect(await catIn([...made.sort(newestFirst), OLD])).toBe('s1 s2 s4 s7 s9');
});

test('in a list that has the oldest first, too', async () => {
	const older = Array.from({ length: 150 }, (_, index) => entry(`${index}`, 'dog', index - 90_000));
	expect(await catIn([...older, entry('a', 'cat', 3)], 100)).toBe('a');
});

test('none whose order this process knows', async () => {
	expect(await catIn([entry('mine', 'cat', 3), OLD])).toBe('');
});

test.each([
	[-3601, ''],
	[-3600, 'a'],
	[3600, 'a'],
	[3601, ''],
])('made %i s after: "%s"', async (seconds, expected) => {
	expect(await catIn([entry('a', 'cat', seconds), OLD].sort(newestFirst))).toBe(expected);
});

test.each([
	['  A big\n cat ', 'A big cat'],
	['A big cat', 'a big cat'],
	['A big cat', 'A bi…'],
	['A big cat', 'A big cat, best quality'],
])('a prompt that the service has changed, from %j to %j', async (sent, told) => {
	expect(await idsIn(paged([entry('a', told, 300), OLD]), sent)).toBe('a');
});

const others = Array.from({ length: 5 }, (_, i) => entry(`e${i}`, 'another', 200 - i));
const own = entry('a', 'cat', 3);

test.each<[string, Told[]]>([
	['newest first', [...others, own, OLD]],
	['oldest first', [OLD, own, ...others.toReversed()]],
])('pages of two entries, %s', async (_, entries) => {
	expect(await catIn(entries, 2)).toBe('a');
});

const refused = () => {
	throw new ServiceError({ message: 'no', description: '', outcome: 'refused', status: 500 });
};

test.each<[string, (offset: number) => unknown, string?]>([
	['is no list', () => ({ success: true, data: { count: 3 } }), undefined],
	['cannot be read', refused, undefined],
	['has an entry without a prompt', paged([{ ...own, prompt: undefined }]), 'a'],
	['cannot be read to its end', (offset) => (offset ? refused() : [own]), 'a'],
	['knows no pages', () => [own, OLD], 'a'],
])('a history that %s: what it shows is told', async (_, history, expected) => {
	expect(await idsIn(history)).toBe(expected);
});
