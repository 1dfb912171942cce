import { setTimeout as delay } from 'node:timers/promises';

import axios from 'axios';

import { outputsOf, type Execution, type SavedWorkflow } from '../../tools/lib/n8nClient.mts';
import { openDataTable } from '../support/dataTables.mts';
import { jobOf } from '../support/jobOf.mts';
import { useExamples } from '../support/useExamples.mts';

/**
 * Examples that n8n goes on with once a minute: all at the same time, since that is as long as the longest of
 * them takes.
 */

const { n8n, importExample, runExample } = useExamples();

/** Milliseconds that an execution or a poll may take. */
const PATIENCE = 150_000;

/** What the sandbox says of a job that fails. */
const REASON = 'The sandbox was asked to fail this generation.';

const publish = async (...example: Parameters<typeof importExample>) => {
	const workflow = await importExample(...example);
	await n8n.client.activate(workflow);
	return workflow;
};

/** Looks again and again until it gives something. */
async function untilThere<T>(look: () => Promise<T | undefined>): Promise<T> {
	for (;;) {
		const found = await look();
		if (found !== undefined) return found;
		await delay(500);
	}
}

/** The JSON of all items that a node has given out by its first output, in executions that succeeded. */
async function given({ id }: SavedWorkflow, mode: string, node: string): Promise<any[]> {
	const listed = (await n8n.client.listExecutions(id)).filter((one) => one.mode === mode);
	const all: Execution[] = [];
	for (const one of listed.reverse()) all.push(await n8n.client.waitForExecution(one.id));
	for (const { status, error } of all)
		expect([status, error?.message]).toEqual(['success', undefined]);
	return all.flatMap((each) => outputsOf(each, node)[0] ?? []).map(({ json }) => json);
}

const media = (prompt: string, ending: string) =>
	`${n8n.sandbox.url}/media/${jobOf(n8n.sandbox, prompt)?.id}.${ending}`;

/** A video that no example has started. */
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
		},
	});
}

async function overnightBatch(): Promise<void> {
	const prompts = ['A balloon', 'A glacier [fail]', 'A harbour, refused'];
	n8n.sandbox.faults.add({
		match: { kind: 'create', bodyPattern: 'refused' },
		fault: { kind: 'status', status: 402 },
		times: 1,
	});
	const workflow = await importExample('overnightBatch.json', {
		'Three examples': { parameters: { jsonOutput: JSON.stringify({ prompts }) } },
	});
	const first = await n8n.client.runManually(workflow, 'Start');
	await n8n.client.waitForExecution(first, { until: ['waiting'], timeout: PATIENCE });

	// Whoever starts it again meanwhile finds nothing to do.
	const second = await n8n.client.runManually(workflow, 'Every night');
	const idle = await n8n.client.waitForExecution(second);
	expect(outputsOf(idle, 'Prompts to do')).toEqual([[]]);

	const night = await n8n.client.waitForExecution(first, { timeout: PATIENCE });
	expect([night.status, night.error?.message]).toEqual(['success', undefined]);
	const [summary] = outputsOf(night, 'Summary')[0] ?? [];
	expect(summary?.json).toEqual({
		made: 1,
		failed: 1,
		notMade: 1,
		credits: 16,
		text: expect.stringMatching(
			/^1 of 3 images are finished, for 16 credits\.\nA glacier \[fail\]: .+\nA harbour, refused: .+$/,
		),
	});
	const [balloon, glacier, harbour] = prompts;
	const row = {
		imageUrl: null,
		problem: expect.any(String),
		credits: null,
		jobId: null,
		finishedAt: expect.any(String),
	};
	const done = {
		...row,
		prompt: balloon,
		status: 'completed',
		imageUrl: media('A balloon', 'png'),
		problem: null,
		credits: 8,
		jobId: jobOf(n8n.sandbox, 'A balloon')?.id,
	};
	const failed = {
		...row,
		prompt: glacier,
		status: 'failed',
		credits: 8,
		jobId: jobOf(n8n.sandbox, 'A glacier [fail]')?.id,
	};
	const refused = { ...row, prompt: harbour, status: '' };
	const { rows } = await openDataTable(n8n.client, 'MediaGen overnight batch');
	expect(await rows()).toEqual([done, failed, refused].map((one) => expect.objectContaining(one)));

	// The next night is another test's minute; in process, it is a matter of seconds.
	const next = async (maxCredits: number) =>
		await runExample('overnightBatch.json', 'Start', {
			'Make the images': { parameters: { options: { maxCredits } } },
		});
	const over = await next(7);
	expect(outputsOf(over, 'Summary')[0]?.[0]?.json).toMatchObject({ made: 0, notMade: 1 });
	expect((await rows()).at(-1)).toMatchObject({
		...refused,
		problem: expect.stringContaining('Max Credits per Run'),
	});
	const morning = await next(8);
	expect(outputsOf(morning, 'Summary')[0]?.[0]?.json).toMatchObject({ made: 1, credits: 8 });
	expect((await rows()).map(({ status }) => status)).toEqual(['completed', 'failed', 'completed']);
	expect(n8n.sandbox.jobs.filter(({ body }) => prompts.includes(String(body.prompt)))).toHaveLength(
		3,
	);
}

