import { sampled } from '../../support/sampled.mts';
import { at, ended, many, watching, type ListShape } from './watching.mts';

/** A trigger on an account whose jobs begin one after another, ms apart. */
function account(list: ListShape = {}) {
	const trigger = watching({ shapes: { list } });
	const startJobs = async (count: number, apartMs: number) => {
		const ids: string[] = [];
		for (let job = 0; job < count; job++) {
			ids.push(...trigger.start());
			await trigger.clock.advance(apartMs);
		}
		return ids;
	};
	return { ...trigger, startJobs };
}

it('many jobs that have ended since the last poll are told of a hundred at a time, those first that ended first, also if n8n is killed between', async () => {
	const { activate, restart, workflow, startJobs, ids, poll } = account();
	await activate();
	const jobs = await startJobs(350, 10);
	await poll(1.5);
	await restart();
	await poll(5);
	expect(ids()).toEqual(jobs);
	expect(workflow.executions.map(({ items }) => items.length)).toEqual([100, 100, 100, 50]);
});

it.each<ListShape>(
	sampled([{}, { maxPage: 50 }, { repeats: true }, { entries: { times: false } }], 2),
)(
	'a history of thousands of jobs is not told of, and what ends later is, also after a restart: %j',
	async (list) => {
		const { activate, restart, workflow, startJobs, ids, poll } = account(list);
		await startJobs(2500, 1);
		await poll();
		await activate();
		const jobs = await startJobs(30, 10);
		await poll(3);
		await restart();
		jobs.push(...(await startJobs(120, 10)));
		await poll(3);
		expect(ids()).toEqual(jobs);
		expect(workflow.stored.length).toBeLessThan(150_000);
	},
);

it('a job that took long, below more than a hundred newer ones, is found in half an hour', async () => {
	const { list, activate, poll, ids } = watching();
	const old = many(450, (index) => ended(`old${index}`, { created_at: at(-index) }));
	list(...old);
	await activate();
	// A video of five minutes; 120 images begin and end meanwhile.
	const images = many(120, (index) => ended(`i${index}`, { created_at: at(6 - index / 24) }));
	list(...images, ...old);
	await poll(3);
	list(...images, ended('video', { created_at: at(0.5) }), ...old);
	await poll(30);
	expect(ids()).toHaveLength(121);
});

it('a job that both histories list, each by an identifier of its own, is told of once', async () => {
	const { list, listStudio, activate, poll, urls } = watching();
	const video_url = 'https://cdn.example/kite.mp4';
	list();
	listStudio();
	await activate();
	list(ended('generation-3', { video_url, generation_type: 'video', image_url: undefined }));
	listStudio({ id: 'studio-7', status: 'completed', video_url });
	await poll(5);
	expect(urls()).toEqual([video_url]);
});
