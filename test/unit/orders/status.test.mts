import type { IDataObject } from 'n8n-workflow';

import type { FaultRuleInput } from '../../../sandbox/faults.mts';
import type { SandboxSettingsInput } from '../../../sandbox/settings.mts';
import { sampled } from '../../support/sampled.mts';
import { VirtualN8n, type ExecutionOptions } from '../../support/virtualRun.mts';

/** Jobs whose status path is not documented, with an address and a key alone, and whatever the service may do meanwhile. */

type Shapes = NonNullable<SandboxSettingsInput['shapes']>;
type Retell = NonNullable<NonNullable<ConstructorParameters<typeof VirtualN8n>[0]>['retell']>;

const D = {
	...{ resource: 'vidD', operation: 'generate', aspect_ratio: '16:9', resolution: '480p' },
	...{ duration: '4', generate_audio: false },
};

const FAMILIES: Record<string, IDataObject> = {
	'Unified Image': { resource: 'image', operation: 'generateUnified', aspectRatio: '1:1' },
	'Family B 3.0': {
		...{ resource: 'vidB30', operation: 'generate', generationMode: 'text_to_video' },
		...{ sound: false, durationSeconds: 5, qualityMode: 'pro', aspectRatio: '16:9' },
	},
	'Family B 2.6': {
		...{ resource: 'vidB26', operation: 'textToVideo', duration: '5', aspectRatio: '16:9' },
	},
	'Family C': {
		...{ resource: 'vidC', operation: 'textToVideo', aspect_ratio: 'landscape', quality: 'high' },
	},
	'Family D': D,
	'Family E 2.6': {
		...{ resource: 'vidE26', operation: 'textToVideo', duration: '5', resolution: '720p' },
	},
};

const SERVED: Record<string, { shapes: Shapes; startedWith: string; isVideoOnly?: true }> = {
	'the status of any generation': { shapes: { served: 'general' }, startedWith: 'generation' },
	'the generation history': { shapes: { served: 'history' }, startedWith: 'generationHistory' },
	'the Video Studio history': {
		shapes: { served: 'studio' },
		startedWith: 'videoStudioHistory',
		isVideoOnly: true,
	},
	'a link in a field': {
		shapes: { served: 'none', creation: { link: 'field' } },
		startedWith: 'family',
	},
};

const IDENTIFIERS = ['generation_id', 'task_id', 'job_id', 'id'];

const SECOND = 1000;

const URL_OF_OTHER = 'https://cdn.example/of-somebody-else.mp4';

interface Service {
	retell?: Retell;
	settings?: Partial<SandboxSettingsInput>;
}

function serviceWith(shapes: Shapes, { retell, settings }: Service = {}) {
	const creation = { idField: 'task_id', ...shapes.creation };
	const jobMs = { min: 20 * SECOND, max: 20 * SECOND };
	const own = { jobMs, shapes: { ...shapes, creation }, credits: { purchased: 100_000 } };
	return new VirtualN8n({ settings: { ...own, ...settings }, ...(retell && { retell }) });
}

interface Order extends Partial<ExecutionOptions> {
	values?: IDataObject;
	promptOf?: (item: number) => string;
}

const start = async (n8n: VirtualN8n, count = 1, { values, promptOf, ...more }: Order = {}) => {
	const own = { ...D, ...values };
	return await n8n.execute({
		items: Array.from({ length: count }, () => ({})),
		parameters: (item) => ({ prompt: promptOf?.(item) ?? `a kite, number ${item}`, ...own }),
		kind: own.resource === 'image' ? 'image' : 'video',
		...more,
	});
};

const make = async (...order: Parameters<typeof start>) =>
	await order[0].clock.run(start(...order));

const statesOf = ({ items }: { items: Array<{ json: IDataObject }> }) =>
	items.map(({ json }) => json.status);

const done = (count: number) => Array(count).fill('completed');

/** Requests that read a job: a batch reads the balance, and looks at the history for places, besides. */
function readsOf({ state }: VirtualN8n) {
	const isLook = (query: object) => Number(Object(query).limit ?? 100) < 100;
	const reads = state.journal.entries.filter(
		({ method, path, query }) =>
			method === 'GET' && !isLook(query) && path !== '/payments/api/credits/',
	);
	return { reads: reads.length, inVain: reads.filter(({ status }) => status !== 200).length };
}

