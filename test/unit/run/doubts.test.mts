import type { IDataObject } from 'n8n-workflow';

import { OPEN_PATHS } from '../../../sandbox/settings.mts';
import { toldBy } from '../../support/toldBy.mts';
import { images } from '../../support/virtualImages.mts';
import { VirtualN8n } from '../../support/virtualRun.mts';

/** The answer to a creation is lost: which jobs of the history a person is told of, and which not. */

const PROMPT = 'A big cat';

interface Entry {
	prompt?: string | null;
	/** From when the creation was sent. */
	seconds?: number;
	id?: string;
}

/** What is told where the history shows these; none is the job that was made. */
async function told(entries: Entry[], retold: (list: IDataObject[]) => unknown = (list) => list) {
	const start = Date.UTC(2026, 0, 1);
	const list = entries.map(({ prompt = PROMPT, seconds = 1, id = 'other' }) => ({
		...{ id, status: 'processing', generation_type: 'image' },
		...(prompt !== null && { prompt }),
		created_at: new Date(start + seconds * 1000).toISOString(),
	}));
	const n8n = new VirtualN8n({
		retell: (answer, { url, qs = {} }) => {
			if (!url.includes('/history/')) return answer;
			const { offset = 0, limit = 100 } = qs as { offset?: number; limit?: number };
			return retold(list.slice(offset, offset + Math.min(limit, 2)));
		},
	});
	const match = { kind: 'create' } as const;
	n8n.state.faults.add({ match, fault: { kind: 'reset' }, when: 'after' });
	const { error } = await n8n.run(images([PROMPT]));
	expect(n8n.state.account.charges).toHaveLength(1);
	expect(error?.message).toContain('broke off before the answer');
	return toldBy(error);
}

test.each([
	[PROMPT, 30],
	// As services change them.
	['a big  CAT ', 30],
	['A bi…', 30],
	['A big cat, best quality', 30],
	[PROMPT, -3590],
	[PROMPT, 3590],
	[null, 30],
])('a job with the prompt %j, made %i s after', async (prompt, seconds) => {
	expect(await told([{ prompt, seconds }])).toContain('other (');
});

test.each<[string, Entry]>([
	['another prompt', { prompt: 'a dog' }],
	['more than an hour before', { seconds: -3700 }],
	['more than an hour after', { seconds: 3700 }],
])('not a job with %s', async (_, entry) => {
	const text = await told([entry]);
	expect(text).not.toContain('other');
	expect(text).toContain('look for it with Job > Get History');
});

test('five of many, on any page, the nearest in time first', async () => {
	const made = [9, 1, 300, 4, 7, 2].map((seconds) => ({ seconds, id: `s${seconds}` }));
	const text = await told([{ prompt: 'a dog', seconds: 400 }, ...made.reverse()]);
	expect(text.match(/s\d+(?= \()/g)).toEqual(['s1', 's2', 's4', 's7', 's9']);
});

test.each<[string, (list: IDataObject[]) => unknown]>([
	['is no list', () => ({ success: true, data: { count: 3 } })],
	['is empty', () => []],
])('a history that %s names none', async (_, retold) => {
	expect(await told([{}], retold)).toContain('look for it with Job > Get History');
});

test('one whose order this n8n knows is not named', async () => {
	const n8n = new VirtualN8n();
	const own = await n8n.run(images([PROMPT]));
	const match = { kind: 'create' } as const;
	n8n.state.faults.add({ match, fault: { kind: 'reset' }, when: 'after' });
	const { error } = await n8n.run(images([PROMPT]));
	expect(toldBy(error)).toContain(n8n.state.jobs.list[1]!.id);
	expect(toldBy(error)).not.toContain(own.items[0]?.json.jobId);
});

test.each([
	['music', { resource: 'song', operation: 'generate', model: 'V5', prompt: 'rain' }],
	['music', { resource: 'lyrics', operation: 'lyrics', prompt: 'rain' }],
] as const)('the history does not list %s: nobody is sent there', async (kind, parameters) => {
	const n8n = new VirtualN8n({}, OPEN_PATHS);
	n8n.state.faults.add({ match: { kind: 'create' }, fault: { kind: 'reset' }, when: 'after' });
	const { error } = await n8n.run({ items: [{}], kind, parameters });
	expect(error?.description).toContain(
		'may exist and be paid for: see on the website of the service',
	);
	expect(toldBy(error)).not.toContain('istory');
	expect(n8n.state.account.charges).toHaveLength(1);
});

test('a history that cannot be read: that is told, too', async () => {
	const n8n = new VirtualN8n();
	n8n.state.faults.add({ match: { kind: 'create' }, fault: { kind: 'reset' }, when: 'after' });
	n8n.state.faults.add({ match: { kind: 'list' }, fault: { kind: 'status', status: 500 } });
	const { error } = await n8n.run(images([PROMPT]));
	expect(error?.description).toContain('It could not be read just now. If it is not there');
});

test('the error of a list says how to have the other rows, and not that one again', async () => {
	const n8n = new VirtualN8n();
	const match = { kind: 'create', bodyPattern: PROMPT } as const;
	n8n.state.faults.add({ match, fault: { kind: 'reset' }, when: 'after' });
	const { error } = await n8n.run(images(['a dog', PROMPT]));
	expect(error?.description).toContain('A new run pays for all rows again');
	expect(error?.description).toContain('remove a row whose job exists, add Options > Continue');
});
