import type { IDataObject } from 'n8n-workflow';

import { KnownJobs } from '../../../nodes/shared/trigger/knownJobs.ts';
import {
	hashOf,
	keepIn,
	memoryIn,
	type TriggerMemory,
} from '../../../nodes/shared/trigger/memory.ts';
import { JOB_TRIGGER } from '../../../nodes/shared/spec/trigger.ts';

const EMPTY: TriggerMemory = { streams: {}, seen: [], pending: [], service: '', isBehind: false };

const [source] = JOB_TRIGGER.sources;

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
			seen: ['x'],
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
		['numbers for hashes', { jobs: { ...EMPTY, seen: [1, 2] } }],
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
		const seen = ids(20_000).map(hashOf);
		const pending = ids(5000).map((id) => ({
			id,
			startedWith: 'generation',
			missed: 0,
			unread: 0,
			contradicted: 0,
		}));
		const kept = memoryIn(stored({ ...EMPTY, seen, pending }));
		expect(kept.seen).toEqual(seen.slice(-10_000));
		expect(kept.pending).toEqual(pending.slice(-200));
		expect(JSON.stringify(kept).length).toBeLessThan(160_000);
	});
});

describe('jobs that are known', () => {
	const job = (...of: string[]) => ({
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
		expect(known.toMemory()).toMatchObject({ seen: [hashOf('a')], pending: [] });
	});

	it('are not waited for once they have ended, and nothing is left of tries', () => {
		const known = new KnownJobs(EMPTY);
		known.waitFor(job('a'), { unread: 2 });
		known.waitFor(job('a'));
		expect(known.toMemory()).toMatchObject({ pending: [{ id: 'a', unread: 2, missed: 0 }] });
		known.markSeen(job('a'));
		expect(known.toMemory()).toEqual({ seen: [hashOf('a')], pending: [] });
	});

	it('are forgotten last where a list still shows them', () => {
		const seen = ids(10_000).map(hashOf);
		const known = new KnownJobs({ ...EMPTY, seen });
		known.markSeen(job('id 0'));
		for (const id of ids(10, 10_000)) known.markSeen(job(id));
		expect(known.isOverfull()).toBe(true);
		const kept = memoryIn(stored({ ...EMPTY, ...known.toMemory() }));
		expect(kept.seen).toContain(hashOf('id 0'));
		expect(kept.seen).not.toContain(hashOf('id 1'));
	});
});

it('one hash in 10,000 is that of one identifier', () => {
	expect(new Set(ids(10_000).map(hashOf)).size).toBe(10_000);
});
