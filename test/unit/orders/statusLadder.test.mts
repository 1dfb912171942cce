import type { IDataObject } from 'n8n-workflow';

import type { SandboxSettingsInput } from '../../../sandbox/settings.mts';
import { nightly, sampled } from '../../support/sampled.mts';
import { VirtualN8n } from '../../support/virtualRun.mts';

/** Jobs whose status path is not documented, with an address and a key alone. */

type Shapes = NonNullable<SandboxSettingsInput['shapes']>;

const FAMILIES: Record<string, IDataObject> = {
	'Unified Image': { resource: 'image', operation: 'generateUnified', aspectRatio: '1:1' },
	'Family B 3.0': {
		resource: 'vidB30',
		operation: 'generate',
		generationMode: 'text_to_video',
		sound: false,
		durationSeconds: 5,
		qualityMode: 'pro',
		aspectRatio: '16:9',
	},
	'Family B 2.6': {
		resource: 'vidB26',
		operation: 'textToVideo',
		duration: '5',
		aspectRatio: '16:9',
	},
	'Family C': {
		resource: 'vidC',
		operation: 'textToVideo',
		aspect_ratio: 'landscape',
		quality: 'high',
	},
	'Family D': {
		resource: 'vidD',
		operation: 'generate',
		aspect_ratio: '16:9',
		resolution: '480p',
		duration: '4',
		generate_audio: false,
	},
	'Family E 2.6': {
		resource: 'vidE26',
		operation: 'textToVideo',
		duration: '5',
		resolution: '720p',
	},
};

const SERVED: Record<string, { shapes: Shapes; startedWith: string; isVideoOnly?: true }> = {
	'the status of any generation': { shapes: { served: 'general' }, startedWith: 'generation' },
	'the generation history': { shapes: { served: 'history' }, startedWith: 'generationHistory' },
	'the generation history, without URLs, and the record of its own id': {
		shapes: { served: 'history', list: { entries: { urls: false, ownId: true } } },
		startedWith: 'generationHistory',
	},
	'the Video Studio history': {
		shapes: { served: 'studio' },
		startedWith: 'videoStudioHistory',
		isVideoOnly: true,
	},
	'a link in a field': {
		shapes: { served: 'none', creation: { link: 'field' } },
		startedWith: 'family',
	},
	'the header Location': {
		shapes: { served: 'none', creation: { link: 'header' } },
		startedWith: 'family',
	},
};

const IDENTIFIERS = ['generation_id', 'task_id', 'job_id', 'id'];

const jobMs = { min: 20_000, max: 20_000 };

function serviceWith(shapes: Shapes, idField: string, more: object = {}) {
	const creation = { ...shapes.creation, idField };
	const settings = { jobMs, shapes: { ...shapes, creation }, credits: { purchased: 100_000 } };
	return new VirtualN8n({ settings, ...more });
}

async function make(n8n: VirtualN8n, family: string, count = 1, more: IDataObject = {}) {
	const { resource } = FAMILIES[family]!;
	return await n8n.clock.run(
		n8n.execute({
			items: Array.from({ length: count }, () => ({})),
			parameters: (item) => ({ ...FAMILIES[family], prompt: `a kite, number ${item}`, ...more }),
			kind: resource === 'image' ? 'image' : 'video',
		}),
	);
}

/** Requests that read a job; a batch looks at the history besides, for places. */
/** Read before several jobs are created. */
const isBalance = (path: string) => path === '/payments/api/credits/';

function readsOf({ state }: VirtualN8n) {
	const isLook = (query: object) => Number(Object(query).limit ?? 100) < 100;
	const reads = state.journal.entries.filter(
		({ method, path, query }) => method === 'GET' && !isLook(query) && !isBalance(path),
	);
	const inVain = reads.filter(({ status }) => status !== 200);
	return { reads: reads.length, inVain: inVain.length };
}

const cases = Object.keys(FAMILIES).flatMap((family) =>
	IDENTIFIERS.flatMap((idField) =>
		Object.entries(SERVED)
			.filter(([, { isVideoOnly }]) => !isVideoOnly || family !== 'Unified Image')
			.filter(([, { shapes }]) => !shapes.list?.entries?.ownId || idField !== 'id')
			.map(([where, served]) => [family, idField, where, served] as const),
	),
);

