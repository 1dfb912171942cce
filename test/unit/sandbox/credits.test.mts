import { openSandbox } from './harness.mts';

describe('credits', () => {
	it('charges a job when it is created', async () => {
		const { post, account, clock } = await openSandbox();
		const answer = await post('/api/v1/generate/', { prompt: 'a cat', size: '3:2' });
		expect(answer.status).toBe(201);
		expect(answer.body).toEqual({
			success: true,
			data: {
				generation_id: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
				status: 'processing',
				credits_used: 8,
				credits_remaining: 1042,
				message: expect.any(String),
			},
		});
		const jobId = answer.body.data.generation_id;
		expect(account.credits).toEqual({ purchased: 992, welcome: 50 });
		expect(account.charges).toEqual([
			{ jobId, operation: 'image.generate', credits: 8, at: clock.now() },
		]);
	});

	it('charges the price of the settings where none is shown', async () => {
		const { post, account } = await openSandbox({ openPrice: 13 });
		await post('/api/v1/image/generate', { prompt: 'a cat' });
		expect(account.charges.map(({ credits }) => credits)).toEqual([13]);
	});

	it('gives the credit summary', async () => {
		const { get, image } = await openSandbox({ credits: { purchased: 500, welcome: 50 } });
		await image();
		const answer = await get('/payments/api/credits/');
		expect(answer.status).toBe(200);
		expect(answer.body).toEqual({
			credits_balance: 542,
			total_spent: '5.00',
			total_credits_purchased: 500,
		});
	});

	it('does not take welcome credits', async () => {
		const { post, sandbox, account } = await openSandbox({
			credits: { purchased: 0, welcome: 50 },
		});
		const answer = await post('/api/v1/generate/', { prompt: 'a cat' });
		expect(answer.status).toBe(402);
		expect(answer.body).toEqual({
			success: false,
			error:
				'No credits have been purchased for API usage. Welcome credits cannot be used through the API.',
		});
		expect(sandbox.jobs).toEqual([]);
		expect(account.credits.welcome).toBe(50);
	});

	it('does not give on credit', async () => {
		const { post, account } = await openSandbox();
		account.credits.purchased = 15;
		expect((await post('/api/v1/generate/', { prompt: 'a cat' })).status).toBe(201);
		const answer = await post('/api/v1/generate/', { prompt: 'a cat' });
		expect(answer.status).toBe(402);
		expect(answer.body.error).toBe('Insufficient credits: this costs 8, and 7 are available.');
		expect(account.credits.purchased).toBe(7);
	});
});
