import type { ServiceRequest } from '../../../nodes/shared/service/request.ts';
import { JOB_TRIGGER } from '../../../nodes/shared/spec/catalogs.ts';
import { readStream, streamsOf } from '../../../nodes/shared/trigger/listedJobs.ts';
import { fault } from '../../support/fakeService.mts';

const MINUTE_MS = 60_000;
const NOW = Date.UTC(2026, 0, 1);

const [generations, videoStudio] = streamsOf(JOB_TRIGGER.sources, 'all', { account: 'a' });

type Entry = Record<string, unknown>;

/** A job that was created so many minutes ago; its number is that. */
const job = (minutesAgo: number, status = 'completed'): Entry => ({
	id: `j${minutesAgo}`,
	status,
	created_at: new Date(NOW - minutesAgo * MINUTE_MS).toISOString(),
});

const jobs = (count: number, from = 0) => Array.from({ length: count }, (_, i) => job(from + i));

interface Reading {
	/** The list at each request. */
	list: (request: number) => readonly unknown[];
	maxPage?: number;
	ignoresOffset?: boolean;
	/** Jobs that are so many minutes old, or older. */
	knownFrom?: number;
	newestBefore?: number;
	isScarce?: boolean;
	stream?: typeof generations;
	isThorough?: boolean;
	/** Nothing is known of the list. */
	begins?: boolean;
	/** Requests that are there for what can be left to another poll. */
	spare?: number;
}

async function read(reading: Reading) {
	const { list, maxPage = 1000, ignoresOffset, knownFrom = Infinity, newestBefore } = reading;
	let { spare = 0 } = reading;
	const sent: Array<Record<string, unknown>> = [];
	const send = async ({ query = {} }: ServiceRequest) => {
		sent.push(query);
		const { limit = 20, offset = 0 } = query as Record<string, number>;
		const start = ignoresOffset ? 0 : offset;
		const answer = list(sent.length).slice(start, start + Math.min(limit, maxPage));
		const [first] = answer;
		if (first instanceof Error) throw first;
		return first === NO_LIST ? {} : answer;
	};
	const listing = await readStream(reading.stream ?? generations!, {
		service: {
			field: () => undefined,
			isScarce: reading.isScarce,
			send,
			sendSpare: async (request) => {
				if (spare-- <= 0) throw fault('notSent');
				return await send(request);
			},
		},
		...(!reading.begins && {
			ground: { isKnown: ({ id }) => Number(id.slice(1)) >= knownFrom, newest: newestBefore },
		}),
		isThorough: reading.isThorough ?? false,
	});
	return { ...listing, ids: listing.jobs.map(({ id }) => id), sent };
}

/** In place of a page: an answer that is none. */
const NO_LIST = 'no list';

const idsOf = (entries: readonly Entry[]) => entries.map(({ id }) => id);

describe('a list that has the newest first', () => {
	it('is read to a known job, a hundred jobs deep', async () => {
		const { ids, sent, isNewestFirst, isCut } = await read({
			list: () => jobs(500),
			knownFrom: 3,
			newestBefore: NOW - 3 * MINUTE_MS,
		});
		expect(sent).toEqual([{ limit: 100 }]);
		expect(ids).toHaveLength(100);
		expect({ isNewestFirst, isCut }).toEqual({ isNewestFirst: true, isCut: false });
	});

	it('is read to a known job that is ten minutes older than the newest of before', async () => {
		const { ids, sent } = await read({
			list: () => jobs(500),
			maxPage: 5,
			knownFrom: 3,
			newestBefore: NOW - 3 * MINUTE_MS,
		});
		expect(sent.map(({ offset }) => offset)).toEqual([undefined, 5, 10]);
		expect(ids).toHaveLength(15);
	});

	it('is read on where the last job of a page is not known', async () => {
		const { ids, sent } = await read({
			list: () => jobs(500),
			knownFrom: 150,
			newestBefore: NOW - 150 * MINUTE_MS,
		});
		expect(sent).toHaveLength(2);
		expect(ids).toHaveLength(200);
	});

	it('is cut after 2,000 jobs, and on an account with few requests after 100', async () => {
		const long = await read({ list: () => jobs(3000) });
		expect(long.ids).toHaveLength(2000);
		expect(long.isCut).toBe(true);
		expect(long.sent).toHaveLength(20);
		const scarce = await read({ list: () => jobs(3000), isScarce: true });
		expect(scarce.ids).toHaveLength(100);
		expect(scarce.isCut).toBe(true);
	});
});

describe('a list that is read on although what was read will do', () => {
	const known = { list: () => jobs(500), knownFrom: 3, newestBefore: NOW - 3 * MINUTE_MS };

	it('is read to its end where there are requests', async () => {
		const { ids, hasMore } = await read({ ...known, isThorough: true, spare: 20 });
		expect(ids).toHaveLength(500);
		expect(hasMore).toBe(false);
	});

	it('is left off where there are none: a later poll reads on', async () => {
		const { ids, hasMore, isCut } = await read({ ...known, isThorough: true, spare: 2 });
		expect(ids).toHaveLength(300);
		expect({ hasMore, isCut }).toEqual({ hasMore: true, isCut: false });
	});

	it('is not left off before known ground', async () => {
		const { ids } = await read({ list: () => jobs(500), isThorough: true });
		expect(ids).toHaveLength(500);
	});
});

