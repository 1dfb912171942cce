import { createHash } from 'node:crypto';

import axios from 'axios';

import type { Job } from '../../sandbox/jobs.mts';
import {
	outputsOf,
	type Credential,
	type Execution,
	type Item,
	type SavedWorkflow,
} from '../../tools/lib/n8nClient.mts';
import { connectionsOf } from '../../tools/lib/workflowNodes.mts';
import type { N8nRuns } from './n8nRuns.mts';
import type { RealN8n, RealQueue } from './realN8n.mts';

/** Workflows that MediaGen Trigger starts in a running n8n, and the jobs that start them. */

export const TRIGGER = 'MediaGen Trigger';

/** The node after the trigger. */
export const NEXT = 'Next';

const NO_OP = { type: 'n8n-nodes-base.noOp', typeVersion: 1 };

/** A node that hashes a file, and has to read it for that. */
export const HASH_FILE = {
	type: 'n8n-nodes-base.crypto',
	typeVersion: 1,
	parameters: {
		action: 'hash',
		type: 'SHA256',
		binaryData: true,
		binaryPropertyName: 'data',
		dataPropertyName: 'hash',
		encoding: 'hex',
	},
};

/** Saves MediaGen Trigger → another node. */
export async function saveTrigger(
	{ client, credential: own }: N8nRuns,
	parameters: object,
	next: { type: string; typeVersion: number; parameters?: object } = NO_OP,
	credential: Credential = own,
): Promise<SavedWorkflow> {
	const trigger = {
		...{ name: TRIGGER, type: 'n8n-nodes-mediagen.mediaGenTrigger', typeVersion: 1 },
		parameters: { pollTimes: { item: [{ mode: 'everyMinute' }] }, ...parameters },
		credentials: { mediaGenApi: credential },
	};
	return await client.createWorkflow({
		name: TRIGGER,
		settings: { executionOrder: 'v1' },
		nodes: [trigger, { name: NEXT, ...next }],
		connections: connectionsOf([[TRIGGER, NEXT]]),
	});
}

/** What a trigger has started so far. */
export interface Fired {
	executions: Execution[];
	/** Items of the trigger. */
	items: Item[];
	/** Items of the node after it. */
	next: Item[];
	/** Jobs of the trigger's items. */
	jobIds: string[];
}

/** All executions that a trigger has started, and those that show that a poll failed. */
export async function fired({ client }: N8nRuns, { id }: SavedWorkflow): Promise<Fired> {
	const list = (await client.listExecutions(id)).filter(({ mode }) => mode === 'trigger');
	const executions: Execution[] = [];
	for (const execution of list.reverse()) executions.push(await client.getExecution(execution.id));
	const itemsOf = (node: string) =>
		executions.flatMap((execution) => outputsOf(execution, node)[0] ?? []);
	const items = itemsOf(TRIGGER);
	const jobIds = items.map(({ json }) => String(json.jobId));
	return { executions, items, next: itemsOf(NEXT), jobIds };
}

/** The list that each poll reads last, and that nothing else reads. */
const LAST_LIST = 'videoStudio.history';

/** How long a poll may go on after that, ms; the next poll is a minute away. */
const REST_OF_POLL = 5000;

/**
 * Waits until `count` more polls have ended, and a moment between two polls has come. This needs an
 * active trigger for all media.
 */
export async function polls({ sandbox, clock }: N8nRuns, count: number): Promise<void> {
	const seen = () => sandbox.journal.to(LAST_LIST).filter(({ status }) => status !== null).length;
	const enough = seen() + count;
	while (seen() < enough) await clock.sleep(500);
	await clock.sleep(REST_OF_POLL);
}

/** Waits until a trigger has fired for all these jobs. */
export async function firedFor(
	n8n: N8nRuns,
	workflow: SavedWorkflow,
	jobs: readonly Job[],
): Promise<void> {
	for (;;) {
		const { jobIds } = await fired(n8n, workflow);
		if (jobs.every(({ id }) => jobIds.includes(id))) return;
		await n8n.clock.sleep(2000);
	}
}

/** Expects a trigger to have fired once for each of these jobs, with what became of it, and for no other. */
export async function expectToldOnce(
	n8n: N8nRuns,
	workflow: SavedWorkflow,
	jobs: readonly Job[],
): Promise<Fired> {
	await firedFor(n8n, workflow, jobs);
	await polls(n8n, 1);
	const told = await fired(n8n, workflow);
	expect([...told.jobIds].sort()).toEqual(jobs.map(({ id }) => id).sort());
	for (const { json } of told.items) {
		const { outcome, operation } = jobs.find(({ id }) => id === json.jobId)!;
		expect(json).toMatchObject({ status: outcome, mediaType: operation.mediaType });
		if (outcome === 'failed') expect(json.mediaUrl).toBeNull();
		else expect((await axios.get(json.mediaUrl)).status).toBe(200);
	}
	return told;
}

