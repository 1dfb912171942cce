import { openSandbox } from './harness.mts';

describe('states', () => {
	it('takes a job from queued to completed', async () => {
		const { image, record, clock, sandbox } = await openSandbox({
			mediaBase: 'https://cdn.example',
		});
		const id = await image({ prompt: 'a cat', size: '1:1' });
		const queued = {
			id,
			generation_type: 'image',
			status: 'queued',
			prompt: 'a cat',
			credits_used: 8,
			created_at: '2026-01-01T00:00:00.000Z',
			completed_at: null,
		};
		expect(await record(id)).toEqual(queued);
		await clock.advance(999);
		expect(await record(id)).toEqual(queued);
		await clock.advance(1);
		expect(await record(id)).toEqual({ ...queued, status: 'processing' });
		await clock.advance(3999);
		expect(await record(id)).toEqual({ ...queued, status: 'processing' });
		await clock.advance(1);
		const completed = {
			...queued,
			status: 'completed',
			completed_at: '2026-01-01T00:00:05.000Z',
			image_url: `https://cdn.example/media/${id}.png`,
		};
		expect(await record(id)).toEqual(completed);
		await clock.advance(86_400_000);
		expect(await record(id)).toEqual(completed);
		expect(sandbox.jobs.map(({ state }) => state)).toEqual(['completed']);
	});

	it('fails a job whose prompt says so, and keeps the credits', async () => {
		const { image, record, clock, account } = await openSandbox();
		const id = await image({ prompt: 'a cat [fail]' });
		await clock.advance(4999);
		expect((await record(id)).status).toBe('processing');
		await clock.advance(1);
		expect(await record(id)).toMatchObject({
			status: 'failed',
			error_message: 'The sandbox was asked to fail this generation.',
			completed_at: '2026-01-01T00:00:05.000Z',
		});
		expect(await record(id)).not.toHaveProperty('image_url');
		expect(account.credits.purchased).toBe(992);
	});

	it('draws durations from the range of the settings, by the seed', async () => {
		const durations = async (seed: number) => {
			const settings = { seed, jobMs: { min: 2000, max: 4000 }, limits: { concurrent: 50 } };
			const { image, sandbox } = await openSandbox(settings);
			for (let started = 0; started < 20; started++) await image();
			return sandbox.jobs.map(({ endsAt, createdAt }) => endsAt - createdAt);
		};
		const first = await durations(1);
		expect(await durations(1)).toEqual(first);
		expect(await durations(2)).not.toEqual(first);
		expect(Math.min(...first)).toBeGreaterThanOrEqual(2000);
		expect(Math.max(...first)).toBeLessThanOrEqual(4000);
		expect(new Set(first).size).toBeGreaterThan(10);
	});

	it('answers 404 for an unknown job', async () => {
		const { get } = await openSandbox();
		const answer = await get('/api/v1/generate/00000000-0000-4000-8000-000000000000/');
		expect(answer.status).toBe(404);
		expect(answer.body).toEqual({ success: false, error: 'No such generation.' });
	});
});
