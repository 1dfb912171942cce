import { asText, timelineOf, type Batch } from '../../../tools/trace.mts';

const BATCH: Batch = { seed: 3, jobs: 8, processes: 1, apartMs: 0, history: 'true' };

test('a trace has all requests of a batch, each with its reason', async () => {
	const timeline = await timelineOf(BATCH);
	const creations = timeline.filter(({ method }) => method === 'POST');
	expect(creations).toHaveLength(8);
	for (const { because, status, running } of timeline) {
		expect(because).toMatch(/^\w+( [^ ]+){2,}$/);
		expect(status).toBeGreaterThanOrEqual(200);
		expect(running).toBeLessThanOrEqual(5);
	}
	const ends = timeline.filter(({ because }) => because === 'it is said to have ended');
	expect(ends.length).toBeGreaterThan(0);
	for (const { path } of ends) expect(path).toMatch(/^\/api\/v1\/generate\/[^/]+\/$/);
});

test('the balance is read, then one job is created, and the others follow', async () => {
	const timeline = await timelineOf(BATCH);
	expect(timeline.slice(0, 3).map(({ method, because }) => [method, because])).toEqual([
		['GET', 'several jobs are to be paid for'],
		['POST', 'it has a place; others take 0'],
		['POST', 'it has a place; others take 0'],
	]);
});

test('the same seed gives the same trace, another one another', async () => {
	const text = async (batch: Batch) => asText(batch, await timelineOf(batch));
	const one = await text(BATCH);
	expect(await text(BATCH)).toBe(one);
	expect(await text({ ...BATCH, seed: 4 })).not.toBe(one);
	expect(one).toContain('GET  /api/v1/generate/job1/');
});

test('processes know of one another by the history alone', async () => {
	const timeline = await timelineOf({ ...BATCH, jobs: 16, processes: 2, apartMs: 0 });
	const creations = timeline.filter(({ method }) => method === 'POST');
	expect(new Set(creations.map(({ process }) => process))).toEqual(new Set([1, 2]));
	const reasons = creations.filter(({ process }) => process === 2).map(({ because }) => because);
	expect(reasons.some((because) => /others take [1-5]/.test(because))).toBe(true);
});

test('a history that there is none of is an error', async () => {
	await expect(timelineOf({ ...BATCH, history: 'made up' })).rejects.toThrow('made up');
});
