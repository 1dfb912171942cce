import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { VirtualPolling } from '../../support/virtualPoll.mts';
import { VirtualN8n } from '../../support/virtualRun.mts';
import { nightly } from '../../support/sampled.mts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** From the document. */
const HISTORY = '/api/v1/generate/history/';
const STUDIO_HISTORY = '/api/v1/video-studio/history/';

type Entry = Record<string, unknown>;

/** A trigger on an account whose lists and statuses say what the test says. */
function watching(
	parameters = {},
	credential = {},
	everyMinutes = 1,
	options: ConstructorParameters<typeof VirtualPolling>[1] = {},
	evaluated: IDataObject = {},
) {
	const lists: Record<string, unknown[]> = { [HISTORY]: [], [STUDIO_HISTORY]: [] };
	const states: Record<string, unknown> = {};
	const asked: Array<{ at: number; path: string; host: string }> = [];
	const retell = (answer: unknown, { url, qs }: IHttpRequestOptions) => {
		const { pathname, host } = new URL(url);
		asked.push({ at: n8n.clock.now(), path: pathname, host });
		const entries = lists[pathname];
		if (entries) {
			const from = Number(qs?.offset ?? 0);
			return entries.slice(from, from + Number(qs?.limit ?? entries.length));
		}
		const id = decodeURIComponent(pathname.split('/').at(-2)!);
		return states[id] ?? answer;
	};
	const n8n: VirtualN8n = new VirtualN8n({ retell }, credential);
	const answer = (pathPattern: string) =>
		n8n.state.faults.add({
			match: { pathPattern },
			fault: { kind: 'status', status: 200, body: {} },
		});
	answer('history/$');
	const polling = new VirtualPolling(n8n, options);
	const workflow = polling.add(parameters, everyMinutes, evaluated);
	return {
		n8n,
		polling,
		workflow,
		/** What the status of a job says from now on. */
		tell: (id: string, record: Entry) => {
			if (!(id in states)) answer(`/${id}/$`);
			states[id] = record;
		},
		asked,
		list: (...listed: unknown[]) => void (lists[HISTORY] = listed),
		listStudio: (...listed: unknown[]) => void (lists[STUDIO_HISTORY] = listed),
		activate: async () => await n8n.clock.run(workflow.activate()),
		poll: async (times = 1) => await n8n.clock.advance(times * MINUTE_MS),
		ids: () => workflow.items.map(({ json }) => json.jobId),
	};
}

let files = 0;

const newUrl = () => `https://cdn.example/${++files}.png`;

const ended = (id: unknown, more: Entry = {}): Entry => ({
	id,
	status: 'completed',
	generation_type: 'image',
	image_url: newUrl(),
	...more,
});

/** Its list does not tell the result. */
const bare = (id: unknown): Entry => ({ id, status: 'completed', generation_type: 'image' });

const going = (id: unknown, more: Entry = {}): Entry => ({ id, status: 'processing', ...more });

const at = (minutes: number) => new Date(Date.UTC(2026, 0, 1) + minutes * MINUTE_MS).toISOString();

const many = <T,>(count: number, make: (index: number) => T): T[] =>
	Array.from({ length: count }, (_, index) => make(index));

