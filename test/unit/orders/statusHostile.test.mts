import type { IDataObject } from 'n8n-workflow';

import type { FaultRuleInput } from '../../../sandbox/faults.mts';
import type { SandboxSettingsInput } from '../../../sandbox/settings.mts';
import { VirtualN8n, type ExecutionOptions } from '../../support/virtualRun.mts';

/** What a service may do while a job is looked for whose status path is not documented. */

type Shapes = NonNullable<SandboxSettingsInput['shapes']>;
type Retell = NonNullable<NonNullable<ConstructorParameters<typeof VirtualN8n>[0]>['retell']>;

const UUID = '0b1f7f0e-7d7c-4d0e-8f3a-1c2d3e4f5a6b';
const URL_OF_OTHER = 'https://cdn.example/of-somebody-else.mp4';
const URL_OF_OWN = 'https://cdn.example/own.mp4';

const D = {
	resource: 'vidD',
	operation: 'generate',
	aspect_ratio: '16:9',
	resolution: '480p',
	duration: '4',
	generate_audio: false,
};
const E26 = { resource: 'vidE26', operation: 'textToVideo', duration: '5', resolution: '720p' };
const SECOND = 1000;

/** By then the first job was created, and is too young to be looked for. */
const BEFORE_SEARCH_MS = 3 * SECOND;

function serviceWith(shapes: Shapes, retell?: Retell, more: Partial<SandboxSettingsInput> = {}) {
	const creation = { idField: 'task_id', ...shapes.creation };
	const jobMs = { min: 20 * SECOND, max: 20 * SECOND };
	const settings = { jobMs, shapes: { ...shapes, creation }, credits: { purchased: 100_000 } };
	return new VirtualN8n({ settings: { ...settings, ...more }, ...(retell && { retell }) });
}

const start = async (
	n8n: VirtualN8n,
	count: number,
	more: Partial<ExecutionOptions> & {
		values?: IDataObject;
		promptOf?: (item: number) => string;
	} = {},
) => {
	const { values = {}, promptOf = (item) => `a kite, number ${item}`, ...options } = more;
	return await n8n.execute({
		items: Array.from({ length: count }, () => ({})),
		parameters: (item) => ({ ...D, prompt: promptOf(item), ...values }),
		kind: 'video' as const,
		...options,
	});
};

const make = async (...order: Parameters<typeof start>) =>
	await order[0].clock.run(start(...order));

const get = async (n8n: VirtualN8n, item: IDataObject) =>
	await n8n.clock.run(
		n8n.execute({
			items: [item],
			parameters: { resource: 'job', operation: 'get', jobId: String(item.jobId) },
			kind: 'video' as const,
		}),
	);

const statesOf = ({ items }: { items: Array<{ json: IDataObject }> }) =>
	items.map(({ json }) => json.status);

/** A service whose creation and reads answer so, whatever is true. */
function answering(creation: IDataObject, read: (path: string) => unknown): VirtualN8n {
	const n8n = serviceWith({ served: 'general' }, (answer, { method, url }) => {
		if (method === 'POST') return { success: true, data: { status: 'processing', ...creation } };
		return read(new URL(url).pathname) ?? answer;
	});
	n8n.state.faults.add({
		match: { method: 'GET' },
		fault: { kind: 'status', status: 200, body: {} },
	});
	return n8n;
}

