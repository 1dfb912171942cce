import type { JournalEntry } from '../../../sandbox/journal.mts';
import { lagsOf } from '../../../tools/bench/virtualJobs.mts';

/** How late the end of a job is seen, whichever request has shown it. */

const job = { id: 'a', endsAt: 100 };

const lagAfter = (...entries: Array<Partial<JournalEntry>>) =>
	lagsOf({
		jobs: { list: [job], find: (id: string) => (id === 'a' ? job : undefined) },
		journal: { entries },
	} as never);

const read = (at: number, id = 'a', status = 200) =>
	({ kind: 'status', path: `/api/v1/generate/${id}/`, status, at }) as const;
const list = (at: number, status = 200) => ({ kind: 'list', path: '/', status, at }) as const;

test.each([
	['its own status', [read(90), read(130), read(150)], 30],
	[
		'the history, where its own status is not read any more',
		[read(90), list(95), list(120), list(140)],
		20,
	],
	['its own status, where the history was checked by it', [list(120), read(125)], 25],
	['nothing that is refused', [read(110, 'a', 429), list(115, 429), read(120)], 20],
	['nothing of another job', [read(110, 'b'), read(140)], 40],
])('by %s', (_, entries, lag) => {
	expect(lagAfter(...entries)).toEqual([lag]);
});

test('not at all', () => {
	expect(lagAfter(read(90), list(99))).toEqual([NaN]);
});