test.each(sampled(cases, 36))(
	'%s, %s, read by %s',
	async (family, idField, _where, { shapes, startedWith }) => {
		const n8n = serviceWith(shapes, idField);
		const { items, error, hints } = await make(n8n, family);
		expect(error).toBeUndefined();
		const [job] = n8n.state.jobs.list;
		expect(items).toHaveLength(1);
		expect(items[0]!.json).toMatchObject({
			status: 'completed',
			mediaUrl: expect.stringContaining(job!.id),
			jobId: job!.id,
			details: {
				startedWith:
					startedWith === 'family' ? expect.stringMatching(/^(vid|imageUnified)/) : startedWith,
			},
		});
		expect(items[0]!.json).not.toHaveProperty('notWaited');
		expect(n8n.state.jobs.list).toHaveLength(1);
		expect(
			hints.filter(({ message }) => message.includes('If the service tells you the path')),
		).toHaveLength(1);
		expect(readsOf(n8n).inVain).toBeLessThanOrEqual(3);
	},
);

test.each(
	Object.keys(FAMILIES).flatMap((family) => IDENTIFIERS.map((id) => [family, id] as const)),
)('%s, %s, read nowhere: handed on with what was tried', async (family, idField) => {
	const n8n = serviceWith({ served: 'none' }, idField);
	const { items, error } = await make(n8n, family, 3);
	expect(error).toBeUndefined();
	const ids = n8n.state.jobs.list.map(({ id }) => id);
	expect(items.map(({ json }) => json.jobId).sort()).toEqual([...ids].sort());
	for (const { json } of items) {
		expect(json.notWaited).toEqual(expect.stringContaining('Status Path'));
		expect(json.mediaUrl).toBeNull();
	}
	const told = items.map(({ json }) => String(json.notWaited));
	expect(told.filter((text) => text.includes('/api/v1/generate/{generation_id}/'))).toHaveLength(1);
	expect(readsOf(n8n).reads).toBeLessThanOrEqual(3);
	expect(n8n.state.jobs.list).toHaveLength(3);
});

test('only the first job of a family asks in vain, also of several runs', async () => {
	const n8n = serviceWith({ served: 'studio' }, 'task_id');
	await make(n8n, 'Family D', 4);
	await make(n8n, 'Family D', 4);
	expect(readsOf(n8n).inVain).toBe(1);
	const lists = n8n.state.journal.entries.filter(({ path }) => path.endsWith('generate/history/'));
	expect(lists.filter(({ query }) => Number(query.limit) === 100)).toHaveLength(1);
	await make(n8n, 'Family E 2.6');
	expect(readsOf(n8n).inVain).toBe(2);
});

test('what answered no is asked again after five minutes', async () => {
	const n8n = serviceWith({ served: 'none' }, 'task_id');
	const [first] = (await make(n8n, 'Family D')).items;
	n8n.state.settings.shapes.served = 'general';
	const [second] = (await make(n8n, 'Family D')).items;
	await n8n.clock.advance(300_000);
	const [third] = (await make(n8n, 'Family D')).items;
	expect([first, second].map((item) => item!.json.notWaited)).toEqual([
		expect.stringContaining('does not list the job'),
		expect.stringContaining('less than 5 minutes ago'),
	]);
	expect(third!.json).toMatchObject({
		status: 'completed',
		details: { startedWith: 'generation' },
	});
});

test('a fault is no answer', async () => {
	const n8n = serviceWith({ served: 'general' }, 'task_id');
	const match = { kind: 'status' } as const;
	n8n.state.faults.add({ match, fault: { kind: 'status', status: 503 }, times: 2 });
	const { items } = await make(n8n, 'Family D', 3);
	expect(items.map(({ json }) => json.status)).toEqual(['completed', 'completed', 'completed']);
});

test('nor is it where all other places have said no', async () => {
	const shapes = {
		served: 'general',
		creation: { secondId: 'job_id' },
		list: { body: 'none' },
	} as const;
	const n8n = serviceWith(shapes, 'generation_id');
	n8n.credential.statusPath = '/state/{job_id}/';
	const match = { kind: 'status', pathPattern: '/generate/(?!not-)' } as const;
	n8n.state.faults.add({ match, fault: { kind: 'status', status: 503 }, times: 3 });
	const { items, error } = await make(n8n, 'Family D');
	expect(error).toBeUndefined();
	expect(items[0]!.json).toMatchObject({
		status: 'completed',
		details: { startedWith: 'generation' },
	});
});

test('a job that is not where others of its family were found is an error with its identifier', async () => {
	const n8n = serviceWith({ served: 'general' }, 'task_id');
	await make(n8n, 'Family D');
	n8n.state.settings.shapes.served = 'none';
	const { error } = await make(n8n, 'Family D');
	expect(error?.message).toContain(`${n8n.state.jobs.list[1]!.id} cannot be read`);
	expect(error?.description).toContain('paid for: read it later');
});

