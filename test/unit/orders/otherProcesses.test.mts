import { VirtualN8n } from '../../support/virtualRun.mts';
import { VirtualWorker } from '../../support/virtualWorker.mts';
import type { NetworkOptions } from '../../support/virtualNetwork.mts';

/** Jobs that are created beside others: of this process, or of one that is seen through the history alone. */

const image = (prompts: string[], options: object = {}) => ({
	items: prompts.map((prompt) => ({ prompt })),
	parameters: (item: number) => ({
		resource: 'image',
		operation: 'generate',
		size: '1:1',
		prompt: prompts[item],
		options,
	}),
});

const account = (settings: NetworkOptions['settings'] = {}) =>
	new VirtualN8n({ settings: { credits: { purchased: 100_000 }, ...settings } });

const numbered = (name: string, count: number) =>
	Array.from({ length: count }, (_, index) => `${name} ${index}`);

/** When jobs were created, s from the start. */
function createdAt({ state }: VirtualN8n, startedAt: number): number[] {
	return state.jobs.list.map((job) => (job.createdAt - startedAt) / 1000);
}

test.each([
	[2, 0],
	[2, 1000],
	[5, 0],
	[5, 1000],
])(
	'%i executions of one item, %i ms apart, do not wait for one another',
	async (count, apartMs) => {
		const n8n = account({ jobMs: { min: 30_000, max: 30_000 } });
		const startedAt = n8n.clock.now();
		const runs = numbered('run', count).map(async (prompt, index) => {
			await n8n.clock.sleep(index * apartMs);
			return await n8n.execute(image([prompt]));
		});
		await n8n.clock.run(Promise.all(runs));
		const late = createdAt(n8n, startedAt).map((at, index) => at - (index * apartMs) / 1000);
		expect(Math.max(...late)).toBeLessThan(0.5);
	},
);

test.each(['all', 'ended', 'video'] as const)(
	'where others take all places, one item is created soon after one is free; history lists %s',
	async (lists) => {
		const n8n = account({
			jobMs: { min: 60_000, max: 60_000 },
			shapes: { list: { lists } },
		});
		const startedAt = n8n.clock.now();
		const others = new VirtualWorker(n8n, 'other').execute(image(numbered('other', 5)));
		const own = n8n.clock.sleep(5000).then(async () => await n8n.execute(image(['own'])));
		await n8n.clock.run(Promise.all([others, own]));
		expect(createdAt(n8n, startedAt).at(-1)).toBeLessThan(80);
	},
);

test.each(['all', 'ended', 'video'] as const)(
	'and so are several; history lists %s',
	async (lists) => {
		const n8n = account({
			jobMs: { min: 60_000, max: 60_000 },
			shapes: { list: { lists } },
		});
		const startedAt = n8n.clock.now();
		const others = new VirtualWorker(n8n, 'other').execute(image(numbered('other', 5)));
		const own = n8n.clock
			.sleep(5000)
			.then(async () => await n8n.execute(image(numbered('own', 5))));
		await n8n.clock.run(Promise.all([others, own]));
		const times = createdAt(n8n, startedAt).slice(5);
		expect(times[0]).toBeLessThan(80);
		expect(times.at(-1)).toBeLessThan(100);
	},
);

test('stopping one execution does not keep another from creating', async () => {
	const n8n = account({ jobMs: { min: 30_000, max: 30_000 } });
	const startedAt = n8n.clock.now();
	const stop = new AbortController();
	const stopped = n8n.execute({ ...image(numbered('stopped', 3)), signal: stop.signal });
	const other = n8n.execute(image(numbered('other', 3)));
	void n8n.clock.sleep(70).then(() => stop.abort());
	await n8n.clock.run(Promise.all([stopped, other]));
	const own = n8n.state.jobs.list.filter(({ body }) => String(body.prompt).startsWith('other'));
	expect(own).toHaveLength(3);
	expect(Math.max(...own.map((job) => (job.createdAt - startedAt) / 1000))).toBeLessThan(35);
});

test('one at a time is one at a time, beside another execution too', async () => {
	const n8n = account({ jobMs: { min: 3000, max: 9000 } });
	const runs = ['a', 'b'].map(
		async (name) => await n8n.execute(image(numbered(name, 6), { maxConcurrentJobs: 1 })),
	);
	await n8n.clock.run(Promise.all(runs));
	const { list } = n8n.state.jobs;
	expect(list).toHaveLength(12);
	for (const name of ['a', 'b']) {
		const own = list.filter(({ body }) => String(body.prompt).startsWith(name));
		for (const [index, job] of own.slice(1).entries())
			expect(job.createdAt).toBeGreaterThanOrEqual(own[index]!.endsAt);
	}
});

test.each(['all', 'ended'] as const)(
	'jobs that nobody waits for are all created; history lists %s',
	async (lists) => {
		const n8n = account({ jobMs: { min: 20_000, max: 20_000 }, shapes: { list: { lists } } });
		const startedAt = n8n.clock.now();
		const work = image(numbered('own', 12));
		await n8n.clock.run(
			n8n.execute({
				...work,
				parameters: (item) => ({ ...work.parameters(item), waitForCompletion: false }),
			}),
		);
		const times = createdAt(n8n, startedAt);
		expect(times).toHaveLength(12);
		expect(times.at(-1)).toBeLessThan(70);
	},
);

test('a place is tried for, too, where others seem to take all of them with ever new jobs', async () => {
	let told = 0;
	const startsAt = Date.UTC(2026, 0, 1);
	const other = (index: number) => ({
		id: `other ${told++} ${index}`,
		status: 'processing',
		created_at: new Date(startsAt).toISOString(),
	});
	const n8n = new VirtualN8n({
		settings: { jobMs: { min: 3000, max: 3000 } },
		retell: (answer, { url }) =>
			url.endsWith('/history/') ? Array.from({ length: 5 }, (_, index) => other(index)) : answer,
	});
	const done = n8n.execute(image(numbered('own', 3)));
	let hasEnded = false;
	void done.finally(() => (hasEnded = true));
	await n8n.clock.advance(200_000);
	expect(hasEnded).toBe(true);
	expect(n8n.state.jobs.list).toHaveLength(3);
});

const refusedOf = ({ state }: VirtualN8n) =>
	state.journal.entries.filter(({ status }) => status === 429);

test('the end of a job of long ago does not make others seem to be gone', async () => {
	const n8n = account({ jobMs: { min: 70_000, max: 70_000 } });
	const others = new VirtualWorker(n8n, 'other');
	const own = new VirtualWorker(n8n, 'own');
	const runs = [
		others.execute(image(numbered('other', 8))),
		n8n.clock.sleep(5000).then(async () => await own.execute(image(numbered('own', 6)))),
	];
	await n8n.clock.run(Promise.all(runs));
	const from = n8n.state.jobs.list[5]!.createdAt;
	const late = refusedOf(n8n).filter(({ at, kind }) => at >= from && kind === 'create');
	expect(late.length).toBeLessThanOrEqual(4);
});

test('a job that ends between a look and a read does not speak against the history', async () => {
	const n8n = account({ jobMs: { min: 20_000, max: 40_000 } });
	const workers = numbered('worker', 4).map((name) => new VirtualWorker(n8n, name));
	const runs = workers.map(
		async (worker, index) => await worker.execute(image(numbered(String(index), 20))),
	);
	await n8n.clock.run(Promise.all(runs));
	const { entries } = n8n.state.journal;
	expect(refusedOf(n8n).length / entries.length).toBeLessThan(0.05);
});
