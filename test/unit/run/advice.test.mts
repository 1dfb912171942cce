import type { IDataObject } from 'n8n-workflow';

import type { FaultRuleInput } from '../../../sandbox/faults.mts';
import { IMAGE } from '../../support/virtualImages.mts';
import { VirtualN8n, type ExecutionOptions } from '../../support/virtualRun.mts';

/** A failed item says by fields whether it was charged, and what to do: what the table of errors does not have. */

const CONTINUE = { onError: 'continueRegularOutput' } as const;

const LOST: FaultRuleInput = { match: { kind: 'create' }, fault: { kind: 'reset' }, when: 'after' };

function open(rules: FaultRuleInput[] = [], jobMs = 1000) {
	const n8n = new VirtualN8n({ settings: { jobMs: { min: jobMs, max: jobMs } } });
	for (const rule of rules) n8n.state.faults.add(rule);
	const run = async (parameters: IDataObject, more: Partial<ExecutionOptions> = {}) =>
		await n8n.run({ items: [{}], parameters, node: CONTINUE, ...more });
	return { n8n, run };
}

const adviceIn = (json: IDataObject = {}) => [json.charged, json.retry];

const AN_HOUR = 3_600_000;

test.each<[what: string, expected: string[], more: IDataObject, jobMs?: number]>([
	['an invalid value', ['no', 'correctFirst'], { prompt: '' }],
	['the limit of the node', ['no', 'creditsFirst'], { options: { maxCredits: 7 } }],
	[
		'one on the output Failed',
		['yes', 'paysAgain'],
		{ prompt: 'a [fail]', options: { outputByStatus: true } },
	],
	['a job that takes too long', ['yes', 'waitForJob'], { options: { timeout: 5 } }, AN_HOUR],
])('%s', async (_, expected, more, jobMs = 1000) => {
	const { run } = open([], jobMs);
	const { outputs } = await run({ ...IMAGE, ...more });
	expect(outputs.flat().map(({ json }) => adviceIn(json))).toEqual([expected]);
});

test('what an earlier try has paid for counts, whatever has failed now', async () => {
	const { n8n, run } = open([], AN_HOUR);
	const first = await run({ ...IMAGE, options: { timeout: 5 } });
	const again = { ...first, options: { ...first.options, parameters: { ...IMAGE, prompt: '' } } };
	const { items } = await n8n.rerun(again);
	expect(items[0]?.json.error).toContain('Prompt');
	expect(adviceIn(items[0]?.json)).toEqual(['yes', 'waitForJob']);
	expect(items[0]?.json.jobId).toBe(n8n.state.jobs.list[0]!.id);
});

describe('a job that has no price', () => {
	test.each([
		['has failed', false],
		['may have been made', true],
	])('and %s was not charged', async (_, isLost) => {
		const { n8n, run } = open();
		Object.assign(n8n.credential, n8n.state.settings.openPaths);
		const kind = 'music';
		const song = { resource: 'song', operation: 'generate', prompt: 'rain', model: 'V5' };
		const [{ json }] = (await run(song, { kind })).items as [{ json: IDataObject }];
		if (isLost) n8n.state.faults.add(LOST);
		else n8n.state.settings.failPrompt = String(json.audioId);
		const ids = { source: json.jobId, audio_id: json.audioId };
		const { items } = await run({ resource: 'artwork', operation: 'cover_art', ...ids }, { kind });
		expect(items[0]?.json.errorMessage).toEqual(expect.any(String));
		expect(adviceIn(items[0]?.json)).toEqual(['no', 'safe']);
	});
});

describe("a call of an agent's tool", () => {
	const TOOL = { type: 'n8n-nodes-mediagen.mediaGenImageTool', ...CONTINUE };

	const call = (parameters: IDataObject) => ({ items: [{}], parameters, node: TOOL });

	test('that is repeated after a lost answer: it may have been paid for', async () => {
		const { n8n } = open([LOST]);
		const first = await n8n.run(call(IMAGE));
		const { items } = await n8n.clock.run(n8n.nextRun(first, call(IMAGE)));
		expect(n8n.state.jobs.list).toHaveLength(1);
		expect(adviceIn(items[0]?.json)).toEqual(['unknown', 'lookFirst']);
	});

	test.each([
		['that took too long: the same job is looked at', { timeout: 5 }, 1],
		['that was not waited for: a new one is made', undefined, 2],
	])('%s', async (_, options, jobs) => {
		const { n8n } = open([], AN_HOUR);
		const parameters = { ...IMAGE, options, waitForCompletion: options !== undefined };
		const first = await n8n.run(call(parameters));
		const { items } = await n8n.clock.run(n8n.nextRun(first, call(parameters)));
		expect(items[0]?.json.jobId).toBe(n8n.state.jobs.list.at(-1)!.id);
		expect(n8n.state.jobs.list).toHaveLength(jobs);
	});
});
