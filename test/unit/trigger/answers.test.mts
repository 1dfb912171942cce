import type { SandboxSettingsInput } from '../../../sandbox/settings.mts';
import { VirtualPolling } from '../../support/virtualPoll.mts';
import { VirtualN8n } from '../../support/virtualRun.mts';
import { startJob } from './tell.mts';

const MINUTE_MS = 60_000;

type ListShape = NonNullable<NonNullable<SandboxSettingsInput['shapes']>['list']>;

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
	const n8n = new VirtualN8n({ settings: { shapes: { list } } }, { ...credential });
	const workflow = new VirtualPolling(n8n).add({ events: ['completed', 'failed'] });
	startJob(n8n.state, { made, fails: false, ms: 1000 });
	await n8n.clock.advance(MINUTE_MS);
	await n8n.clock.run(workflow.activate());
	const jobs = [false, true].map((fails, index) =>
		startJob(n8n.state, { made, fails, ms: 90_000 + index }),
	);
	await n8n.clock.advance(10 * MINUTE_MS);
	const items = workflow.items.map(({ json }) => json);
	return { jobs: jobs.map(({ id }) => id), items, workflow, state: n8n.state };
}

it.each(table)(
	'$history as $body, URLs: $urls, $names: a job is told of once, with its media',
	async ({ made, lists, body, urls, entries, credential }) => {
		const { jobs, items, workflow, state } = await told(
			made,
			{ body, lists, entries: { urls, ...entries } },
			credential,
		);
		expect(items).toMatchObject([
			{
				jobId: jobs[0],
				status: 'completed',
				mediaUrl: expect.stringMatching(/^https:\/\/service\.example\/media\//),
			},
			{ jobId: jobs[1], status: 'failed', errorMessage: expect.any(String), mediaUrl: null },
		]);
		expect(workflow.failures).toEqual([]);
		expect(workflow.messages).toEqual([]);
		const reads = state.journal.ofKind('status').filter(({ path }) => jobs.includes(idIn(path)));
		expect(reads).toHaveLength(urls ? 0 : 1);
	},
);

const idIn = (path: string) => path.split('/').at(-2)!;

it.each(HISTORIES)(
	'$history: entries without an identifier by any name that is known are left alone, and the log says so once',
	async ({ made, lists }) => {
		const { items, workflow } = await told(made, { lists, entries: { idField: 'ref' } }, {});
		expect(items).toEqual([]);
		expect(workflow.failures).toEqual([]);
		expect(workflow.messages).toEqual([expect.stringContaining('has no identifier')]);
	},
);

it.each(HISTORIES)('$history without any list: the workflow is not activated', async ({ made }) => {
	await expect(told(made, { body: 'none' }, {})).rejects.toThrow('cannot be read');
});
