import { MADE_UP_FAMILY } from './sandboxFamily.mts';
import { openSandbox } from './harness.mts';

const open = () => openSandbox({ catalogs: [MADE_UP_FAMILY], mediaBase: 'https://cdn.example' });

describe('a family that only its table knows', () => {
	it('has a route, a price and a status', async () => {
		const { post, get, clock } = await open();
		const body = { mode: 'text', prompt: 'a film', seconds: 4, model: 'fine', sound: true };
		const created = await post('/vidZ99/generate/', body);
		expect(created.status).toBe(201);
		expect(created.body).toEqual({
			success: true,
			data: {
				task_id: expect.any(String),
				status: 'processing',
				model: 'fine',
				credits_charged: 308,
				estimated_time: '5 seconds',
			},
		});
		const id = created.body.data.task_id;
		const status = () => get(`/vidZ99/status/${id}/`);
		expect((await status()).body).toEqual({ success: true, data: { status: 'queued' } });
		await clock.advance(5000);
		expect((await status()).body).toEqual({
			success: true,
			data: {
				status: 'completed',
				video_url: `https://cdn.example/media/${id}.mp4`,
				resolution: '1080p',
				duration: 8,
			},
		});
		expect((await get(`/api/v1/generate/${id}/`)).status).toBe(404);
	});

	it.each([
		[60, { mode: 'text', prompt: 'a film', seconds: 3 }],
		[50, { mode: 'text', prompt: 'a film', seconds: 3, share: true }],
		[135, { mode: 'text', prompt: 'a film', seconds: 5, model: 'fine' }],
		[55, { mode: 'images', prompt: 'a film', sketch: 'https://a.example/b.png' }],
	])('charges %d credits for %j', async (credits, body) => {
		const { post, account } = await open();
		await post('/vidZ99/generate/', body);
		expect(account.charges).toMatchObject([{ credits }]);
	});

	it('tells operations at the same path apart', async () => {
		const { post, journal } = await open();
		await post('/vidZ99/generate/', { mode: 'text', prompt: 'a film', seconds: 3 });
		await post('/vidZ99/generate/', { mode: 'images', prompt: 'a film' });
		await post('/vidZ99/generate/', { prompt: 'a film' });
		expect(journal.entries.map(({ operation, status }) => [operation, status])).toEqual([
			['vidZ99.textToVideo', 201],
			['vidZ99.imageToVideo', 400],
			[undefined, 400],
		]);
	});

	it('is served at a path of the settings where its own is not shown', async () => {
		const [first] = MADE_UP_FAMILY.operations;
		if (!first) throw new Error('no operation');
		const operations = [{ ...first, path: { openPoint: 'familyPath' } }];
		const catalogs = [{ ...MADE_UP_FAMILY, operations }];
		const body = { mode: 'text', prompt: 'a film', seconds: 3 };
		const { post, settings } = await openSandbox({ catalogs });
		expect((await post('/films/', body)).status).toBe(404);
		settings.openPaths.familyPath = '/films/';
		expect((await post('/films/', body)).status).toBe(201);
	});
});