const cases = Object.keys(FAMILIES).flatMap((family) =>
	IDENTIFIERS.flatMap((idField) =>
		Object.entries(SERVED)
			.filter(([, { isVideoOnly }]) => !isVideoOnly || family !== 'Unified Image')
			.map(([where, served]) => [family, idField, where, served] as const),
	),
);

test.each(sampled(cases, 24))(
	'%s, %s, read by %s',
	async (family, idField, _where, { shapes, startedWith }) => {
		const n8n = serviceWith({ ...shapes, creation: { ...shapes.creation, idField } });
		const { items, error, hints } = await make(n8n, 1, { values: FAMILIES[family] });
		expect(error).toBeUndefined();
		const [job, ...more] = n8n.state.jobs.list;
		expect(more).toEqual([]);
		const isFamily = startedWith === 'family';
		expect(items[0]!.json).toMatchObject({
			...{ status: 'completed', mediaUrl: expect.stringContaining(job!.id), jobId: job!.id },
			details: {
				startedWith: isFamily ? expect.stringMatching(/^(vid|imageUnified)/) : startedWith,
			},
		});
		expect(items[0]!.json).not.toHaveProperty('notWaited');
		const told = hints.filter(({ message }) => message.includes('tells you the path'));
		expect(told).toHaveLength(1);
		expect(readsOf(n8n).inVain).toBeLessThanOrEqual(3);
	},
);

test.each(Object.keys(FAMILIES))(
	'%s, read nowhere: handed on with what was tried',
	async (family) => {
		const n8n = serviceWith({ served: 'none' });
		const { items, error } = await make(n8n, 3, { values: FAMILIES[family] });
		expect(error).toBeUndefined();
		const ids = n8n.state.jobs.list.map(({ id }) => id);
		expect(items.map(({ json }) => json.jobId).sort()).toEqual([...ids].sort());
		for (const { json } of items) {
			expect(json).toMatchObject({
				mediaUrl: null,
				notWaited: expect.stringContaining('Status Path'),
			});
		}
		const told = items.map(({ json }) => String(json.notWaited));
		expect(told.filter((text) => text.includes('/generate/{generation_id}/'))).toHaveLength(3);
	},
);

test('only the first job of a family asks in vain, also of several runs', async () => {
	const n8n = serviceWith({ served: 'studio' });
	await make(n8n, 4);
	await make(n8n, 4);
	expect(readsOf(n8n).inVain).toBe(1);
	await make(n8n, 1, { values: FAMILIES['Family E 2.6'] });
	expect(readsOf(n8n).inVain).toBe(2);
});

describe('a path in the credential', () => {
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
		const n8n = serviceWith({}, { settings: { openPaths } });
		Object.assign(n8n.credential, credential);
		const { items } = await make(n8n);
		expect(items[0]!.json).toMatchObject({ status: 'completed', details: { startedWith: 'vidD' } });
		expect(readsOf(n8n).inVain).toBe(0);
	});

	test('that was wrong is corrected: the retry pays nothing', async () => {
		const n8n = serviceWith({ served: 'none' });
		n8n.credential.statusPath = '/wrong/{job_id}/';
		const first = await make(n8n);
		expect(first.error?.message).toContain(`${n8n.state.jobs.list[0]!.id} cannot be read`);
		n8n.credential.statusPath = '/open/status/{job_id}/';
		n8n.state.settings.shapes.served = 'own';
		expect(statesOf(await n8n.rerun(first))).toEqual(done(1));
		expect(n8n.state.jobs.list).toHaveLength(1);
	});

	test('without a place for the identifier is refused before anything is paid for', async () => {
		const n8n = serviceWith({ served: 'general' });
		n8n.credential.statusPath = '/api/v1/generate/history/';
		const { error } = await make(n8n);
		expect(error?.message).toContain('has no place');
		expect(n8n.state.journal.entries).toEqual([]);
	});
});