describe('never the result of another job', () => {
	test.each([1, 2, 3, 4, 5, 6])(
		'one prompt for all, the numbers of the history are those of neighbours, seed %i',
		async (seed) => {
			const numbers = new Map<string, number>();
			const renumbered = (entry: IDataObject) => {
				const number = numbers.get(String(entry.id)) ?? 0;
				return { ...entry, id: number + 1, task_id: number };
			};
			const retell: Retell = (answer, { method, url }) => {
				const { data } = Object(answer);
				if (method === 'POST') {
					numbers.set(data.task_id, 41 + numbers.size);
					return { ...Object(answer), data: { ...data, task_id: numbers.get(data.task_id) } };
				}
				return url.includes('/history/') && Array.isArray(answer) ? answer.map(renumbered) : answer;
			};
			const jobMs = { min: 5 * SECOND, max: 120 * SECOND };
			const n8n = serviceWith({ served: 'history' }, retell, { jobMs, seed });
			const { items } = await make(n8n, 8, { promptOf: () => 'a red kite' });
			const numberOf = (url: unknown) => [...numbers].find(([id]) => String(url).includes(id))?.[1];
			const urls = items.filter(({ json }) => json.mediaUrl);
			expect(urls.map(({ json }) => String(numberOf(json.mediaUrl)))).toEqual(
				urls.map(({ json }) => json.jobId),
			);
		},
	);

	test.each([
		[
			'a record of another that refers to this one',
			{ task_id: UUID },
			{ id: 'a5c0ffee-0000-4000-8000-000000000000', source_id: UUID, video_url: URL_OF_OTHER },
		],
		[
			'a record by a number beside the generation_id',
			{ generation_id: UUID, task_id: 7 },
			{ id: 7, video_url: URL_OF_OTHER, created_at: '2026-01-01T00:00:00Z' },
		],
		['a record that names no job', { task_id: UUID }, { video_url: URL_OF_OTHER }],
		[
			'a prompt of three dots, an hour before',
			{ id: 7 },
			{ id: 7, prompt: '...', video_url: URL_OF_OTHER, created_at: '2025-12-31T23:00:00Z' },
		],
	])('%s', async (_, creation, record) => {
		const n8n = answering(creation, (path) =>
			path.includes('/history/') ? [] : { ...record, status: 'completed' },
		);
		const { items } = await make(n8n, 1);
		expect(items[0]!.json.mediaUrl).toBeNull();
	});

	test('the record by a number that an entry has besides', async () => {
		const n8n = answering({ generation_id: UUID }, (path) => {
			if (path.includes('/history/')) return [{ generation_id: UUID, id: 7, status: 'completed' }];
			return path.endsWith('/7/') ? { id: 7, status: 'completed', video_url: URL_OF_OTHER } : [];
		});
		const { items } = await make(n8n, 1);
		expect(items[0]!.json).toMatchObject({ status: 'completed', mediaUrl: null });
	});
});

