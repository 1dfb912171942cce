import { bare, ended, going, HISTORY, many, watching } from './watching.mts';

/** Jobs whose lists do not tell the result, so that their own status has to. */

const BOTH = { events: ['completed', 'failed'] };
const SHAPES = { list: { entries: { urls: false } } };

const media = expect.stringContaining('https://');

it.each([
	['image generate', true],
	['image generate', false],
	['videoStudio generate', false],
])(
	'%s, URLs in its list: %s: the status is read only where the list does not tell',
	async (made, urls) => {
		const shapes = { list: { entries: { urls } } };
		const { activate, start, poll, workflow, asked } = watching({ parameters: BOTH, shapes });
		await activate();
		const jobs = [false, true].flatMap((fails, index) => start(1, 90_000 + index, made, fails));
		await poll(10);
		const items = workflow.items.map(({ json }) => json);
		expect(items).toMatchObject([
			{ jobId: jobs[0], status: 'completed', mediaUrl: media },
			{ jobId: jobs[1], status: 'failed', errorMessage: expect.any(String), mediaUrl: null },
		]);
		for (const item of items) expect(Object.keys(item).length).toBeLessThanOrEqual(10);
		const reads = asked.filter(({ path }) => jobs.includes(path.split('/').at(-2)!));
		expect(reads).toHaveLength(urls ? 0 : 1);
	},
);

it.each([
	[503, 'is read again', [], expect.stringContaining('https://')],
	[404, 'does not hold up the item, which is what the list tells', [null], null],
])('a status that is answered with %i %s', async (status, _, early, url) => {
	const { activate, start, fail, poll, urls, state } = watching({ shapes: SHAPES });
	await activate();
	start();
	fail({ kind: 'status' }, { kind: 'status', status });
	await poll(3);
	expect(urls()).toEqual(early);
	state.faults.clear();
	await poll(2);
	expect(urls()).toEqual([url]);
});

it('25 jobs whose status cannot be read for ever keep no other waiting', async () => {
	const { list, tell, activate, poll, ids, fail } = watching();
	list();
	await activate();
	const stale = many(25, (index) => bare(`stale${index}`));
	fail({ kind: 'status', pathPattern: 'stale' }, { kind: 'status', status: 500 });
	list(...stale);
	await poll(2);
	list(bare('good'), ...stale);
	tell('good', ended('good'));
	await poll(3);
	expect(ids()).toEqual(['good']);
});

it.each(['.', '..', '\ud800', '../../api-keys', '%2e%2e', 'a\nb', '?', '#'])(
	'%j, which is no segment of a path, is told of by what its list shows, and so are others',
	async (id) => {
		const { list, activate, poll, ids, workflow, asked } = watching();
		list(going(id), going('good'));
		await activate();
		list(ended('good'), bare(id));
		await poll(3);
		expect(ids().sort()).toEqual([id, 'good'].sort());
		expect(workflow.failures).toEqual([]);
		const paths = asked.map(({ path }) => path).filter((path) => !path.includes('/history/'));
		expect(paths.every((path) => path.startsWith(HISTORY.replace('history/', '')))).toBe(true);
	},
);

it('a job that ends while its trigger is given another name is told of', async () => {
	const { list, activate, edit, workflow, poll, ids } = watching({ everyMinutes: 10 });
	list(going('long'));
	await activate();
	const first = ended('first');
	list(first, going('long'));
	await poll(15);
	expect(ids()).toEqual(['first']);
	list(ended('long'), first);
	// n8n keeps static data by the name of the node.
	workflow.stored = '{}';
	await edit({});
	await poll(20);
	expect(ids()).toEqual(['first', 'long']);
});

test.each([
	['general', {}],
	['history', {}],
	['studio', {}],
	['history', { urls: false }],
] as const)(
	'a job whose status path is not documented, served by %s, %j: once, with what is told',
	async (served, entries) => {
		const shapes = { served, creation: { idField: 'task_id' }, list: { entries } };
		const { activate, start, poll, workflow } = watching({ shapes });
		await activate();
		const [jobId] = start(1, 1000, 'vidD generate');
		await poll(15);
		const mediaUrl = 'urls' in entries ? null : expect.stringContaining(jobId!);
		const items = workflow.items.map(({ json }) => json);
		expect(items).toMatchObject([{ jobId, status: 'completed', mediaUrl }]);
	},
);

describe('an entry that is no job', () => {
	const STATE = { status: 'completed' };

	test.each<[string, unknown, string]>([
		['null', null, 'identifier'],
		['without an identifier', { ...STATE, image_url: 'https://cdn.example/a.png' }, 'identifier'],
		['with one of 501 characters', { id: 'x'.repeat(501), ...STATE }, 'identifier'],
		['without a state', { id: 'x' }, 'state'],
	])("%s: it is left alone, and n8n's log says so once", async (_, entry, lack) => {
		const { list, activate, poll, ids, workflow } = watching();
		list();
		await activate();
		list(entry, ended('y'));
		await poll(5);
		expect(ids()).toEqual(['y']);
		expect(workflow.messages).toEqual([
			`MediaGen Trigger (workflow w1): An entry of the Image or Standard Video history has no ${lack}: it is left alone`,
		]);
	});
});
