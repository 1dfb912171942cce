import type { SandboxSettingsInput } from '../../../sandbox/settings.mts';
import { CDN, IMAGE, openSandbox, STUDIO, UNIFIED } from './harness.mts';

/** What the document does not show, in each shape that the settings have for it. */

type Shapes = NonNullable<SandboxSettingsInput['shapes']>;

const CHARGE = { credits_used: 8, credits_remaining: 1042 };
const enveloped = (data: object) => ({ success: true, data });

test.each<[Shapes['creation'], (id: string) => object]>([
	[{}, (id) => enveloped({ generation_id: id, status: 'processing', ...CHARGE })],
	[
		{ enveloped: false, idField: 'job_id', stateField: 'state' },
		(id) => ({ job_id: id, state: 'processing', ...CHARGE }),
	],
	[
		{ beside: 'identity' },
		(id) => ({ ...enveloped(CHARGE), generation_id: id, status: 'processing' }),
	],
	[
		{ beside: 'rest', idField: 'id' },
		(id) => ({ ...enveloped({ id, status: 'processing' }), ...CHARGE }),
	],
	[
		{ secondId: 'id' },
		(id) => enveloped({ id: `not-${id}`, generation_id: id, status: 'processing', ...CHARGE }),
	],
	[
		{ link: 'field', ids: 'number' },
		() =>
			enveloped({
				...{ generation_id: 70001, status: 'processing', ...CHARGE },
				status_url: '/open/status/70001/',
			}),
	],
])('creation: %j', async (creation, expected) => {
	const { create } = await openSandbox({ shapes: { creation } });
	const { body, id } = await create(UNIFIED, { prompt: 'a' });
	expect(body).toEqual(expected(id));
	const shown = await create(IMAGE, { prompt: 'a' });
	expect(shown.body.data).toMatchObject({ generation_id: expect.anything(), credits_used: 8 });
});

test.each<[Shapes['record'], (id: string, url: string) => object]>([
	[{}, (id, image_url) => ({ job_id: id, status: 'completed', image_url })],
	[
		{ enveloped: true, stateField: 'state', upperCase: true, resultUrl: 'url' },
		(id, url) => enveloped({ job_id: id, state: 'COMPLETED', url }),
	],
	[
		{ oddStatus: true, stateField: 'state', resultUrl: 'result.url' },
		(id, url) => ({ job_id: id, status: 'ok', state: 'completed', result: { url } }),
	],
	[
		{ resultUrl: 'urls[]', secondUrl: 'urls[]', echo: true },
		(id, url) => ({
			...{ job_id: id, status: 'completed', request: { prompt: 'a' } },
			urls: [url, url.replace('.png', '-thumbnail.png')],
		}),
	],
	[
		{ resultUrl: 'images[].url', beside: 'identity' },
		(id, url) => ({ ...enveloped({ images: [{ url }] }), job_id: id, status: 'completed' }),
	],
])('record: %j', async (record, expected) => {
	const shapes = { creation: { idField: 'job_id' }, record };
	const { create, get, clock } = await openSandbox({ shapes });
	const { id } = await create(UNIFIED, { prompt: 'a' });
	await clock.advance(5000);
	const { body } = await get(`/open/status/${id}/`);
	expect(body).toEqual(expected(id, `${CDN}/media/${id}.png`));
});

test.each<[string, Shapes, SandboxSettingsInput['openPaths'], Record<string, number>]>([
	['a generation_id', {}, {}, { [IMAGE]: 200, '/open/status/': 404 }],
	['others', { creation: { idField: 'id' } }, {}, { [IMAGE]: 404, '/open/status/': 200 }],
	[
		'a path of its own',
		{ creation: { idField: 'id' } },
		{ imageStatusPath: '/images/{id}/' },
		{ '/images/': 200, '/open/status/': 404 },
	],
	['general', { served: 'general', creation: { idField: 'id' } }, {}, { [IMAGE]: 200 }],
	['nowhere', { served: 'none' }, {}, { [IMAGE]: 404, '/open/status/': 404, [STUDIO]: 404 }],
])('where the status is read: %s', async (_, shapes, openPaths, places) => {
	const { create, get } = await openSandbox({ shapes, openPaths });
	const { id } = await create(UNIFIED, { prompt: 'a' });
	for (const [place, status] of Object.entries(places)) {
		expect([place, (await get(`${place}${id}/`)).status]).toEqual([place, status]);
	}
});

test('jobs take as long as the settings say, by the seed', async () => {
	const durations = async (seed: number) => {
		const settings = { seed, jobMs: { min: 2000, max: 4000 }, limits: { concurrent: 50 } };
		const { image, sandbox } = await openSandbox(settings);
		for (let started = 0; started < 20; started++) await image();
		return sandbox.jobs.map(({ endsAt, createdAt }) => endsAt - createdAt);
	};
	const first = await durations(1);
	expect(await durations(1)).toEqual(first);
	expect(await durations(2)).not.toEqual(first);
	expect(first.every((ms) => ms >= 2000 && ms <= 4000)).toBe(true);
	expect(new Set(first).size).toBeGreaterThan(10);
});
