import { readFileSync } from 'node:fs';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import axios from 'axios';

import { TIME_LAPSE } from '../../tools/lib/lapsedTime.mjs';
import {
	outputsOf,
	type Execution,
	type SavedWorkflow,
	type Workflow,
	type WorkflowNode,
} from '../../tools/lib/n8nClient.mjs';
import { removeFolder } from '../../tools/lib/temporaryFolder.mjs';
import { jobOf } from '../support/jobOf.mts';
import { useRealN8n } from '../support/useRealN8n.mts';

/** The examples of MediaGen Trigger, in a real n8n whose minutes are ten times as short. */

/** The home folder of n8n. Nodes may write to the one folder in it, unless n8n is told otherwise. */
const home = path.join(os.tmpdir(), `mediagen-home-${process.pid}`);
const files = path.join(home, '.n8n-files');

const n8n = useRealN8n({
	timeLapse: TIME_LAPSE,
	env: { HOME: home },
	// Each ends when it is told to.
	sandbox: { jobMs: { min: 3_600_000, max: 3_600_000 } },
});

beforeAll(async () => {
	await fs.mkdir(files, { recursive: true });
});

afterAll(async () => {
	await removeFolder(home);
});

/** Of this test; it would go on asking for the next ones. */
let published: SavedWorkflow;

afterEach(async () => {
	await n8n.client.request('POST', `/rest/workflows/${published.id}/deactivate`);
});

jest.setTimeout(120_000);

/**
 * Imports and publishes an example.
 *
 * @param change of one of its nodes, for what is not the same everywhere
 */
async function publish(
	file: string,
	name: string,
	change: (node: WorkflowNode) => Partial<WorkflowNode>,
): Promise<void> {
	const workflow: Workflow = JSON.parse(readFileSync(`examples/${file}`, 'utf8'));
	const node = workflow.nodes.find((each) => each.name === name);
	if (!node) throw new Error(`${file} has no node "${name}"`);
	Object.assign(node, change(node));
	published = await n8n.client.importWorkflow(workflow, [n8n.credential]);
	await n8n.client.activate(published);
}

/** Waits until it gives something. */
async function untilThere<T>(look: () => Promise<T | undefined>): Promise<T> {
	for (;;) {
		const found = await look();
		if (found !== undefined) return found;
		await delay(100);
	}
}

/** All executions of the workflow, the oldest first; they have succeeded. */
async function executions(mode: string): Promise<Execution[]> {
	const listed = await n8n.client.listExecutions(published.id);
	const own = listed.filter((execution) => execution.mode === mode).reverse();
	const all = await Promise.all(own.map(async ({ id }) => await n8n.client.waitForExecution(id)));
	for (const { status, error } of all)
		expect([status, error?.message]).toEqual(['success', undefined]);
	return all;
}

/** Waits until MediaGen Trigger has started so many executions, and all of them have ended. */
async function untilTriggered(count: number): Promise<Execution[]> {
	return await untilThere(async () => {
		const all = await executions('trigger');
		return all.length >= count ? all : undefined;
	});
}

/** Ends a job as the service does. */
function end(prompt: string): { jobId: string } {
	const job = jobOf(n8n.sandbox, prompt);
	if (!job) throw new Error(`There is no job for ${prompt}`);
	job.endsAt = n8n.clock.now();
	return { jobId: job.id };
}

/** A job that no example has started. */
async function startElsewhere(prompt: string): Promise<void> {
	await n8n.run({
		node: 'mediaGenVideo',
		parameters: {
			resource: 'standardVideo',
			operation: 'generate',
			prompt,
			video_model: 'modelA_fast',
			aspect_ratio: '16:9',
			prompt_directory_optin: false,
			waitForCompletion: false,
		},
	});
}

async function rowsOf(name: string): Promise<any[]> {
	const filter = encodeURIComponent(JSON.stringify({ name }));
	const { data } = await n8n.client.request('GET', `/rest/data-tables-global?filter=${filter}`);
	expect(data).toHaveLength(1);
	const [{ id, projectId }] = data;
	const rows = `/rest/projects/${projectId}/data-tables/${id}/rows?sortBy=id:asc`;
	return (await n8n.client.request('GET', rows)).data;
}

test('collectVideos: what the form has started is collected, what others have started is not', async () => {
	const table = 'MediaGen videos to collect';
	await publish('collectVideos.json', 'Save the file', ({ parameters }) => ({
		parameters: {
			...parameters,
			fileName: (parameters as { fileName: string }).fileName.replace('/home/node', home),
		},
	}));
	await startElsewhere('not ours');
	end('not ours');
	const [before] = await untilTriggered(1);
	expect(before && outputsOf(before, 'When videos have ended')[0]).toHaveLength(1);
	expect(before && outputsOf(before, 'Started here?')).toEqual([[]]);
	expect(await rowsOf(table)).toEqual([]);

	const prompts = ['A kite over the dunes', 'A lighthouse [fail]', 'A fox in the snow'];
	const { webhookId } = published.nodes.find(({ name }) => name === 'Prompts') ?? {};
	const address = `${n8n.server.url}/form/${webhookId}`;
	expect((await axios.get(address)).data).toContain('The videos are being started.');
	const form = new FormData();
	form.append('field-0', `${prompts.join('\r\n')}\r\n\r\n`);
	await axios.post(address, form);
	await untilThere(async () => ((await executions('webhook')).length === 1 ? true : undefined));
	const started = await rowsOf(table);
	expect(started).toEqual(
		prompts.map((prompt) =>
			expect.objectContaining({
				prompt,
				jobId: jobOf(n8n.sandbox, prompt)?.id,
				status: 'processing',
				mediaUrl: null,
				problem: null,
				finishedAt: null,
			}),
		),
	);

	const [kite, lighthouse, fox] = prompts.map(end);
	const ended = await untilThere(async () => {
		const rows = await rowsOf(table);
		return rows.every(({ finishedAt }) => finishedAt !== null) ? rows : undefined;
	});
	await executions('trigger');
	const completed = (job?: { jobId: string }) => ({
		...job,
		status: 'completed',
		mediaUrl: `${n8n.sandbox.url}/media/${job?.jobId}.mp4`,
		problem: null,
	});
	const failed = {
		...lighthouse,
		status: 'failed',
		mediaUrl: null,
		problem: 'The sandbox was asked to fail this generation.',
	};
	expect(ended).toEqual(
		[completed(kite), failed, completed(fox)].map((row) => expect.objectContaining(row)),
	);
	const names = [kite, fox].map((job) => `${job?.jobId}.mp4`);
	expect((await fs.readdir(files)).sort()).toEqual(names.sort());
	for (const name of names) {
		const video = await fs.readFile(path.join(files, name));
		expect(video.subarray(4, 8).toString()).toBe('ftyp');
	}
});

test('tellWhenFailed: one message, for the job that has failed', async () => {
	await publish('tellWhenFailed.json', 'Send the message', () => ({
		type: 'n8n-nodes-base.noOp',
		typeVersion: 1,
		credentials: undefined,
	}));
	await startElsewhere('A kite over the dunes');
	await startElsewhere('A lighthouse [fail]');
	end('A kite over the dunes');
	const { jobId } = end('A lighthouse [fail]');
	const all = await untilTriggered(1);
	const messages = all.flatMap((each) => outputsOf(each, 'Send the message')[0] ?? []);
	expect(messages.map(({ json }) => json)).toEqual([
		{
			subject: 'A generation has failed (video)',
			text: `Reason: The sandbox was asked to fail this generation.\nPrompt: A lighthouse [fail]\nJob: ${jobId}`,
		},
	]);
});
