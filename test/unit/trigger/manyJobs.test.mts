import type { IHttpRequestOptions } from 'n8n-workflow';

import type { SandboxSettingsInput } from '../../../sandbox/settings.mts';
import { nightly, sampled } from '../../support/sampled.mts';
import { VirtualPolling } from '../../support/virtualPoll.mts';
import { VirtualN8n } from '../../support/virtualRun.mts';
import { startJob } from './tell.mts';

const MINUTE_MS = 60_000;

type ListShape = NonNullable<NonNullable<SandboxSettingsInput['shapes']>['list']>;

function watching(list: ListShape = {}) {
	const n8n = new VirtualN8n({ settings: { shapes: { list } } });
	const polling = new VirtualPolling(n8n);
	const workflow = polling.add();
	const { clock, state } = n8n;
	return {
		clock,
		state,
		polling,
		workflow,
		list: state.settings.shapes.list,
		/** One after another, ms apart. */
		startJobs: async (count: number, apartMs = 0, ms = 1000) => {
			const ids: string[] = [];
			for (let job = 0; job < count; job++) {
				ids.push(startJob(state, { made: 'image generate', fails: false, ms }).id);
				if (apartMs > 0) await clock.advance(apartMs);
			}
			return ids;
		},
		ids: () => workflow.items.map(({ json }) => json.jobId),
	};
}

describe('many jobs that have ended since the last poll', () => {
	it('are told of a hundred at a time, those first that ended first', async () => {
		const { clock, polling, workflow, startJobs, ids } = watching();
		await clock.run(workflow.activate());
		void polling.restart(60 * MINUTE_MS);
		const jobs = await startJobs(350, 2000);
		expect(ids()).toEqual([]);
		await clock.advance(60 * MINUTE_MS);
		expect(ids()).toEqual(jobs);
		expect(workflow.executions.map(({ items }) => items.length)).toEqual([100, 100, 100, 50]);
	});

	it('are told of once although n8n is killed between two of these polls', async () => {
		const { clock, polling, workflow, startJobs, ids } = watching();
		await clock.run(workflow.activate());
		const jobs = await startJobs(350, 10);
		await clock.advance(1.5 * MINUTE_MS);
		await clock.run(polling.restart(MINUTE_MS));
		await clock.advance(5 * MINUTE_MS);
		expect(ids()).toEqual(jobs);
	});

	it.each([20, 60])('%i whose status has to be read are told of within minutes', async (count) => {
		const { clock, workflow, startJobs, ids } = watching({ entries: { urls: false } });
		await clock.run(workflow.activate());
		const jobs = await startJobs(count, 1);
		await clock.advance((2 + count / 10) * MINUTE_MS);
		expect(ids()).toEqual(jobs);
		expect(workflow.items.filter(({ json }) => json.mediaUrl === null)).toEqual([]);
	});
});

describe('a history of thousands of jobs', () => {
	it.each<ListShape>(
		sampled([{}, { maxPage: 50 }, { repeats: true }, { entries: { times: false } }], 2),
	)('is not told of, and what ends later is, also after a restart: %j', async (list) => {
		const { clock, polling, workflow, startJobs, ids } = watching(list);
		await startJobs(2500, 1);
		await clock.advance(MINUTE_MS);
		await clock.run(workflow.activate());
		const jobs = await startJobs(30, 10);
		await clock.advance(3 * MINUTE_MS);
		await clock.run(polling.restart(MINUTE_MS));
		jobs.push(...(await startJobs(120, 10)));
		await clock.advance(3 * MINUTE_MS);
		expect(ids()).toEqual(jobs);
		expect(workflow.stored.length).toBeLessThan(160_000);
	});

	nightly('is not told of when the list has another order all at once', async () => {
		const { clock, workflow, startJobs, ids, list } = watching();
		await startJobs(2500, 1);
		await clock.advance(MINUTE_MS);
		await clock.run(workflow.activate());
		await clock.advance(5 * MINUTE_MS);
		list.order = 'oldest';
		await clock.advance(5 * MINUTE_MS);
		list.order = 'shuffled';
		await clock.advance(5 * MINUTE_MS);
		expect(ids()).toEqual([]);
		list.order = 'newest';
		const jobs = await startJobs(3);
		await clock.advance(5 * MINUTE_MS);
		expect(ids()).toEqual(jobs);
	});

	nightly(
		'that grows by thousands is told of to the last, in memory that does not grow',
		async () => {
			const { clock, workflow, startJobs, ids } = watching();
			await clock.run(workflow.activate());
			const jobs: string[] = [];
			for (let round = 0; round < 75; round++) {
				jobs.push(...(await startJobs(90, 1)));
				await clock.advance(MINUTE_MS);
			}
			await clock.advance(3 * MINUTE_MS);
			expect(ids().length).toBe(jobs.length);
			expect(new Set(ids())).toEqual(new Set(jobs));
			expect(workflow.stored.length).toBeLessThan(160_000);
		},
	);
});