describe('no job is lost', () => {
	it('behind some whose status contradicts what their list says', async () => {
		const { list, tell, activate, poll, ids } = watching();
		list();
		await activate();
		const stale = many(25, (index) => bare(`stale${index}`));
		for (const { id } of stale) tell(String(id), { id, status: 'expired' });
		list(...stale);
		await poll(2);
		list(ended('good'), ...stale);
		await poll(60);
		expect(ids()).toContain('good');
	});

	it('that was waited for, and ends while the key of the account is exchanged', async () => {
		const { n8n, workflow, list, activate, poll, ids } = watching();
		list(going('long'));
		await activate();
		await poll(2);
		n8n.credential.apiKey = 'mg_another_key';
		list(ended('long'));
		await n8n.clock.run(workflow.edit({}));
		await poll(3);
		expect(ids()).toEqual(['long']);
	});

	it('that was waited for, and ends while Media Type is set from Image to All', async () => {
		const { n8n, workflow, list, activate, poll, ids } = watching({ mediaType: 'image' });
		list(going('long', { generation_type: 'image' }));
		await activate();
		await poll(2);
		list(ended('long'));
		await n8n.clock.run(workflow.edit({ mediaType: 'all' }));
		await poll(3);
		expect(ids()).toEqual(['long']);
	});

	it('that ends while its trigger is given another name', async () => {
		const { n8n, workflow, list, activate, poll, ids } = watching({}, {}, 10);
		list(going('long'));
		await activate();
		const first = ended('first');
		list(first, going('long'));
		await poll(15);
		const [told] = ids();
		expect(told).toBe('first');
		list(ended('long'), first);
		// n8n keeps static data by the name of the node.
		workflow.stored = '{}';
		await n8n.clock.run(workflow.edit({}));
		await poll(20);
		expect(ids()).toEqual(['first', 'long']);
	});

	it('that took long, in a list of ended jobs, the newest first', async () => {
		const { list, activate, poll, ids } = watching();
		const before = many(150, (index) => ended(`old${index}`, { created_at: at(-index) }));
		list(...before);
		await activate();
		// A video of five minutes; 120 images begin and end meanwhile.
		const images = many(120, (index) => ended(`i${index}`, { created_at: at(6 - index / 24) }));
		list(...images, ...before);
		await poll(3);
		list(...images, ended('video', { created_at: at(0.5) }), ...before);
		await poll(10);
		expect(ids()).toHaveLength(121);
	});

	it.each([0, '-', 'none'])('for a task_id of %j that all entries have', async (task_id) => {
		const { list, activate, poll, ids } = watching();
		list(ended('before', { task_id }));
		await activate();
		list(ended('b', { task_id }), ended('a', { task_id }), ended('before', { task_id }));
		await poll(3);
		expect(ids().sort()).toEqual(['a', 'b']);
	});
});

describe('no job is told of twice', () => {
	it('whose entry has another identifier when it has ended', async () => {
		const { list, tell, activate, poll, ids } = watching();
		list({ task_id: 't1', status: 'processing' });
		await activate();
		await poll();
		const end = ended('g1');
		tell('t1', end);
		list(end);
		await poll(5);
		expect(ids()).toEqual(['g1']);
	});

	nightly('of 4,000 jobs in two lists without times, each with two identifiers', async () => {
		const { list, listStudio, activate, poll, ids } = watching();
		list(...many(2000, (index) => ended(`g${index}`, { job_id: `gj${index}` })));
		listStudio(...many(2000, (index) => ended(`s${index}`, { job_id: `sj${index}` })));
		await activate();
		await poll(5);
		expect(ids()).toHaveLength(0);
	});
});

describe('no job is told of twice, nor is an old one', () => {
	it('of which one entry of a list has more identifiers than another', async () => {
		const { list, activate, poll, ids } = watching();
		const end = ended('a');
		list(end, { ...end, job_id: 'b' });
		await activate();
		list({ ...end, id: undefined, job_id: 'b' });
		await poll(3);
		expect(ids()).toEqual([]);
	});
});

describe('a job that the service does not know any more', () => {
	it('is not asked for after a week', async () => {
		const { n8n, asked, list, activate } = watching({}, {}, 60);
		list(going('gone'));
		await activate();
		list();
		await n8n.clock.advance(7 * 24 * HOUR_MS);
		const since = n8n.clock.now();
		await n8n.clock.advance(24 * HOUR_MS);
		expect(asked.filter(({ at, path }) => at >= since && path.includes('gone'))).toEqual([]);
	});
});

describe('a URL that is none', () => {
	it.each([
		'https://[',
		'https://x:99999/a.png',
		'https://\ud800/',
		'https://a b/c.png',
		'https://',
	])('%j keeps no other job from being told of', async (image_url) => {
		const { list, activate, poll, ids } = watching({ downloadMedia: true });
		await activate();
		list(ended('a', { image_url }), { ...bare('b'), status: 'failed' });
		await poll(12);
		expect(ids()).toContain('a');
	});
});

it('has what an entry has, whatever its fields are called', async () => {
	const { workflow, list, activate, poll } = watching({ options: { simplify: false } });
	await activate();
	list(ended('a', { prototype: 'p', constructor: 'c' }));
	await poll(2);
	expect(JSON.stringify(workflow.items)).toMatch(/"prototype":"p".*"constructor":"c"/);
});

