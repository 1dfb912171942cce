import type { IDataObject } from 'n8n-workflow';

import {
	KnownJobs,
	hashOf,
	keepIn,
	memoryIn,
	type TriggerMemory,
} from '../../../nodes/shared/trigger/memory.ts';
import { JOB_TRIGGER } from '../../../nodes/shared/spec/catalogs.ts';

const EMPTY: TriggerMemory = { streams: {}, seen: {}, pending: [], service: '', isBehind: false };

const [generations, videoStudio] = JOB_TRIGGER.sources;

/** As n8n stores it. */
function stored(memory: TriggerMemory): IDataObject {
	const staticData = {};
	keepIn(staticData, memory);
	return JSON.parse(JSON.stringify(staticData)) as IDataObject;
}

const ids = (count: number, from = 0) => Array.from({ length: count }, (_, i) => `id ${from + i}`);

describe('static data', () => {
	it('holds what was put there', () => {
		const memory: TriggerMemory = {
			streams: { a: { newest: 1, horizon: 0 }, b: {} },
			seen: { generation: ['x'], videoStudio: [] },
			pending: [{ id: 'p', startedWith: 'generation', missed: 3, unread: 2, contradicted: 1 }],
			service: 's',
			isBehind: true,
		};
		expect(memoryIn(stored(memory))).toEqual(memory);
	});

	it.each([
		['nothing', {}],
		['null', { jobs: null }],
		['a text', { jobs: 'seen' }],
		['a list', { jobs: [] }],
		['half of it', { jobs: { streams: {}, seen: ['a'] } }],
		['numbers for hashes', { jobs: { ...EMPTY, seen: { generation: [1, 2] } } }],
		['another version of a job', { jobs: { ...EMPTY, pending: [{ id: 'p' }] } }],
		[
			'negative numbers',
			{ jobs: { ...EMPTY, pending: [{ id: 'p', startedWith: 'x', missed: -1 }] } },
		],
		['a time that is a text', { jobs: { ...EMPTY, streams: { a: { newest: '2026' } } } }],
	])('that holds %s is as if nothing was known', (_, staticData) => {
		expect(memoryIn(staticData as IDataObject)).toEqual(EMPTY);
	});

	it('does not grow beyond its bounds, whatever comes; the latest is kept', () => {
		const [generation, videoStudio] = [ids(20_000), ids(20_000, 50_000)].map((of) =>
			of.map(hashOf),
		);
		const pending = ids(5000).map((id) => ({
			id,
			startedWith: 'generation',
			missed: 0,
			unread: 0,
			contradicted: 0,
		}));
		const seen = { generation: generation!, videoStudio: videoStudio! };
		const kept = memoryIn(stored({ ...EMPTY, seen, pending }));
		expect(kept.seen).toEqual({
			generation: generation!.slice(-10_000),
			videoStudio: videoStudio!.slice(-10_000),
		});
		expect(kept.pending).toEqual(pending.slice(-200));
		expect(JSON.stringify(kept).length).toBeLessThan(290_000);
	});
});

describe('jobs that are known', () => {
	const job = (...of: string[]) => jobOf(generations!, ...of);

	const jobOf = (source: typeof generations, ...of: string[]) => ({
		id: of[0]!,
		otherIds: of.slice(1),
		state: 'processing',
		record: {},
		source: source!,
	});

	it('are known by any of their identifiers', () => {
		const known = new KnownJobs(EMPTY);
		known.markSeen(job('a', 'b'));
		expect(known.isSeen(job('a'))).toBe(true);
		expect(known.isSeen(job('b', 'c'))).toBe(true);
		expect(known.isSeen(job('d', 'a'))).toBe(true);
		expect(known.isSeen(job('c'))).toBe(false);
	});

	it('are several where they have one in common that is no identifier of their own', () => {
		const known = new KnownJobs(EMPTY);
		known.markSeen(job('a', 'order'));
		expect(known.isSeen(job('b', 'order'))).toBe(false);
	});

	it('do not begin again', () => {
		const known = new KnownJobs(EMPTY);
		known.markSeen(job('a'));
		known.waitFor(job('a'));
		expect(known.toMemory()).toMatchObject({ seen: { generation: [hashOf('a')] }, pending: [] });
	});

	it('are not waited for once they have ended, and nothing is left of tries', () => {
		const known = new KnownJobs(EMPTY);
		known.waitFor(job('a'), { unread: 2 });
		known.waitFor(job('a'));
		expect(known.toMemory()).toMatchObject({ pending: [{ id: 'a', unread: 2, missed: 0 }] });
		known.markSeen(job('a'));
		expect(known.toMemory()).toEqual({ seen: { generation: [hashOf('a')] }, pending: [] });
	});

	it('are forgotten last where a list still shows them', () => {
		const generation = ids(10_000).map(hashOf);
		const known = new KnownJobs({ ...EMPTY, seen: { generation } });
		known.markSeen(job('id 0'));
		for (const id of ids(10, 10_000)) known.markSeen(job(id));
		const kept = memoryIn(stored({ ...EMPTY, ...known.toMemory() }));
		expect(kept.seen.generation).toContain(hashOf('id 0'));
		expect(kept.seen.generation).not.toContain(hashOf('id 1'));
	});

	it('are not forgotten for those of another list, however many come there', () => {
		let memory: TriggerMemory = { ...EMPTY, seen: { generation: ids(8000).map(hashOf) } };
		for (let poll = 0; poll < 10; poll++) {
			const known = new KnownJobs(memory);
			for (const id of ids(2000, 10_000 + 2000 * poll)) known.markSeen(jobOf(videoStudio, id));
			memory = memoryIn(stored({ ...EMPTY, ...known.toMemory() }));
		}
		const known = new KnownJobs(memory);
		expect(ids(8000).filter((id) => !known.isSeen(job(id)))).toEqual([]);
	});
});

it('one hash in 10,000 is that of one identifier', () => {
	expect(new Set(ids(10_000).map(hashOf)).size).toBe(10_000);
});