/** So many jobs that ended long ago, the newest first; each has three identifiers. */
const endedLongAgo = (list: string, count: number) =>
	Array.from({ length: count }, (_, index) => ({
		id: `${list} ${index}`,
		task_id: `${list} task ${index}`,
		job_id: `${list} job ${index}`,
		status: 'completed',
		generation_type: 'video',
		video_url: `https://cdn.example/${list}-${index}.mp4`,
		created_at: new Date(Date.UTC(2025, 11, 1) - 10 * index * MINUTE_MS).toISOString(),
		completed_at: new Date(Date.UTC(2025, 11, 1) - (10 * index - 1) * MINUTE_MS).toISOString(),
	}));

describe.each(sampled([2600, 1990], 1))(
	'two histories of %i jobs that have three identifiers each',
	(count) => {
		nightly(
			'are not told of, however often they are read to their end, also after a restart',
			async () => {
				const lists = {
					generation: endedLongAgo('generation', count),
					videoStudio: endedLongAgo('video studio', count),
				};
				const n8n = new VirtualN8n({
					retell: (answer: unknown, { url, qs }: IHttpRequestOptions) => {
						const from = Number(qs?.offset ?? 0);
						if (url.endsWith('/api/v1/video-studio/history/')) return lists.videoStudio;
						if (!url.endsWith('/api/v1/generate/history/')) return answer;
						return lists.generation.slice(from, from + Number(qs?.limit));
					},
				});
				const polling = new VirtualPolling(n8n);
				const workflow = polling.add();
				await n8n.clock.run(workflow.activate());
				await n8n.clock.advance(32 * MINUTE_MS);
				await n8n.clock.run(polling.restart(MINUTE_MS));
				await n8n.clock.advance(5 * MINUTE_MS);
				expect(workflow.items).toEqual([]);
				lists.generation.unshift({
					...endedLongAgo('new', 1)[0]!,
					created_at: new Date(n8n.clock.now()).toISOString(),
				});
				await n8n.clock.advance(2 * MINUTE_MS);
				polling.stop();
				expect(workflow.items.map(({ json }) => json.jobId)).toEqual(['new 0']);
				expect(workflow.stored.length).toBeLessThan(290_000);
			},
		);
	},
);

it('what a workflow does with its items is nothing to another', async () => {
	const { clock, state, polling, workflow, startJobs } = watching();
	workflow.parameters = { options: { simplify: false } };
	const other = polling.add(workflow.parameters);
	state.settings.shapes.record.echo = true;
	await clock.run(workflow.activate());
	await clock.run(other.activate());
	await startJobs(1);
	await clock.advance(2 * MINUTE_MS);
	const objects = [workflow, other].map(({ items }) =>
		Object.values(items[0]!.json).filter(isObject),
	);
	for (const one of objects[0]!) expect(objects[1]).not.toContain(one);
});

const isObject = (value: unknown) => typeof value === 'object' && value !== null;
