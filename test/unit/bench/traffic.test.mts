import type { JournalEntry } from '../../../sandbox/journal.mts';
import { newAccount } from '../../../sandbox/account.mts';
import { settingsSchema } from '../../../sandbox/settings.mts';
import { trafficOf } from '../../../tools/bench/traffic.mts';

/** What is refused for want of a place, and what for want of a request (100 a minute). */

const account = newAccount(settingsSchema.parse({}));

const entries = (kind: 'create' | 'status', status: number, times: number[]) =>
	times.map((at) => ({ kind, status, at }) as JournalEntry);

const refusedIn = (...all: JournalEntry[][]) => {
	const { refused, refusedPlaces } = trafficOf({
		journal: { entries: all.flat() } as never,
		account,
	});
	return { refused, refusedPlaces };
};

const times = (count: number, from = 0) =>
	Array.from({ length: count }, (_, index) => from + index);

test('a creation is refused for its place while there are requests', () => {
	const made = entries('create', 201, times(5));
	expect(refusedIn(made, entries('create', 429, [10, 20]))).toEqual({
		refused: 2,
		refusedPlaces: 2,
	});
});

test('when the requests of a minute are used up, all is refused for that', () => {
	const reads = entries('status', 200, times(100));
	const refused = [...entries('create', 429, [200]), ...entries('status', 429, [300])];
	expect(refusedIn(reads, refused)).toEqual({ refused: 2, refusedPlaces: 0 });
});

test('what is refused for its place has taken a request, and comes back a minute later', () => {
	const reads = entries('status', 200, times(99));
	const [atLimit, beyond, later] = [200, 300, 60_050].map((at) => entries('create', 429, [at]));
	expect(refusedIn(reads, atLimit!, beyond!, later!)).toEqual({ refused: 3, refusedPlaces: 2 });
});