describe('nothing of what is served is missed', () => {
	test('a state of its own, in a record that names the job', async () => {
		const renamed = (entry: IDataObject) =>
			entry.status === 'processing' ? { ...entry, status: 'pending' } : entry;
		const shapes = { served: 'general', creation: { idField: 'generation_id' } } as const;
		const n8n = serviceWith(shapes, (answer, { method }) => {
			if (method === 'POST') return answer;
			return Array.isArray(answer) ? answer.map(renamed) : renamed(answer as IDataObject);
		});
		expect(statesOf(await make(n8n, 3))).toEqual(Array(3).fill('completed'));
	});

	test.each([401, 402, 403])('one %i while the place is looked for', async (status) => {
		const n8n = serviceWith({ served: 'general' });
		const match = { pathPattern: 'generate/[^h]' };
		n8n.state.faults.add({ match, fault: { kind: 'status', status }, times: 1 });
		expect(statesOf(await make(n8n, 1))).toEqual(['completed']);
		expect(statesOf(await make(n8n, 3))).toEqual(Array(3).fill('completed'));
	});

	test('a record that says that there is none, and a history that lists the first job late', async () => {
		let isLate = true;
		const n8n = serviceWith({ served: 'history' }, (answer, { method, url }) => {
			const [, id] = /\/api\/v1\/generate\/([\w-]{36})\/$/.exec(url) ?? [];
			if (method !== 'POST' && id) return { task_id: id, status: 'not_found' };
			return isLate && url.includes('/history/') ? [] : answer;
		});
		const node = { onError: 'continueRegularOutput' } as const;
		await make(n8n, 1, { values: { options: { timeout: 300 } }, node });
		isLate = false;
		await n8n.clock.advance(600 * SECOND);
		expect(statesOf(await make(n8n, 3))).toEqual(Array(3).fill('completed'));
	});

	test('a record that names, as its task, the song that it was made of, and not itself', async () => {
		const made: string[] = [];
		const credential = {
			musicSubmitPath: '/open/music/{operation}/',
			musicStatusPath: '/open/music/status/{job_id}/',
		};
		const retell: Retell = (answer, { method }) => {
			const { id, job_id, task_id, generation_id, ...rest } = Object(answer) as IDataObject;
			return method === 'POST' || made.length === 0 ? answer : { ...rest, task_id: made[0] };
		};
		const settings = { jobMs: { min: 20 * SECOND, max: 20 * SECOND } };
		const n8n = new VirtualN8n({ settings, retell }, credential);
		const song = { resource: 'song', operation: 'generate', model: 'V5' };
		for (const prompt of ['a song', 'another']) {
			const order = { items: [{}], parameters: { ...song, prompt }, kind: 'music' as const };
			const { items } = await n8n.clock.run(n8n.execute(order));
			expect(items[0]!.json).toMatchObject({ status: 'completed' });
			made.push(String(items[0]!.json.jobId));
		}
	});

	test('one answer that cannot be read while the place is looked for', async () => {
		const n8n = serviceWith({ served: 'history', creation: { idField: 'id' } });
		const isSearch = () =>
			n8n.state.journal.entries.some(
				({ path, query }) => path.includes('history') && query.limit === '100',
			);
		// Not those that look for jobs of others.
		void n8n.clock.sleep(BEFORE_SEARCH_MS).then(() => {
			expect(isSearch()).toBe(false);
			const match = { pathPattern: 'history' };
			n8n.state.faults.add({ match, fault: { kind: 'garbage' }, when: 'after', times: 1 });
		});
		expect(statesOf(await make(n8n, 6))).toEqual(Array(6).fill('completed'));
		expect(isSearch()).toBe(true);
	});

	const entry = { task_id: UUID, status: 'completed', video_url: URL_OF_OWN };

	test.each(['.', '..', '\ud800'])('an identifier beside that is none: %j', async (id) => {
		const n8n = answering({ task_id: UUID, id }, (path) =>
			path.includes(UUID) ? { ...entry, id: UUID } : [],
		);
		const { items } = await make(n8n, 1);
		expect(items[0]!.json).toMatchObject({ status: 'completed', mediaUrl: URL_OF_OWN });
	});

	test('a history that lists jobs five seconds late', async () => {
		const lagMs = { min: 5 * SECOND, max: 5 * SECOND };
		const n8n = serviceWith({ served: 'history', list: { lagMs } });
		expect(statesOf(await make(n8n, 3))).toEqual(Array(3).fill('completed'));
	});

	test.each([
		['503', { kind: 'status', status: 503 }],
		['a reset', { kind: 'reset' }],
		['no answer', { kind: 'hang' }],
	] as Array<[string, FaultRuleInput['fault']]>)(
		'all reads meet %s for a minute',
		async (_, fault) => {
			const n8n = serviceWith({ served: 'general' });
			n8n.state.faults.add({ match: { method: 'GET' }, fault });
			void n8n.clock.sleep(60 * SECOND).then(() => n8n.state.faults.clear());
			expect(statesOf(await make(n8n, 3))).toEqual(Array(3).fill('completed'));
		},
	);

	test('what a person reads with the wrong family tells nothing of that family', async () => {
		const n8n = serviceWith({ served: 'general' });
		const [created] = (await make(n8n, 1, { values: { waitForCompletion: false } })).items;
		await get(n8n, { ...created!.json, startedWith: 'vidE26' });
		await get(n8n, { jobId: 'a-job-that-there-is-not', startedWith: 'vidE26' });
		n8n.state.settings.shapes.served = 'history';
		expect(statesOf(await make(n8n, 3, { values: E26 }))).toEqual(Array(3).fill('completed'));
	});

	test('a key that may not read is an error with the job, and no answer about jobs', async () => {
		const n8n = serviceWith({ served: 'history' });
		await make(n8n, 1);
		const match = { pathPattern: 'history' };
		n8n.state.faults.add({ match, fault: { kind: 'status', status: 401 }, times: 3 });
		const { error } = await make(n8n, 1);
		expect(error?.message).toContain(n8n.state.jobs.list[1]!.id);
		expect(statesOf(await make(n8n, 3))).toEqual(Array(3).fill('completed'));
	});
});

describe('its time', () => {
	test.each([
		['no answer', { kind: 'hang' }],
		['429', { kind: 'status', status: 429 }],
		['503', { kind: 'status', status: 503 }],
	] as Array<[string, FaultRuleInput['fault']]>)(
		'where all reads meet %s, it ends five minutes after Timeout',
		async (_, fault) => {
			const n8n = serviceWith({ served: 'general' });
			n8n.state.faults.add({ match: { method: 'GET' }, fault });
			const node = { onError: 'continueRegularOutput' } as const;
			const values = { options: { timeout: 10 } };
			const { items, startedAt, endedAt } = await make(n8n, 5, { values, node });
			expect(endedAt - startedAt).toBeLessThan(330 * SECOND);
			for (const { json } of items) expect(String(json.error)).toContain('within 10 seconds');
			const ids = n8n.state.jobs.list.map(({ id }) => id);
			expect(items.map(({ json }) => json.jobId).sort()).toEqual([...ids].sort());
		},
	);

	test('Stop is heeded while a job of another execution is looked for', async () => {
		const n8n = serviceWith({ served: 'general' });
		n8n.state.faults.add({ match: { method: 'GET' }, fault: { kind: 'hang' } });
		const [one, other] = [new AbortController(), new AbortController()];
		const first = start(n8n, 1, { signal: one.signal });
		const second = start(n8n, 1, { signal: other.signal, promptOf: () => 'another' });
		void n8n.clock.sleep(10 * SECOND).then(() => other.abort());
		void n8n.clock.sleep(300 * SECOND).then(() => one.abort());
		const [, stopped] = await n8n.clock.run(Promise.all([first, second]));
		expect(stopped.endedAt - stopped.startedAt).toBeLessThan(12 * SECOND);
	});
});