describe('another service', () => {
	it('is not asked for the jobs of the one before', async () => {
		const { n8n, workflow, asked, list, activate, poll } = watching();
		list(going('secret-job'));
		await activate();
		await poll(2);
		list();
		n8n.credential.baseUrl = 'https://other.example';
		await n8n.clock.run(workflow.edit({}));
		await poll(3);
		const others = asked.filter(({ host }) => host === 'other.example');
		expect(others.filter(({ path }) => path.includes('secret-job'))).toEqual([]);
	});
});

describe('no job is told of that must not be', () => {
	it('since it ended before activation, and no list shows it any more', async () => {
		const { workflow, list, tell, activate, poll, ids } = watching();
		list(going('old'));
		await activate();
		list();
		tell('old', going('old'));
		await poll(12);
		list(ended('other'));
		await poll();
		workflow.deactivate();
		tell('old', ended('old', { completed_at: at(0) }));
		await poll(120);
		await activate();
		await poll(60);
		expect(ids()).toEqual(['other']);
	});

	it.each([[[]], [{ id: 'mine' }], [true]])(
		'since Only These Job IDs is an expression that gives %j',
		async (jobIds) => {
			const { list, activate, poll, ids } = watching({ options: { jobIds } });
			await activate().catch(() => {});
			list(ended('other'));
			await poll(3);
			expect(ids()).toEqual([]);
		},
	);
});

describe('Only These Job IDs', () => {
	it.each(['own', 'generation'])('may be either of two that an entry has: %s', async (jobIds) => {
		const { list, activate, poll, workflow } = watching({ options: { jobIds } });
		await activate();
		list(ended('other'), ended('own', { generation_id: 'generation' }));
		await poll(3);
		expect(workflow.items).toHaveLength(1);
		expect(['own', 'generation']).toContain(workflow.items[0]?.json.jobId);
	});
});

describe('a job has its media', () => {
	nightly(
		'though its status has never had its turn: an account of ten requests an hour',
		async () => {
			const { n8n, list, tell, activate, workflow } = watching({}, { accountKind: 'demo' });
			await activate();
			list(bare('a'));
			tell('a', ended('a'));
			await n8n.clock.advance(24 * HOUR_MS);
			expect(workflow.items.map(({ json }) => json.mediaUrl)).toEqual([
				expect.stringContaining('https://'),
			]);
		},
	);
});

describe('what n8n logs', () => {
	it('is one line for each message', async () => {
		const { list, activate, poll, workflow } = watching();
		await activate();
		list(bare('a\n2026-01-01 | error | n8n is on fire'));
		await poll(20);
		expect(workflow.messages.filter((text) => text.includes('\n'))).toEqual([]);
	});
});

describe('a poll that ends after its workflow was switched off and on', () => {
	it('does not undo what the first poll after that has learned', async () => {
		const { n8n, workflow, list, activate, poll, ids } = watching({}, {}, 1, {
			keeping: 'cursors',
		});
		await activate();
		n8n.state.faults.add({ match: { pathPattern: '/slow/$' }, fault: { kind: 'hang' }, times: 1 });
		list(bare('slow'));
		for (let second = 0; second < 60 && workflow.polls.length < 2; second++) {
			await n8n.clock.advance(1000);
		}
		await n8n.clock.advance(20_000);
		workflow.deactivate();
		list(ended('off'));
		await activate();
		await poll();
		list(ended('new'), ended('off'));
		await poll(3);
		expect(ids()).toEqual(['new']);
	});
});

describe('a long list without times', () => {
	nightly.each([2])(
		'of 1,500 jobs is read in the end by %i triggers while a job is waited for',
		async (count) => {
			const { n8n, polling, list } = watching();
			const jobs = many(1500, (index) => ended(`old${index}`));
			list(...jobs);
			for (let one = 1; one < count; one++) polling.add();
			for (const each of polling.workflows) await n8n.clock.run(each.activate());
			n8n.state.settings.jobMs = { min: 3 * HOUR_MS, max: 3 * HOUR_MS };
			void n8n.execute({
				items: [{}],
				parameters: {
					resource: 'image',
					operation: 'generate',
					size: '1:1',
					prompt: 'a kite',
					waitForCompletion: true,
					options: { timeout: 20_000 },
				},
			});
			await n8n.clock.advance(MINUTE_MS);
			list(...jobs, ended('new'));
			await n8n.clock.advance(HOUR_MS);
			for (const { items } of polling.workflows) {
				expect(items.map(({ json }) => json.jobId)).toEqual(['new']);
			}
		},
	);
});

