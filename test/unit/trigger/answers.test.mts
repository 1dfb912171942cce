import { MINUTE_MS, watching, type ListShape } from './watching.mts';

const BOTH = { events: ['completed', 'failed'] };

/** Histories, and what starts a job that is in this one alone. */
const HISTORIES = [
	{ history: 'generation history', made: 'image generate', lists: 'all' },
	{ history: "Video Studio's history", made: 'videoStudio generate', lists: 'image' },
] as const;

const BODIES = ['array', 'data', 'results', 'items', 'dataResults'] as const;

const NAMES = [
	{ names: 'documented names', entries: {}, credential: {} },
	{
		names: 'names that the credential has',
		entries: { idField: 'ref', stateField: 'step' },
		credential: { identifierField: 'ref', stateField: 'step' },
	},
	{ names: 'a state that its value tells', entries: { stateField: 'step' }, credential: {} },
] as const;

const table = HISTORIES.flatMap((history) =>
	BODIES.flatMap((body) =>
		[true, false].flatMap((urls) => NAMES.map((names) => ({ ...history, body, urls, ...names }))),
	),
);

/** A trigger that is active, and then two jobs of which one fails. */
async function told(made: string, list: ListShape, credential: object) {
	const trigger = watching({ parameters: BOTH, credential: { ...credential }, shapes: { list } });
	trigger.start(1, 1000, made);
	await trigger.poll();
	await trigger.activate();
	const late = 1.5 * MINUTE_MS;
	const jobs = [false, true].flatMap((fails, index) => trigger.start(1, late + index, made, fails));
	await trigger.poll(10);
	return { ...trigger, jobs, items: trigger.workflow.items.map(({ json }) => json) };
}

it.each(table)(
	'$history as $body, URLs: $urls, $names: a job is told of once, with its media',
	async ({ made, lists, body, urls, entries, credential }) => {
		const list = { body, lists, entries: { urls, ...entries } };
		const { jobs, items, workflow, asked } = await told(made, list, credential);
		const mediaUrl = expect.stringMatching(/^https:\/\/service\.example\/media\//);
		expect(items).toMatchObject([
			{ jobId: jobs[0], status: 'completed', mediaUrl },
			{ jobId: jobs[1], status: 'failed', errorMessage: expect.any(String), mediaUrl: null },
		]);
		for (const item of items) expect(Object.keys(item).length).toBeLessThanOrEqual(10);
		expect([workflow.failures, workflow.messages]).toEqual([[], []]);
		const reads = asked.filter(({ path }) => jobs.includes(path.split('/').at(-2)!));
		expect(reads).toHaveLength(urls ? 0 : 1);
	},
);

it.each(HISTORIES)(
	'$history: entries without an identifier by any name that is known are left alone, and the log says so once',
	async ({ made, lists }) => {
		const { items, workflow } = await told(made, { lists, entries: { idField: 'ref' } }, {});
		expect([items, workflow.failures]).toEqual([[], []]);
		expect(workflow.messages).toEqual([expect.stringContaining('has no identifier')]);
	},
);

it.each(HISTORIES)('$history without any list: the workflow is not activated', async ({ made }) => {
	await expect(told(made, { body: 'none' }, {})).rejects.toThrow('cannot be read');
});
