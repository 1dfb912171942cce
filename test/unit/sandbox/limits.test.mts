import { openSandbox } from './harness.mts';

const CREDITS = '/payments/api/credits/';

describe('limits', () => {
	it('tells when to come back, if the settings say so', async () => {
		const limits = { requestsPerWindow: 2, concurrent: 1 };
		const { post, clock } = await openSandbox({ limits, retryAfter: true });
		await post('/api/v1/generate/', { prompt: 'a cat' });
		await clock.advance(1500);
		const tooMany = await post('/api/v1/generate/', { prompt: 'a cat' });
		expect(tooMany.headers['retry-after']).toBe('4');
		const tooFast = await post('/api/v1/generate/', { prompt: 'a cat' });
		expect(tooFast.headers['retry-after']).toBe('59');
	});

	it('follows changes of the settings', async () => {
		const { post, settings } = await openSandbox();
		settings.limits.concurrent = 1;
		expect((await post('/api/v1/generate/', { prompt: 'a cat' })).status).toBe(201);
		expect((await post('/api/v1/generate/', { prompt: 'a cat' })).status).toBe(429);
	});

	it('does not count requests without a key, nor media', async () => {
		const { get, image, clock } = await openSandbox({ limits: { requestsPerWindow: 2 } });
		const id = await image();
		await clock.advance(5000);
		for (let sent = 0; sent < 3; sent++) {
			expect((await get(CREDITS, { authorization: 'wrong' })).status).toBe(401);
			expect((await get(`/media/${id}.png`, { authorization: null })).status).toBe(200);
		}
		expect((await get(CREDITS)).status).toBe(200);
		expect((await get(CREDITS)).status).toBe(429);
	});
});