describe('one path for all families', () => {
	test.each([
		['with a place for the family', { statusPath: '/state/{family}/{job_id}/' }, '/state/vidD/'],
		['without', { statusPath: '/state/{job_id}/' }, '/state/'],
		[
			'that of the family goes before it',
			{ statusPath: '/wrong/{job_id}/', vidDStatusPath: '/state/d/{job_id}/' },
			'/state/d/',
		],
	])('%s', async (_, credential, path) => {
		const openPaths = { vidDStatusPath: `${path}{job_id}/` };
		const n8n = new VirtualN8n({ settings: { jobMs, openPaths } }, credential);
		n8n.state.settings.shapes.creation.idField = 'task_id';
		const { items } = await make(n8n, 'Family D');
		expect(items[0]!.json).toMatchObject({ status: 'completed', details: { startedWith: 'vidD' } });
		expect(readsOf(n8n).inVain).toBe(0);
	});

	test('entered after a run that could not wait, it serves the next one at once', async () => {
		const n8n = serviceWith({ served: 'none', creation: { link: 'none' } }, 'task_id');
		await make(n8n, 'Family D');
		n8n.state.settings.shapes.served = 'own';
		n8n.credential.statusPath = '/open/status/{job_id}/';
		const { items } = await make(n8n, 'Family D');
		expect(items[0]!.json).toMatchObject({ status: 'completed', details: { startedWith: 'vidD' } });
	});

	test('entered after a run that could not wait, it serves the retry', async () => {
		const n8n = serviceWith({ served: 'none', creation: { link: 'none' } }, 'task_id');
		const execution = await make(n8n, 'Family D');
		n8n.state.settings.shapes.served = 'own';
		n8n.credential.statusPath = '/open/status/{job_id}/';
		const { items } = await n8n.clock.run(n8n.retry(execution));
		expect(items[0]!.json).toMatchObject({ status: 'completed', details: { startedWith: 'vidD' } });
		expect(n8n.state.jobs.list).toHaveLength(1);
	});
});

test.each(['general', 'history', 'none'] as const)(
	'Retry execution has what was finished, and waits for what was not: %s',
	async (served) => {
		const n8n = serviceWith({ served }, 'task_id');
		const times = [5000, 5000, 60_000];
		Object.defineProperty(n8n.state.settings, 'jobMs', {
			get: () => ({ min: times[0], max: times.length > 1 ? times.shift() : times[0] }),
		});
		const first = await make(n8n, 'Family D', 3, { options: { timeout: 30 } });
		n8n.credential.statusPath = '';
		await n8n.clock.advance(60_000);
		const { items, error } = await n8n.clock.run(n8n.retry(first));
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json.jobId).sort()).toEqual(
			n8n.state.jobs.list.map(({ id }) => id).sort(),
		);
		if (served !== 'none')
			expect(items.map(({ json }) => json.status)).toEqual(Array(3).fill('completed'));
		expect(n8n.state.jobs.list).toHaveLength(3);
	},
);

describe('in another workflow', () => {
	const waits = Object.entries(SERVED).map(([where, { shapes }]) => [where, shapes] as const);
	test.each(waits)('Job > Wait for Completion, %s', async (_, shapes) => {
		const n8n = serviceWith(shapes, 'task_id');
		const { items } = await make(n8n, 'Family D', 3, { waitForCompletion: false });
		expect(readsOf(n8n).reads).toBe(0);
		const waited = await n8n.clock.run(
			n8n.execute({
				items: items.map(({ json }) => json),
				parameters: (item) => ({
					resource: 'job',
					operation: 'wait',
					jobId: items[item]!.json.jobId as string,
				}),
				kind: 'video',
			}),
		);
		expect(waited.error).toBeUndefined();
		expect(waited.items.map(({ json }) => [json.status, json.jobId])).toEqual(
			items.map(({ json }) => ['completed', json.jobId]),
		);
		for (const { json } of waited.items) {
			expect(json.mediaUrl).toEqual(expect.stringContaining(String(json.jobId)));
		}
	});

	test.each(['get', 'wait'])('Job > %s says what was tried', async (operation) => {
		const n8n = serviceWith({ served: 'none' }, 'task_id');
		const { items } = await make(n8n, 'Family D', 1, { waitForCompletion: false });
		const jobId = items[0]!.json.jobId as string;
		const { error } = await n8n.clock.run(
			n8n.execute({
				items: [items[0]!.json],
				parameters: { resource: 'job', operation, jobId },
				kind: 'video',
			}),
		);
		expect(error?.message).toContain(jobId);
		expect(error?.description).toContain('/api/v1/generate/{generation_id}/');
		expect(error?.description).toContain('Status Path');
	});
});

/** What a service says in place of the truth about a job, where it is asked for it. */
const LIES: Record<string, (record: IDataObject) => IDataObject> = {
	'the record of another job': (record) => ({
		...record,
		id: 'a5c0ffee-0000-4000-8000-000000000000',
	}),
	'nothing of the job': ({ status, video_url }) => ({ status, video_url }),
	'another prompt, and no identifier': ({ id: _, ...record }) => ({ ...record, prompt: 'a dog' }),
};

