import type { IRunExecutionData } from 'n8n-workflow';

import { toldBy } from '../../support/toldBy.mts';
import { images } from '../../support/virtualImages.mts';
import { VirtualN8n, type Execution } from '../../support/virtualRun.mts';

/** n8n is killed while a node waits in process, and a person retries the execution: n8n has stored nothing of that try. */

/** Another address stands for the next process, which knows nothing of the account. */
const NEXT_PROCESS = 'https://servicx.example';

const B_REFUSED = {
	match: { kind: 'create', bodyPattern: '"b"' },
	fault: { kind: 'status', status: 402 },
	times: 1,
} as const;

async function open(prompts: string[]) {
	const n8n = new VirtualN8n({ settings: { jobMs: { min: 60_000, max: 60_000 } } });
	const began = n8n.clock.now();
	await n8n.clock.advance(3000);
	const data = { resultData: { runData: { Trigger: [{ startTime: began }] } } };
	const engine = { getExecutionDataById: async () => data as object as IRunExecutionData };
	const options = images(prompts, { engine });
	return {
		n8n,
		options,
		kill: async (execution: Promise<Execution>) => {
			void execution;
			await n8n.clock.advance(20_000);
			n8n.credential.baseUrl = NEXT_PROCESS;
			return { options, memory: {}, flow: {} } as unknown as Execution;
		},
		retry: async (execution: Execution) => await n8n.rerun(execution),
		paid: () => n8n.state.jobs.list.map(({ body }) => body.prompt).sort(),
	};
}

async function killed(prompts: string[]) {
	const opened = await open(prompts);
	return { ...opened, ended: await opened.kill(opened.n8n.execute(opened.options)) };
}

test('a retry names the jobs of the history, and orders nothing; the next one orders', async () => {
	const { n8n, ended, retry, paid } = await killed(['a', 'b']);
	const ids = n8n.state.jobs.list.map(({ id }) => id);
	const told = await retry(ended);
	expect(paid()).toEqual(['a', 'b']);
	expect(told.error?.message).toContain('Not ordered yet');
	for (const id of ids) expect(toldBy(told.error)).toContain(id);
	const again = await retry(told);
	expect(again.error).toBeUndefined();
	expect(paid()).toEqual(['a', 'a', 'b', 'b']);
});

test('a kill in a retry: the next one names what that has ordered, the rest is taken', async () => {
	const { n8n, options, kill, retry, paid } = await open(['a', 'b']);
	n8n.state.faults.add(B_REFUSED);
	const first = await n8n.run(options);
	await kill(n8n.retry(first));
	// A retry that ends before it can look leaves that to the next one.
	n8n.credential.baseUrl = 'nowhere';
	const unusable = await retry(first);
	n8n.credential.baseUrl = NEXT_PROCESS;
	const told = await retry(unusable);
	expect(paid()).toEqual(['a', 'b']);
	expect(toldBy(told.error)).toContain(n8n.state.jobs.list[1]!.id);
	expect((await retry(told)).error).toBeUndefined();
	expect(paid()).toEqual(['a', 'b', 'b']);
});

test('a job from before the end of the stored try is none that was lost, and the retry orders at once', async () => {
	const { n8n, options, retry, paid } = await open(['b']);
	await n8n.run(images(['b']));
	n8n.state.faults.add(B_REFUSED);
	const first = await n8n.run(options);
	n8n.credential.baseUrl = NEXT_PROCESS;
	expect((await retry(first)).error).toBeUndefined();
	expect(paid()).toEqual(['b', 'b']);
});

test('where the history cannot be read, a retry says so, and orders nothing, also when n8n repeats it', async () => {
	const { n8n, ended, retry, paid } = await killed(['a']);
	n8n.state.faults.add({ match: { kind: 'list' }, fault: { kind: 'status', status: 503 } });
	const options = { ...ended.options, node: { retryOnFail: true, maxTries: 2 } };
	const told = await retry({ ...ended, options });
	expect(told.error?.message).toContain('The generation history cannot be read');
	expect(paid()).toEqual(['a']);
	expect((await retry(told)).error).toBeUndefined();
	expect(paid()).toEqual(['a', 'a']);
});

test('nobody is held for ever: a second retry of the killed execution orders, too', async () => {
	const { ended, retry, paid } = await killed(['a']);
	await retry(ended);
	expect((await retry(ended)).error).toBeUndefined();
	expect(paid()).toEqual(['a', 'a']);
});