describe('a link in the answer to the creation', () => {
	const ID = '0b1f7f0e-7d7c-4d0e-8f3a-1c2d3e4f5a6b';

	/** The paths that are read of a job whose creation answers so. */
	async function readWith(links: IDataObject): Promise<string[]> {
		const retell: Retell = (answer, { method }) =>
			method === 'POST' ? { success: true, data: { task_id: ID, ...links } } : answer;
		const n8n = serviceWith({ served: 'none' }, { retell });
		await make(n8n, 1, { values: { options: { timeout: 10 } } });
		return n8n.state.journal.entries.map(({ path }) => path);
	}

	test.each<[IDataObject]>([
		[{ status_url: `/jobs/${ID}/status` }],
		[{ links: { self: `https://service.example/jobs/${ID}/status` } }],
		[{ cancel_url: `/jobs/${ID}/cancel`, poll: `/jobs/${ID}/status` }],
	])('is followed: %j', async (links) => {
		expect(await readWith(links)).toContain(`/jobs/${ID}/status`);
	});

	test.each<[IDataObject]>([
		[{ cancel_url: `/jobs/${ID}` }],
		[{ webhook_status_url: `/jobs/${ID}` }],
		[{ video_url: `/jobs/${ID}` }],
		[{ status_url: `//evil.example/jobs/${ID}` }],
		[{ status_url: `https://service.example:8443/jobs/${ID}` }],
		[{ status_url: `/jobs/${ID}?token=1` }],
		[{ status_url: '/jobs/latest' }],
	])('is not: %j', async (links) => {
		expect((await readWith(links)).filter((path) => path.startsWith('/jobs/'))).toEqual([]);
	});
});

describe('never the result of another job', () => {
	/** What a service says in place of the truth about a job, where it is asked for it. */
	const LIES: Record<string, (record: IDataObject) => IDataObject> = {
		'the record of another job': (record) => ({
			...record,
			id: 'a5c0ffee-0000-4000-8000-000000000000',
		}),
		'nothing of the job': ({ status, video_url }) => ({ status, video_url }),
		'another prompt, and no identifier': ({ id: _, ...record }) => ({ ...record, prompt: 'a dog' }),
	};
	const lies = (['general', 'history'] as const).flatMap((served) =>
		Object.keys(LIES).map((lie) => [served, lie] as const),
	);

	test.each(lies)('%s: %s', async (served, lie) => {
		const tell = (record: IDataObject) =>
			LIES[lie]!({ ...record, status: 'completed', video_url: URL_OF_OTHER });
		const retell: Retell = (answer, { method, url }) => {
			if (method !== 'GET' || !url.includes('/generate/')) return answer;
			return Array.isArray(answer) ? answer.map(tell) : tell(answer as IDataObject);
		};
		const n8n = serviceWith({ served }, { retell });
		const { items, error } = await make(n8n, 2);
		expect(error).toBeUndefined();
		for (const { json } of items) {
			expect(JSON.stringify(json)).not.toContain(URL_OF_OTHER);
			expect(json.notWaited).toEqual(expect.any(String));
		}
		expect(n8n.state.jobs.list).toHaveLength(2);
	});

	test.each(['general', 'history'] as const)(
		'a number, which may stand for another job, is not read in the %s',
		async (served) => {
			const n8n = serviceWith({ served, creation: { ids: 'number', idField: 'id' } });
			const [item] = (await make(n8n)).items;
			const [job] = n8n.state.jobs.list;
			expect(item!.json).toMatchObject({ jobId: String(job!.id), mediaUrl: null });
			expect(item!.json.notWaited).toEqual(expect.any(String));
		},
	);
});

describe('a fault is no answer', () => {
	const LASTING: Array<[string, FaultRuleInput['fault']]> = [
		['503', { kind: 'status', status: 503 }],
		['a reset', { kind: 'reset' }],
		['no answer', { kind: 'hang' }],
	];

	test.each(LASTING)('all reads meet %s: within two minutes, it ends', async (_, fault) => {
		const n8n = serviceWith({ served: 'general' });
		n8n.state.faults.add({ match: { method: 'GET' }, fault });
		const node = { onError: 'continueRegularOutput' } as const;
		const values = { options: { timeout: 10 } };
		const { items, startedAt, endedAt } = await make(n8n, 5, { values, node });
		expect(endedAt - startedAt).toBeLessThan(120 * SECOND);
		for (const { json } of items) expect(String(json.error)).toContain('within 10 seconds');
		const ids = n8n.state.jobs.list.map(({ id }) => id);
		expect(items.map(({ json }) => json.jobId).sort()).toEqual([...ids].sort());
	});

	test('a key that may not read is an error with the job, and no answer about jobs', async () => {
		const n8n = serviceWith({ served: 'history' });
		await make(n8n);
		const match = { pathPattern: 'history' };
		n8n.state.faults.add({ match, fault: { kind: 'status', status: 401 }, times: 3 });
		const { error } = await make(n8n);
		expect(error?.message).toContain(n8n.state.jobs.list[1]!.id);
		expect(statesOf(await make(n8n, 3))).toEqual(done(3));
	});
});