async function collectVideos(workflow: SavedWorkflow): Promise<void> {
	const prompts = ['A kite over the dunes', 'A lighthouse [fail]', 'A fox in the snow'];
	const { webhookId } = workflow.nodes.find(({ name }) => name === 'Prompts') ?? {};
	const address = `${n8n.server.url}/form/${webhookId}`;
	const page = await axios.get(address, { proxy: false });
	expect(page.data).toContain('The videos are being started.');
	const form = new FormData();
	form.append('field-0', `${prompts.join('\r\n')}\r\n\r\n`);
	await axios.post(address, form, { proxy: false });
	const started = await untilThere(async () => {
		const noted = await given(workflow, 'webhook', 'One by one');
		return noted.length === prompts.length ? noted : undefined;
	});
	expect(started.map(({ status }) => status)).toEqual(Array(3).fill('processing'));

	const { rows } = await openDataTable(n8n.client, 'MediaGen videos to collect');
	const ended = await untilThere(async () => {
		const all = await rows();
		return all.every(({ finishedAt }) => finishedAt !== null) ? all : undefined;
	});
	const completed = (prompt: string) => ({
		prompt,
		jobId: jobOf(n8n.sandbox, prompt)?.id,
		status: 'completed',
		mediaUrl: media(prompt, 'mp4'),
		problem: null,
	});
	const [kite = '', lighthouse = '', fox = ''] = prompts;
	const failed = {
		prompt: lighthouse,
		jobId: jobOf(n8n.sandbox, lighthouse)?.id,
		status: 'failed',
		mediaUrl: null,
		problem: REASON,
	};
	expect(ended).toEqual(
		[completed(kite), failed, completed(fox)].map((row) => expect.objectContaining(row)),
	);
	const stored = await given(workflow, 'trigger', 'Store the file');
	expect(stored.map(({ prompt }) => prompt).sort()).toEqual([fox, kite].sort());
	// The trigger tells of what others have started, too.
	const told = await given(workflow, 'trigger', 'When videos have ended');
	expect(told.map(({ prompt }) => prompt).sort()).toEqual([...prompts, 'Not ours'].sort());
}

async function tellWhenFailed(workflow: SavedWorkflow): Promise<void> {
	const prompts = ['A glacier [fail]', 'A lighthouse [fail]'];
	const messages = await untilThere(async () => {
		const all = await given(workflow, 'trigger', 'Send the message');
		return all.length >= prompts.length ? all : undefined;
	});
	const types = ['image', 'video'];
	expect(messages.sort((one, other) => one.subject.localeCompare(other.subject))).toEqual(
		prompts.map((prompt, index) => ({
			subject: `A generation has failed (${types[index]})`,
			text: `Reason: ${REASON}\nPrompt: ${prompt}\nJob: ${jobOf(n8n.sandbox, prompt)?.id}`,
		})),
	);
}

test('overnightBatch, collectVideos and tellWhenFailed, on one account', async () => {
	const triggers = [
		await publish('collectVideos.json'),
		await publish('tellWhenFailed.json', {
			'Send the message': { type: 'n8n-nodes-base.noOp', typeVersion: 1, credentials: undefined },
		}),
	] as const;
	await startElsewhere('Not ours');
	await Promise.all([overnightBatch(), collectVideos(triggers[0]), tellWhenFailed(triggers[1])]);
	for (const workflow of triggers) await n8n.client.deactivate(workflow);
}, 180_000);