/** The same for all jobs that there are. Deactivates it. */
export async function expectAllTold(n8n: N8nRuns, trigger: SavedWorkflow): Promise<void> {
	await expectToldOnce(n8n, trigger, [...n8n.sandbox.jobs]);
	await n8n.client.deactivate(trigger);
}

/** Expects a trigger to fire once for each of 30 jobs, of which some end while n8n is down. */
export async function expectToldOverRestart(
	n8n: RealN8n | RealQueue,
	workflow: SavedWorkflow,
	signal: NodeJS.Signals,
): Promise<Fired> {
	const old = await startJobs(n8n, 4);
	const running = old.slice(3);
	end(n8n, old.slice(0, 3));
	hold(running);
	await n8n.client.activate(workflow);
	const first = await startJobs(n8n, 15);
	await firedFor(n8n, workflow, first.slice(0, 1));
	const [whileDown, afterwards] = [first.slice(-2, -1), first.slice(-1)];
	hold([...whileDown, ...afterwards]);
	await polls(n8n, 1);
	await n8n.kill(signal);
	end(n8n, [...running, ...whileDown]);
	await n8n.restart();
	const second = await startJobs(n8n, 15);
	end(n8n, afterwards);
	const told = await expectToldOnce(n8n, workflow, [...running, ...first, ...second]);
	expect(told.executions.map(({ status }) => status)).toEqual(told.executions.map(() => 'success'));
	return told;
}

/** Expects the node after a trigger to have read the file of each item (`HASH_FILE`). */
export async function expectHashed({ items, next }: Pick<Fired, 'items' | 'next'>): Promise<void> {
	for (const [index, { json }] of items.entries()) {
		const { data } = await axios.get<Buffer>(json.mediaUrl, { responseType: 'arraybuffer' });
		expect(next[index]?.json.hash).toBe(createHash('sha256').update(data).digest('hex'));
	}
}

const PROMPT = '={{ $json.prompt }}';

/** For each kind of job, the node and the parameters that start one. */
const KINDS = [
	['mediaGenImage', { resource: 'image', prompt: PROMPT, size: '1:1' }],
	[
		'mediaGenVideo',
		{
			...{ resource: 'standardVideo', prompt: PROMPT },
			...{ video_model: 'modelA_fast', aspect_ratio: '16:9' },
		},
	],
	[
		'mediaGenVideo',
		{ resource: 'vidA31', prompt: PROMPT, model: 'modelA_fast', aspectRatio: '16:9' },
	],
	[
		'mediaGenVideo',
		{
			resource: 'videoStudio',
			payload: '={{ JSON.stringify({ model: "any", prompt: $json.prompt }) }}',
		},
	],
] as const;

/** One job in this many fails. */
const FAILING = 4;

/**
 * Starts jobs of all kinds, each kind in a workflow of its own, without waiting for them to end.
 * Resolves when all are created.
 */
export async function startJobs(n8n: N8nRuns, count: number): Promise<Job[]> {
	const before = n8n.sandbox.jobs.length;
	const prompts = Array.from({ length: count }, (_, index) => ({
		prompt: `job ${before + index + 1}${index % FAILING === 0 ? ' [fail]' : ''}`,
	}));
	const workflows: SavedWorkflow[] = [];
	for (const [kind, [node, own]] of KINDS.entries()) {
		// One more than there are kinds, so that each kind has some that fail.
		const items = prompts.filter(
			(_, index) => (index % (KINDS.length + 1)) % KINDS.length === kind,
		);
		const parameters = { operation: 'generate', waitForCompletion: false, ...own };
		if (items.length > 0) workflows.push(await n8n.start({ node, items, parameters }));
	}
	for (const workflow of workflows) {
		const { status, error } = await n8n.client.waitForWorkflow(workflow, { timeout: 300_000 });
		if (status !== 'success') throw new Error(`The jobs were not started: ${error?.message}`);
	}
	return n8n.sandbox.jobs.slice(before);
}

/** A time that never comes, ms since 1970. */
const NEVER = 8.64e15;

/** Keeps jobs running until `end` ends them. */
export function hold(jobs: readonly Job[]): void {
	for (const job of jobs) job.endsAt = NEVER;
}

/**
 * Ends jobs.
 *
 * @param agoMs how long ago they ended, ms
 */
export function end({ clock }: Pick<N8nRuns, 'clock'>, jobs: readonly Job[], agoMs = 0): void {
	for (const job of jobs) job.endsAt = clock.now() - agoMs;
}