describe('a list that begins to be watched', () => {
	const beginning = { begins: true, isThorough: true };
	const told = (list: Entry[]) => list.map((each) => ({ ...each, completed_at: each.created_at }));

	it.each([
		['a page', 1000],
		['pages of 20', 20],
	])('needs its newest hundred, in %s', async (_, maxPage) => {
		const { ids, hasMore } = await read({ ...beginning, list: () => told(jobs(500)), maxPage });
		expect(ids).toEqual(idsOf(jobs(100)));
		expect(hasMore).toBe(true);
	});

	it.each([
		['when jobs ended', jobs(500)],
		['when one of them ended', [job(0), ...told(jobs(499, 1))]],
		['that any has ended', jobs(500).map((each) => ({ ...each, status: 'processing' }))],
		['in which order they are', told(jobs(500)).toReversed()],
	])('is read to its end where it does not tell %s', async (_, list) => {
		const { ids, hasMore } = await read({ ...beginning, list: () => list });
		expect(ids).toHaveLength(500);
		expect(hasMore).toBe(false);
	});
});

describe('another list', () => {
	it.each([
		['has the oldest first', (list: Entry[]) => list.toReversed()],
		['has one job out of order', (list: Entry[]) => [list[200]!, ...list.toSpliced(200, 1)]],
		['lacks the times', (list: Entry[]) => list.map(({ id, status }) => ({ id, status }))],
		['lacks one time', (list: Entry[]) => [{ id: 'j9', status: 'queued' }, ...list.slice(10)]],
		[
			'has one time for all',
			(list: Entry[]) => list.map((each) => ({ ...each, created_at: '2026' })),
		],
	])('that %s is read to its end', async (_, order) => {
		const list = order(jobs(250));
		const { ids, isNewestFirst, isCut } = await read({ list: () => list, knownFrom: 0 });
		expect(ids).toEqual(idsOf(list));
		expect({ isNewestFirst, isCut }).toEqual({ isNewestFirst: false, isCut: false });
	});

	it('that has no pages is read once', async () => {
		const { ids, sent } = await read({
			list: () => jobs(2500).map(({ id, status }) => ({ job_id: id, status })),
			stream: videoStudio,
		});
		expect(sent).toEqual([{}]);
		expect(ids).toHaveLength(20);
	});
});

describe('a list that is not as it was a moment ago', () => {
	it('gives a job once that comes on the next page again', async () => {
		const { ids } = await read({ list: (request) => jobs(30, request === 1 ? 3 : 0), maxPage: 10 });
		expect(ids).toEqual(idsOf([...jobs(10, 3), ...jobs(17, 13)]));
	});

	it('shows a job as ended that has ended by the second page', async () => {
		const { jobs: listed } = await read({
			list: (request) => (request === 1 ? [job(1, 'processing')] : [job(0), job(1)]),
		});
		expect(listed).toMatchObject([{ id: 'j1', state: 'completed' }]);
	});

	it('shows a job as ended that had ended by the first page', async () => {
		const { jobs: listed } = await read({
			list: (request) => (request === 1 ? [job(1)] : [job(0), job(1, 'processing')]),
		});
		expect(listed).toMatchObject([{ id: 'j1', state: 'completed' }]);
	});

	it('is over where the offset is of no effect', async () => {
		const { ids, sent, isCut } = await read({
			list: () => jobs(80),
			maxPage: 50,
			ignoresOffset: true,
		});
		expect(ids).toEqual(idsOf(jobs(50)));
		expect(sent).toHaveLength(2);
		expect(isCut).toBe(false);
	});
});

describe('a page that cannot be read', () => {
	const failing = (status: number | undefined, at: number) => (request: number) =>
		request === at
			? Array.from({ length: 300 }, () =>
					status === undefined ? NO_LIST : fault(status === 500 ? 'unknown' : 'refused', status),
				)
			: jobs(300);

	it.each([400, 401, 404, 429, 500])(
		'the first, with %i: nothing is known of the list',
		async (status) => {
			await expect(read({ list: failing(status, 1) })).rejects.toMatchObject({ status });
		},
	);

	it.each([401, 403, 429, 500])('a later one, with %i: neither', async (status) => {
		await expect(read({ list: failing(status, 3) })).rejects.toMatchObject({ status });
	});

	it.each([400, 404])('a later one, with %i: there is none', async (status) => {
		expect((await read({ list: failing(status, 3) })).ids).toEqual(idsOf(jobs(200)));
	});

	it('the first, which is no list: nothing is known of it', async () => {
		await expect(read({ list: failing(undefined, 1) })).rejects.toThrow('cannot be read');
	});

	it('a later one, which is no list: there is none', async () => {
		expect((await read({ list: failing(undefined, 3) })).ids).toEqual(idsOf(jobs(200)));
	});
});

it('entries that are no jobs do not end a list before its time', async () => {
	const list = [...Array.from({ length: 150 }, (_, index) => ({ index })), ...jobs(50)];
	const { ids, lacks } = await read({ list: () => list });
	expect(ids).toEqual(idsOf(jobs(50)));
	expect([...lacks]).toEqual(['identifier']);
});
