import type { IDataObject } from 'n8n-workflow';

import type { FaultRuleInput } from '../../../sandbox/faults.mts';
import { VirtualN8n, type ExecutionOptions } from '../../support/virtualRun.mts';

/** The hint after a run: what it has made, what that has cost, what is left, how long it took. */

const IMAGE = { resource: 'image', operation: 'generate', size: '1:1', prompt: 'a kite' };

function open(rules: FaultRuleInput[] = []) {
	const n8n = new VirtualN8n(
		{ settings: { credits: { purchased: 1034, welcome: 0 }, jobMs: { min: 4000, max: 4000 } } },
		{ musicSubmitPath: '/open/music/{operation}/' },
	);
	for (const rule of rules) n8n.state.faults.add(rule);
	return {
		n8n,
		said: async (items: IDataObject[], more: Partial<ExecutionOptions> = {}) => {
			const { hints } = await n8n.clock.run(
				n8n.execute({ items: items.map(() => ({})), parameters: (i) => items[i]!, ...more }),
			);
			return hints
				.filter(({ type, location }) => type === 'info' && location === 'outputPane')
				.map(({ message }) => message.replace(/\d+ s$/, 'N s'));
		},
	};
}

const images = (...prompts: string[]) => prompts.map((prompt) => ({ ...IMAGE, prompt }));

test('8 images', async () => {
	const { said } = open();
	expect(await said(images(...'abcdefgh'))).toEqual(['8 jobs done, 64 credits, 970 left, N s']);
});

test('one image', async () => {
	expect(await open().said(images('a'))).toEqual(['1 job done, 8 credits, 1026 left, N s']);
});

test('the seconds are those of the run', async () => {
	const { n8n } = open();
	const execution = await n8n.clock.run(n8n.execute({ items: [{}], parameters: IMAGE }));
	const { startedAt, endedAt, hints } = execution;
	const seconds = Math.round((endedAt - startedAt) / 1000);
	expect(seconds).toBeGreaterThanOrEqual(4);
	expect(hints[0]?.message).toContain(`, ${seconds} s`);
});

test('jobs that nobody waits for', async () => {
	const items = images('a', 'b').map((item) => ({ ...item, waitForCompletion: false }));
	expect(await open().said(items)).toEqual(['2 running, 16 credits, 1018 left, N s']);
	expect(await open().said(items.slice(1))).toEqual(['1 running, 8 credits, 1026 left, N s']);
});

test('failed ones are counted, and paid for', async () => {
	const node = { onError: 'continueRegularOutput' } as const;
	expect(await open().said(images('a', 'b [fail]', ''), { node })).toEqual([
		'1 job done, 2 failed, 16 credits, 1018 left, N s',
	]);
});

test('those that have not finished in time', async () => {
	const items = images('a').map((item) => ({
		...item,
		options: { timeout: 1, outputByStatus: true },
	}));
	expect(await open().said(items)).toEqual(['1 running, 8 credits, 1026 left, N s']);
});

test('where the answers do not tell, no credits are said', async () => {
	const { n8n, said } = open();
	n8n.state.settings.shapes.creation.credits = false;
	const typed = {
		resource: 'vidB30',
		operation: 'generate',
		prompt: 'a kite',
		generationMode: 'text_to_video',
		durationSeconds: 5,
		qualityMode: 'std',
		aspectRatio: '16:9',
		sound: false,
		waitForCompletion: false,
	};
	expect(await said([typed], { kind: 'video' as const })).toEqual(['1 running, N s']);
});

test('a retry does not count what another execution has paid for', async () => {
	const { n8n } = open([
		{
			match: { kind: 'create', bodyPattern: 'second' },
			fault: { kind: 'status', status: 400 },
			times: 1,
		},
	]);
	const items = images('a', 'second').map((item) => ({
		...item,
		options: { maxConcurrentJobs: 1 },
	}));
	const first = await n8n.clock.run(n8n.execute({ items: [{}, {}], parameters: (i) => items[i]! }));
	expect(first.error).toBeDefined();
	const { hints } = await n8n.clock.run(n8n.retry(first));
	expect(hints[0]?.message).toMatch(/^2 jobs done, 8 credits, 1018 left, \d+ s$/);
});

const SONG = { resource: 'song', operation: 'generate', prompt: 'a song', model: 'V5' };

test('nor does its second try', async () => {
	const match = { kind: 'create', bodyPattern: '"b"' } as const;
	const { n8n } = open([{ match, fault: { kind: 'status', status: 402 }, times: 2 }]);
	const items = images('a', 'b');
	const options: ExecutionOptions = {
		items: items.map(() => ({})),
		parameters: (i) => items[i]!,
	};
	const first = await n8n.clock.run(n8n.execute(options));
	const again = { ...first, options: { ...options, node: { retryOnFail: true } } };
	const { tries, hints } = await n8n.clock.run(n8n.retry(again));
	expect(tries).toBe(2);
	expect(hints[0]?.message).toContain('2 jobs done, 8 credits, 1018 left');
});

test('one that is not waited for is a job', async () => {
	const song = { ...SONG, waitForCompletion: false };
	expect(await open().said([song], { kind: 'music' as const })).toEqual([
		expect.stringMatching(/^1 running, 12 credits, /),
	]);
});

test('what creates no job says nothing', async () => {
	const parameters = { resource: 'credits', operation: 'get' };
	expect(await open().said([parameters], { kind: 'account' as const })).toEqual([]);
});
