import type { IDataObject } from 'n8n-workflow';

import { VirtualN8n, type ExecutionOptions } from '../../support/virtualRun.mts';

/** The hint after a run: what it has made, what that has cost, what is left, how long it took. */

const IMAGE = { resource: 'image', operation: 'generate', size: '1:1', prompt: 'a kite' };
const SONG = { resource: 'song', operation: 'generate', prompt: 'a song', model: 'V5' };

const UNWAITED = { waitForCompletion: false };

function open() {
	const n8n = new VirtualN8n(
		{ settings: { credits: { purchased: 1034, welcome: 0 }, jobMs: { min: 4000, max: 4000 } } },
		{ musicSubmitPath: '/open/music/{operation}/' },
	);
	const run = async (items: IDataObject[], more: Partial<ExecutionOptions> = {}) =>
		await n8n.clock.run(
			n8n.execute({ items: items.map(() => ({})), parameters: (i) => items[i]!, ...more }),
		);
	return { n8n, run };
}

const images = (prompts: string, more: IDataObject = {}) =>
	prompts.split(',').map((prompt) => ({ ...IMAGE, prompt, ...more }));

const CONTINUE: Partial<ExecutionOptions> = { node: { onError: 'continueRegularOutput' } };

const PATIENCE = { options: { timeout: 1, outputByStatus: true } };

test.each<[string, IDataObject[], Partial<ExecutionOptions>, string[]]>([
	['8 images', images('a,b,c,d,e,f,g,h'), {}, ['8 jobs done, 64 credits, 970 left']],
	['one image', images('a'), {}, ['1 job done, 8 credits, 1026 left']],
	['two unwaited', images('a,b', UNWAITED), {}, ['2 running, 16 credits, 1018 left']],
	[
		'a song, unwaited',
		[{ ...SONG, ...UNWAITED }],
		{ kind: 'music' },
		['1 running, 12 credits, 1022 left'],
	],
	['one that takes too long', images('a', PATIENCE), {}, ['1 running, 8 credits, 1026 left']],
	[
		'failed ones, which are paid for',
		images('a,b [fail],'),
		CONTINUE,
		['1 job done, 2 failed, 16 credits, 1018 left'],
	],
	['no job', [{ resource: 'credits', operation: 'get' }], { kind: 'account' }, []],
])('%s', async (_, items, more, expected) => {
	const { hints, startedAt, endedAt } = await open().run(items, more);
	const seconds = Math.round((endedAt - startedAt) / 1000);
	const told = hints.filter(({ type, location }) => type === 'info' && location === 'outputPane');
	expect(told.map(({ message }) => message)).toEqual(
		expected.map((text) => `${text}, ${seconds} s`),
	);
});

test('where the answers do not tell, no credits are said', async () => {
	const { n8n, run } = open();
	n8n.state.settings.shapes.creation.credits = false;
	const video = {
		...{ resource: 'vidB30', operation: 'generate', prompt: 'a kite', sound: false },
		...{ generationMode: 'text_to_video', durationSeconds: 5, qualityMode: 'std' },
	};
	const { hints } = await run([{ ...video, ...UNWAITED, aspectRatio: '16:9' }], { kind: 'video' });
	expect(hints.map(({ message }) => message)).toContainEqual(
		expect.stringMatching(/^1 running, \d+ s$/),
	);
});

test.each([1, 2])('a retry counts what it has paid for alone: try %i', async (tries) => {
	const { n8n, run } = open();
	const match = { kind: 'create', bodyPattern: 'second' } as const;
	n8n.state.faults.add({ match, fault: { kind: 'status', status: 402 }, times: tries });
	const first = await run(images('a,second', { options: { maxConcurrentJobs: 1 } }));
	expect(first.error).toBeDefined();
	const options = { ...first.options, node: { retryOnFail: true } };
	const again = await n8n.clock.run(n8n.retry({ ...first, options }));
	expect(again.tries).toBe(tries);
	expect(again.hints[0]?.message).toContain('2 jobs done, 8 credits, 1018 left');
});
