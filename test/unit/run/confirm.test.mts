import type { IHttpRequestOptions } from 'n8n-workflow';

import { VirtualN8n } from '../../support/virtualRun.mts';
import { wrongResults } from '../../../tools/bench/wrongResults.mts';

/** What is given out was not taken from a history that was found to be wrong. */

type Entry = Record<string, unknown>;

const PROMPTS = Array.from({ length: 20 }, (_, item) => ({ prompt: `item ${item}` }));

const BATCH = {
	items: PROMPTS,
	parameters: (item: number) => ({
		resource: 'image',
		operation: 'generate',
		size: '1:1',
		...PROMPTS[item],
		options: {},
	}),
};

/** @param lie tells of a job otherwise, once so many seconds have passed */
async function ran(lie: (entry: Entry, n8n: VirtualN8n) => Entry = (entry) => entry, fromS = 0) {
	const n8n: VirtualN8n = new VirtualN8n({
		settings: { jobMs: { min: 3000, max: 9000 } },
		retell: (answer: unknown, { url }: IHttpRequestOptions) =>
			url.endsWith('/history/') && n8n.clock.now() >= startedAt + fromS * 1000
				? (answer as Entry[]).map((entry) => lie(entry, n8n))
				: answer,
	});
	const startedAt = n8n.clock.now();
	const execution = await n8n.clock.run(n8n.execute(BATCH));
	const { entries } = n8n.state.journal;
	const ended = n8n.state.jobs.list.filter(({ id, endsAt }) =>
		entries.some(({ kind, path, at }) => kind === 'status' && path.includes(id) && at >= endsAt),
	);
	return { execution, state: n8n.state, read: ended.length };
}

test('where all is true, most jobs are not read by themselves, and one is in the end', async () => {
	const { execution, state, read } = await ran();
	expect(wrongResults(execution, state)).toBe(0);
	expect(read).toBeLessThan(12);
	expect(read).toBeGreaterThan(3);
	const lastRead = state.journal.entries.filter(({ kind }) => kind === 'status').at(-1);
	expect(lastRead?.at).toBeGreaterThan(Math.max(...state.jobs.list.map(({ endsAt }) => endsAt)));
});

/** Another URL. */
const retold = (entry: Entry) =>
	entry.image_url === undefined ? entry : { ...entry, image_url: `${String(entry.image_url)}x` };

/** The entry is about the last job that is not alone by then: that would be read by itself. */
function isOfLast({ id }: Entry, { state }: VirtualN8n): boolean {
	const { list } = state.jobs;
	const [, last] = [...list].sort((one, other) => other.endsAt - one.endsAt);
	return list.length === PROMPTS.length && last?.id === id;
}

test.each([
	['from 15 s on', 15, retold],
	[
		'of the last of several jobs',
		0,
		(entry: Entry, n8n: VirtualN8n) => (isOfLast(entry, n8n) ? retold(entry) : entry),
	],
])('a history that lies %s: all that were taken are read by themselves', async (_, fromS, lie) => {
	const { execution, state, read } = await ran(lie, fromS);
	expect(wrongResults(execution, state)).toBe(0);
	expect(read).toBe(20);
	expect(state.jobs.list).toHaveLength(20);
});

test('a history that has lied once has to earn it anew, and by more, once it may be asked again', async () => {
	let hasLied = false;
	const n8n: VirtualN8n = new VirtualN8n({
		settings: { jobMs: { min: 3000, max: 9000 }, credits: { purchased: 1_000_000 } },
		retell: (answer: unknown, { url }: IHttpRequestOptions) =>
			url.endsWith('/history/')
				? (answer as Entry[]).map((entry) => {
						if (hasLied || !isOfLast(entry, n8n) || entry.image_url === undefined) return entry;
						hasLied = true;
						return retold(entry);
					})
				: answer,
	});
	const { jobs, journal } = n8n.state;
	const readOf = (from: number) => {
		const reads = journal.ofKind('status');
		return jobs.list
			.slice(from)
			.filter(({ id, endsAt }) => reads.some(({ path, at }) => path.includes(id) && at >= endsAt));
	};
	await n8n.clock.run(n8n.execute(BATCH));
	expect(hasLied).toBe(true);
	await n8n.clock.advance(11 * 60_000);
	await n8n.clock.run(n8n.execute(BATCH));
	// Three in a row were enough before.
	expect(readOf(PROMPTS.length).length).toBeGreaterThanOrEqual(6);
});

describe('the service does not answer in the end', () => {
	/** @param isDown whether no status is answered from now on */
	async function blind(isDown: (n8n: VirtualN8n) => boolean, seconds: number, options: object) {
		const n8n = new VirtualN8n({ settings: { seed: 11, jobMs: { min: 8000, max: 12_000 } } });
		const { state, clock } = n8n;
		const parameters = (item: number) => ({ ...BATCH.parameters(item), options });
		const run = n8n.execute({ ...BATCH, parameters });
		const watch = async () => {
			while (state.jobs.list.length < 20 || !isDown(n8n)) await clock.sleep(5);
			state.faults.add({ match: { kind: 'status' }, fault: { kind: 'status', status: 503 } });
			await clock.sleep(seconds * 1000);
			state.faults.clear();
		};
		void watch();
		return { ...(await clock.run(run)), state };
	}

	/** The last job has ended. */
	const hasEnded = ({ state, clock }: VirtualN8n) =>
		state.jobs.list.every(({ endsAt }) => endsAt <= clock.now());

	/** And has been read. */
	const isRead = (n8n: VirtualN8n) => {
		const [last] = [...n8n.state.jobs.list].sort((one, other) => other.endsAt - one.endsAt);
		const reads = n8n.state.journal.ofKind('status');
		return reads.some(({ path, at }) => path.includes(last!.id) && at >= last!.endsAt);
	};

	const UNCONFIRMED = /the service did not answer the check of job \S+ in the end/;

	const unconfirmed = ({ hints }: Awaited<ReturnType<typeof blind>>) =>
		hints.flatMap(({ message }) => (UNCONFIRMED.test(message) ? [message] : []));

	test.each([
		['the last look', hasEnded, 30, 40],
		['the last look', hasEnded, 60, 70],
		['the look that compares', isRead, 30, 40],
	])('%s is repeated until it is answered', async (_, isDown, timeout, seconds) => {
		const done = await blind(isDown, seconds, { timeout });
		expect(done.error).toBeUndefined();
		expect(wrongResults(done, done.state)).toBe(0);
		expect(unconfirmed(done)).toEqual([]);
	});

	test.each([{}, { outputByStatus: true }])(
		'what cannot be compared stays as the history told it, with a hint (%j)',
		async (options) => {
			const done = await blind(isRead, 3600, { timeout: 30, ...options });
			expect(done.error).toBeUndefined();
			expect(wrongResults(done, done.state)).toBe(0);
			const [told, ...more] = unconfirmed(done);
			expect(more).toEqual([]);
			expect(done.state.jobs.list.some(({ id }) => told?.includes(id))).toBe(true);
		},
	);
});