const URL_OF_OTHER = 'https://cdn.example/of-somebody-else.mp4';

describe('a record that is not shown to be that of the job is not believed', () => {
	const shapesOf = {
		'the status': { served: 'general' },
		'the history': { served: 'history' },
	} as const;
	const all = Object.entries(shapesOf).flatMap(([where, shapes]) =>
		Object.keys(LIES).map((lie) => [where, lie, shapes] as const),
	);
	test.each(all)('%s: %s', async (_, lie, shapes) => {
		const tell = (record: IDataObject) => ({
			...LIES[lie]!({ ...record, status: 'completed', video_url: URL_OF_OTHER }),
		});
		const retell = (answer: unknown, { method, url }: { method?: string; url: string }) => {
			if (method !== 'GET' || !url.includes('/generate/')) return answer;
			return Array.isArray(answer) ? answer.map(tell) : tell(answer as IDataObject);
		};
		const n8n = serviceWith(shapes, 'task_id', { retell });
		const { items, error } = await make(n8n, 'Family D', 2);
		expect(error).toBeUndefined();
		for (const { json } of items) {
			expect(JSON.stringify(json)).not.toContain(URL_OF_OTHER);
			expect(json.notWaited).toEqual(expect.any(String));
		}
		expect(n8n.state.jobs.list).toHaveLength(2);
	});
});

describe('a number may stand for another job', () => {
	test.each(['general', 'history'] as const)(
		'at the status of any generation: %s',
		async (served) => {
			const n8n = serviceWith({ served, creation: { ids: 'number' } }, 'id');
			const [item] = (await make(n8n, 'Family D')).items;
			const [job] = n8n.state.jobs.list;
			expect(item!.json).toMatchObject({
				jobId: String(job!.id),
				mediaUrl: null,
				notWaited: expect.any(String),
			});
		},
	);

	test('but not at a link in the answer to the creation', async () => {
		const shapes = { served: 'none', creation: { ids: 'number', link: 'field' } } as const;
		const n8n = serviceWith(shapes, 'id');
		const [item] = (await make(n8n, 'Family D')).items;
		expect(item!.json).toMatchObject({ status: 'completed', mediaUrl: expect.any(String) });
	});

	test('nor at a path that is set', async () => {
		const n8n = serviceWith({ served: 'own', creation: { ids: 'number' } }, 'id');
		n8n.credential.statusPath = '/open/status/{job_id}/';
		const [item] = (await make(n8n, 'Family D')).items;
		expect(item!.json).toMatchObject({ status: 'completed', mediaUrl: expect.any(String) });
	});
});

const SHORT = { min: 3000, max: 9000 };

/** How long a batch of 20 takes, and what the account is asked, ms of virtual time. */
async function batchOf20(parameters: IDataObject, shapes: Shapes, seed: number) {
	const settings = { jobMs: SHORT, shapes, credits: { purchased: 100_000 }, seed };
	const n8n = new VirtualN8n({ settings });
	const { items, error, startedAt, endedAt } = await n8n.clock.run(
		n8n.execute({
			items: Array.from({ length: 20 }, () => ({})),
			parameters: (item) => ({ ...parameters, prompt: `a kite, number ${item}` }),
			kind: parameters.resource === 'image' ? 'image' : 'video',
		}),
	);
	expect(error).toBeUndefined();
	const states = new Set(items.map(({ json }) => json.status));
	expect([...states]).toEqual(['completed']);
	expect(n8n.state.jobs.list).toHaveLength(20);
	return endedAt - startedAt;
}

const SEEDS = [1, 2, 3, 4, 5, 6];

const mean = (values: number[]) => values.reduce((sum, one) => sum + one, 0) / values.length;

/** One look at it tells of no image. */
const UNLISTED: Shapes = { list: { body: 'none' } };

nightly.each([
	['the status of any generation', { served: 'general' }, {}],
	['the generation history', { served: 'history' }, {}],
	['the Video Studio history', { served: 'studio' }, UNLISTED],
	['a link', { served: 'none', creation: { link: 'field' } }, UNLISTED],
] satisfies Array<[string, Shapes, Shapes]>)(
	'a batch of 20 that is read by %s is as fast as images that are listed as it is',
	async (_where, shapes, ofImages) => {
		const image = { resource: 'image', operation: 'generate', size: '1:1' };
		const times: number[] = [];
		const images: number[] = [];
		for (const seed of SEEDS) {
			times.push(await batchOf20(FAMILIES['Family D']!, shapes, seed));
			images.push(await batchOf20(image, ofImages, seed));
		}
		expect(mean(times) / mean(images)).toBeLessThan(1.1);
	},
);
