import { randomUUID } from 'node:crypto';

import { outputsOf, type Execution } from '../../tools/lib/n8nClient.mts';
import { connectionsOf, n8nNode } from '../../tools/lib/workflowNodes.mts';
import { useExamples } from '../support/useExamples.mts';

/** Examples that end with one item of results: for a person, and for another workflow. */

const { n8n, importExample, runExample, retry } = useExamples({
	sandbox: { jobMs: { min: 0, max: 0 } },
});

jest.setTimeout(60_000);

/** The only item that a node gives out. */
function resultOf(execution: Execution, node: string) {
	expect([execution.status, execution.error?.message]).toEqual(['success', undefined]);
	const [items = []] = outputsOf(execution, node);
	expect(items).toHaveLength(1);
	return items[0]?.json;
}

describe('songToVideo', () => {
	const operations = () => n8n.sandbox.jobs.map(({ operation }) => operation.operation);

	test('lyrics, song, cover and film in one item', async () => {
		const result = resultOf(await runExample('songToVideo.json', 'Start'), 'Result');
		const [, song, cover, film] = n8n.sandbox.jobs;
		expect(result).toEqual({
			title: 'Until Spring',
			lyrics: expect.stringMatching(/^\[Verse\]\n/),
			songUrl: expect.stringContaining(song!.id),
			coverUrl: expect.stringContaining(cover!.id),
			filmUrl: expect.stringContaining(film!.id),
		});
		expect(song?.body).toMatchObject({ prompt: result.lyrics, title: 'Until Spring' });
		expect(operations()).toEqual(['lyrics', 'generate', 'cover_art', 'music_video']);
	});

	test('no lyrics in the answer: it stops before the song is paid for', async () => {
		const { error } = await runExample('songToVideo.json', 'Start', {
			'Write the lyrics': { parameters: { operation: 'style_boost', content: 'folk' } },
		});
		expect(error?.message).toContain('Prompt');
		expect(operations()).toEqual(['style_boost']);
	});

	test('the cover is refused: a retry makes what is missing', async () => {
		n8n.sandbox.faults.add({
			match: { kind: 'create', bodyPattern: 'audio_id' },
			fault: { kind: 'status', status: 403 },
			times: 1,
		});
		const failed = await runExample('songToVideo.json', 'Start');
		expect([failed.status, failed.lastNode]).toEqual(['error', 'Cover']);
		resultOf(await retry(failed), 'Result');
		expect(operations()).toEqual(['lyrics', 'generate', 'cover_art', 'music_video']);
	});
});

describe('calledWorkflow', () => {
	/** Calls it with a prompt, from another workflow. */
	async function call(prompt: string): Promise<Execution> {
		const called = await importExample('calledWorkflow.json');
		await n8n.client.activate(called);
		const calling = n8nNode('Call', 'executeWorkflow', 1.2, {
			source: 'database',
			workflowId: { __rl: true, mode: 'id', value: called.id },
			workflowInputs: { mappingMode: 'defineBelow', value: { prompt }, schema: [] },
			options: {},
		});
		const workflow = await n8n.client.createWorkflow({
			name: randomUUID(),
			nodes: [n8nNode('Start', 'manualTrigger', 1), calling],
			connections: connectionsOf([['Start', 'Call']]),
			settings: { executionOrder: 'v1' },
		});
		const id = await n8n.client.runManually(workflow, 'Start');
		return await n8n.client.waitForExecution(id);
	}

	test('the caller gets the address of the picture', async () => {
		const result = resultOf(await call('A kite'), 'Call');
		const [job] = n8n.sandbox.jobs;
		expect(job?.body).toEqual({ prompt: 'A kite', size: '1:1' });
		expect(result).toEqual({
			imageUrl: `${n8n.sandbox.url}/media/${job?.id}.png`,
			credits: 8,
			jobId: job?.id,
		});
	});

	test('or the error', async () => {
		const { error } = await call('A kite [fail]');
		expect(error?.message).toContain('The sandbox was asked to fail this generation.');
	});

	test('without a prompt, nothing is paid for', async () => {
		expect((await call('')).error?.message).toContain('Prompt');
		expect(n8n.sandbox.jobs).toEqual([]);
	});
});
