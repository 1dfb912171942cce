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

// Thousands of jobs take their time on a busy machine.
jest.setTimeout(30_000);

describe('a history of thousands of jobs', () => {
	const LISTS = [{}, { maxPage: 50 }, { repeats: true }, { entries: { times: false } }];

	it.each<ListShape>(sampled(LISTS, 2))(
		'is not told of, and what ends later is, also after a restart: %j',
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
});

describe('a list that has the newest first', () => {
	const OLD = many(450, (index) => ended(`old${index}`, { created_at: at(-index) }));

	it('is read to a page without news, any other to its end', async () => {
		const { list, activate, poll, ids, asked } = watching();
		const pages = async (entries: object[]) => {
			list(...entries);
			await poll(2);
			const before = asked.length;
			await poll();
			return asked.slice(before).filter(({ path }) => path.includes('generate')).length;
		};
		list(...OLD);
		await activate();
		const [one, ...rest] = OLD;
		const untimed = OLD.map(({ created_at: _, ...entry }) => entry);
		expect(await pages(OLD)).toBe(1);
		for (const other of [OLD.toReversed(), rest.toSpliced(50, 0, one!), untimed])
			expect(await pages(other)).toBe(6);
		expect(ids()).toEqual([]);
	});

	it('a job that took long, below more than a hundred newer ones, is found in half an hour', async () => {
		const { list, activate, poll, ids } = watching();
		list(...OLD);
		await activate();
		// A video of five minutes; 120 images begin and end meanwhile.
		const images = many(120, (index) => ended(`i${index}`, { created_at: at(6 - index / 24) }));
		list(...images, ...OLD);
		await poll(3);
		list(...images, ended('video', { created_at: at(0.5) }), ...OLD);
		await poll(30);
		expect(ids()).toHaveLength(121);
	});
});

describe('a job that both histories list is told of once', () => {
	it('though each has an identifier of its own for it', async () => {
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

	it('but two jobs of one list that have the same result are two', async () => {
		const { list, activate, poll, ids } = watching();
		list();
		await activate();
		const image_url = 'https://cdn.example/same.png';
		list(ended('a', { image_url }), ended('b', { image_url }));
		await poll(2);
		expect(ids().sort()).toEqual(['a', 'b']);
	});
});
