import { mkdtempSync } from 'node:fs';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { TIME_LAPSE } from '../../tools/lib/lapsedTime.mts';
import type { SavedWorkflow } from '../../tools/lib/n8nClient.mts';
import { removeFolder } from '../../tools/lib/temporaryFolder.mts';
import { parameters, prompts, promptsOf } from '../support/imageBatch.mts';
import { isInDoubt, UNDER_WAY } from '../support/inDoubt.mts';
import { mostAtOnce } from '../support/mostAtOnce.mts';
import { ranOf } from '../support/realN8n.mts';
import { until, untilJobs } from '../support/until.mts';
import { useRealN8n } from '../support/useRealN8n.mts';

/**
 * `kill -9` of n8n in the middle of durable batches: five moments, each with four batches of ten
 * at once, so that every batch is hit in another state of its own. Time passes ten times as fast.
 */

const folder = mkdtempSync(path.join(os.tmpdir(), 'mediagen-kill-'));
const killFile = path.join(folder, 'kill');

/** Until all batches are under way nothing ends, however long a slow machine takes to start them. */
const LONG = { min: 3_600_000, max: 3_600_000 };
const SHORT = { min: 5_000, max: 30_000 };

const n8n = useRealN8n({
	timeLapse: TIME_LAPSE,
	env: {
		N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem',
		EXTERNAL_HOOK_FILES: path.resolve('test/support/killHook.cjs'),
		MEDIAGEN_KILL_FILE: killFile,
	},
	sandbox: { jobMs: LONG, queuedMs: 0 },
});

afterAll(async () => {
	await removeFolder(folder);
});

jest.setTimeout(900_000);

const BATCHES = 4;
const names = Array.from({ length: BATCHES }, (_, index) => `batch ${index + 1}`);

let workflows: SavedWorkflow[];

/** Of the batches, and those that work for them. */
const executions = async () => {
	const lists = workflows.map(async ({ id }) => await n8n.client.listExecutions(id));
	return (await Promise.all(lists)).flat();
};

const isWaiting = ({ status }: { status: string }) => status === 'waiting';

const requests = () => n8n.sandbox.journal.entries;
const isUnderWay = (kind: string) =>
	requests().some((request) => request.kind === kind && request.status === null);

/** Those that run end one after the other; those that come are as short. */
const letJobsEnd = () => {
	n8n.sandbox.settings.jobMs = SHORT;
	for (const [index, job] of n8n.sandbox.jobs.entries())
		job.endsAt = n8n.clock.now() + SHORT.min * (index + 1);
};

/** Some answers take so long, ms: otherwise a request is over before anybody sees it. */
const slowDown = (kind: 'status' | 'media', ms: number) =>
	n8n.sandbox.faults.add({ match: { kind }, fault: { kind: 'slow', ms }, times: 5 });

interface Moment {
	name: string;
	/** Lets the jobs end; resolves in the moment. */
	come: () => Promise<void>;
}

const MOMENTS: Moment[] = [
	{
		name: 'right after a creation',
		come: async () => {
			const { length } = n8n.sandbox.jobs;
			letJobsEnd();
			await untilJobs(n8n, length + 1);
		},
	},
	{
		name: 'while all are parked',
		come: async () => {
			const areParked = async () => (await executions()).every(isWaiting);
			await until('all to be parked', areParked, { seen: executions });
			letJobsEnd();
		},
	},
	{
		name: 'while jobs are polled',
		come: async () => {
			letJobsEnd();
			slowDown('status', 2000);
			await until('a poll', () => isUnderWay('status'));
		},
	},
	{
		name: 'between the end of the child and the parent going on',
		come: async () => {
			letJobsEnd();
			await fs.writeFile(killFile, ': hand-over');
			const isKilled = async () => (await fs.readdir(folder)).length === 0;
			await until('the hook to kill n8n', isKilled);
		},
	},
	{
		name: 'during a download',
		come: async () => {
			letJobsEnd();
			slowDown('media', 20_000);
			await until('a download', () => isUnderWay('media'));
		},
	},
];

/**
 * What the page says to do if n8n was killed just while worker and watcher were both awake: time passes so fast here, and
 * the machine may be so slow, that this comes about.
 */
async function retryIfAllAreRed({ id }: SavedWorkflow): Promise<void> {
	const helpers = (await n8n.client.listExecutions(id)).filter(({ mode }) => mode === 'integrated');
	const red = helpers.filter(({ status }) => status === 'crashed');
	if (red.length < 2 || red.length < helpers.length) return;
	console.log(`Retried: ${red.map((one) => one.id).join(', ')}`);
	// That of a watcher is refused.
	for (const helper of red) await n8n.client.retryExecution(helper.id);
}

test.each(MOMENTS)(
	'$name: every batch ends, each item with its result or in doubt',
	async (moment) => {
		workflows = [];
		for (const name of names) {
			workflows.push(
				await n8n.start({
					items: prompts(10, name),
					parameters: { ...parameters, downloadMedia: true, options: { waitMode: 'durable' } },
					settings: { onError: 'continueRegularOutput' },
				}),
			);
		}
		// Before that a batch has created nothing.
		const haveBegun = async () => {
			const own = (await executions()).filter(({ mode }) => mode === 'webhook');
			return own.length >= BATCHES && own.every(isWaiting);
		};
		await until('all batches to wait', haveBegun, { seen: executions });
		await untilJobs(n8n, UNDER_WAY);
		await moment.come();
		await n8n.kill();
		await n8n.restart();
		for (const workflow of workflows) await retryIfAllAreRed(workflow);
		const jobIds: string[] = [];
		const inDoubt: unknown[] = [];
		for (const [index, workflow] of workflows.entries()) {
			const { execution, outputs } = ranOf(
				await n8n.client.waitForWorkflow(workflow, { timeout: 200_000 }),
			);
			expect(execution.status).toBe('success');
			const items = outputs[0] ?? [];
			const ordered = prompts(10, names[index]).map(({ prompt }) => prompt);
			expect(items).toHaveLength(ordered.length);
			const doubts = ordered.filter((_, item) => isInDoubt(items[item]));
			expect(doubts.length).toBeLessThanOrEqual(UNDER_WAY);
			const whole = items.filter((item) => !isInDoubt(item));
			expect(promptsOf(n8n.sandbox, whole)).toEqual(
				ordered.filter((prompt) => !doubts.includes(prompt)),
			);
			for (const { binary } of whole) expect(binary.data.mimeType).toBe('image/png');
			jobIds.push(...whole.map(({ json }) => json.jobId));
			inDoubt.push(...doubts);
		}
		console.log(`${moment.name}: ${jobIds.length} results, ${inDoubt.length} in doubt`);
		// None twice, none lost: each job that was paid for is an item's, or of an item in doubt.
		const paid = n8n.sandbox.jobs.map(({ body }) => body.prompt);
		expect(new Set(paid).size).toBe(paid.length);
		expect(n8n.sandbox.account.charges).toHaveLength(paid.length);
		const certain = n8n.sandbox.jobs.filter(({ body }) => !inDoubt.includes(body.prompt));
		expect(jobIds.sort()).toEqual(certain.map(({ id }) => id).sort());
		expect(mostAtOnce(n8n.sandbox)).toBeLessThanOrEqual(5);
	},
);