describe('Fetch Test Event', () => {
	it('names Only These Job IDs where that is why there is no job', async () => {
		const { n8n, workflow, list } = watching({ options: { jobIds: 'mine' } });
		list(ended('other'));
		const error: unknown = await n8n.clock
			.run(workflow.fetchTestEvent())
			.catch((caught: unknown) => caught);
		expect(String((error as { description: string }).description)).toContain('Job IDs');
	});
});

describe('activation', () => {
	it('on an account of ten requests an hour, a second time: the error says how long to wait', async () => {
		const { n8n, workflow, list, activate } = watching({}, { accountKind: 'demo' });
		list(ended('a'));
		await activate();
		workflow.deactivate();
		const error: unknown = await n8n.clock
			.run(workflow.activate())
			.catch((caught: unknown) => caught);
		expect(JSON.stringify(error)).toContain('hour');
	});
});

describe('what a person reads', () => {
	it.each([
		['Events', { events: null }],
		['Events', { events: { a: 1 } }],
		['Media Type', { mediaType: null }],
		['Media Type', { mediaType: { a: 1 } }],
	])('of an expression in %s: %j', async (label, given) => {
		const { activate } = watching({}, {}, 1, {}, given as unknown as IDataObject);
		const error = await activate().then(
			() => undefined,
			(caught: unknown) => caught as Error & { description: string },
		);
		const text = `${error?.message} ${error?.description}`;
		expect(text).toContain(label);
		expect(text).not.toContain('[object Object]');
		expect(text).not.toContain('""');
	});

	it.each([
		{ options: null },
		{ options: 'text' },
		{ options: [] },
		{ options: { simplify: null } },
		{ options: { resultField: { a: 1 } } },
		{ downloadMedia: 'yes' },
		{ downloadMedia: [true] },
	])('of %j: what it is about, or nothing is wrong', async (given) => {
		const { activate, list, poll, ids, workflow } = watching({}, {}, 1, {}, given as IDataObject);
		const error = await activate().then(
			() => undefined,
			(caught: unknown) => caught as Error & { description: string },
		);
		if (error) {
			expect(`${error.message} ${error.description}`).not.toMatch(
				/undefined|\[object|TypeError|Cannot read/,
			);
		} else {
			list(ended('a'));
			await poll(2);
			expect({ ids: ids(), failures: workflow.failures }).toEqual({ ids: ['a'], failures: [] });
		}
	});
});

describe('a person hears of it', () => {
	it.each(['ENOTFOUND', 'ECONNREFUSED', 'CERT_HAS_EXPIRED'])(
		'when the service cannot be reached for an hour (%s)',
		async (code) => {
			const { n8n, activate, poll, workflow } = watching();
			await activate();
			const { send } = n8n.network;
			n8n.network.send = async () => await Promise.reject(Object.assign(new Error(code), { code }));
			await poll(60);
			n8n.network.send = send;
			expect(workflow.failures.length).toBeGreaterThan(0);
		},
	);

	nightly('when a trigger has not had its turn for hours, or of the job', async () => {
		const { n8n, list, activate, workflow } = watching({}, { accountKind: 'demo' });
		await activate();
		n8n.state.settings.jobMs = { min: 24 * HOUR_MS, max: 24 * HOUR_MS };
		void n8n.execute({
			items: [{}],
			parameters: {
				resource: 'image',
				operation: 'generate',
				size: '1:1',
				prompt: 'a kite',
				waitForCompletion: true,
				options: { timeout: 80_000 },
			},
		});
		await n8n.clock.advance(HOUR_MS);
		list(ended('new'));
		await n8n.clock.advance(20 * HOUR_MS);
		const { failures, messages, items } = workflow;
		expect(failures.length + messages.length + items.length).toBeGreaterThan(0);
	});
});