test('a status path without a place for the identifier is refused before anything is paid for', async () => {
	const n8n = serviceWith({ served: 'general' });
	n8n.credential.statusPath = '/api/v1/generate/history/';
	const { error } = await make(n8n, 1);
	expect(error?.message).toContain('has no place');
	expect(n8n.state.journal.entries).toEqual([]);
});

test('what one credential has set is not used with another of the same key', async () => {
	const n8n = serviceWith({ served: 'own' });
	n8n.credential.statusPath = '/open/status/{job_id}/';
	await make(n8n, 1);
	n8n.credential.statusPath = '/wrong/{job_id}/';
	n8n.state.settings.shapes.served = 'general';
	expect(statesOf(await make(n8n, 1))).toEqual(['completed']);
});

describe('Retry execution', () => {
	type Served = NonNullable<Shapes['served']>;

	const retried = async (served: Served, later: Served, timeout: number) => {
		const n8n = serviceWith({ served });
		let times = 0;
		// What an expression gives is another text each time.
		const promptOf = () => `a kite at ${times++}`;
		const first = await make(n8n, 3, { promptOf, values: { options: { timeout } } });
		n8n.state.settings.shapes.served = later;
		await n8n.clock.advance(60 * SECOND);
		const second = await n8n.clock.run(n8n.retry(first));
		expect(n8n.state.jobs.list).toHaveLength(3);
		return second;
	};

	test.each([
		['general', 'general', 600],
		['history', 'general', 600],
		['general', 'general', 10],
		['none', 'general', 600],
	] as const)('%s, then %s, within %i s: all results', async (served, later, timeout) => {
		const { items, error } = await retried(served, later, timeout);
		expect(error).toBeUndefined();
		expect(statesOf({ items })).toEqual(Array(3).fill('completed'));
	});

	test('after a time-out, of a service whose answers take two seconds', async () => {
		const n8n = new VirtualN8n({
			settings: {
				jobMs: { min: 20 * SECOND, max: 20 * SECOND },
				shapes: { served: 'studio', creation: { idField: 'task_id' } },
				credits: { purchased: 100_000 },
			},
			latencyMs: { min: SECOND, max: SECOND },
		});
		const first = await make(n8n, 2, { values: { options: { timeout: 5 } } });
		expect(first.error?.message).toContain('within 5 seconds');
		await n8n.clock.advance(400 * SECOND);
		const { items } = await n8n.clock.run(n8n.retry(first));
		expect(statesOf({ items })[0]).toBe('completed');
	});

	test('a status path that was wrong is corrected', async () => {
		const n8n = serviceWith({ served: 'none' });
		n8n.credential.statusPath = '/wrong/{job_id}/';
		const first = await make(n8n, 1);
		expect(first.error?.message).toContain(`${n8n.state.jobs.list[0]!.id} cannot be read`);
		n8n.credential.statusPath = '/open/status/{job_id}/';
		n8n.state.settings.shapes.served = 'own';
		const { items } = await n8n.clock.run(n8n.retry(first));
		expect(statesOf({ items })).toEqual(['completed']);
		expect(n8n.state.jobs.list).toHaveLength(1);
	});
});

test('one identifier that is wrong spoils none of the others that a person names', async () => {
	const n8n = serviceWith({ served: 'history' });
	const { items } = await make(n8n, 2, { values: { waitForCompletion: false } });
	const named = [{ jobId: 'there-is-none', startedWith: 'vidD' }, ...items.map(({ json }) => json)];
	const { items: read } = await n8n.clock.run(
		n8n.execute({
			items: named,
			parameters: (item) => ({
				resource: 'job',
				operation: 'wait',
				jobId: String(named[item]!.jobId),
			}),
			kind: 'video' as const,
			node: { onError: 'continueRegularOutput' },
		}),
	);
	expect(statesOf({ items: read }).slice(1)).toEqual(['completed', 'completed']);
});

test('a list that has gone on since is read on', async () => {
	const n8n = serviceWith({ served: 'history', list: { maxPage: 10 } });
	const { items } = await make(n8n, 1, { values: { waitForCompletion: false } });
	await make(n8n, 30);
	const { items: read } = await get(n8n, items[0]!.json);
	expect(statesOf({ items: read })).toEqual(['completed']);
});
