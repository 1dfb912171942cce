import { setTimeout as delay } from 'node:timers/promises';

import type { SavedWorkflow } from '../../tools/lib/n8nClient.mts';
import { expectOwnOrInDoubt, expectPaidOnce, UNDER_WAY } from '../support/durableBatch.mts';
import { parameters, prompts } from '../support/imageBatch.mts';
import { ranOf } from '../support/n8nRuns.mts';
import { sampled } from '../support/sampled.mts';
import { until, untilJobs } from '../support/until.mts';
import { useFastN8n } from '../support/useRealN8n.mts';

/**
 * `kill -9` of n8n in the middle of durable batches: four moments, each with four batches of ten
 * at once, so that every batch is hit in another state of its own. Time passes ten times as fast.
 * By day, two of the moments: unit/durable/chaos has many more, in virtual time.
 */

/** Until all batches are under way nothing ends, however long a slow machine takes to start them. */
const LONG = { min: 3_600_000, max: 3_600_000 };
const SHORT = { min: 5_000, max: 30_000 };

const n8n = useFastN8n({
	sandbox: { jobMs: LONG, queuedMs: 0 },
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
		name: 'during a download',
		come: async () => {
			letJobsEnd();
			slowDown('media', 20_000);
			await until('a download', () => isUnderWay('media'));
		},
	},
];

const UNDER_WORK = ['new', 'running', 'waiting'];

/**
 * The end of a batch. If n8n was killed just while all who worked for it were awake, which comes about when time passes
 * so fast and the machine is so slow, it does what the page says: retries the red ones.
 *
 * @returns `undefined` if nothing is left to retry: then the page says to stop the execution, and to continue it
 */
async function endOf(workflow: SavedWorkflow) {
	const { client } = n8n;
	const listed = async () => await client.listExecutions(workflow.id);
	const isOver = async () =>
		(await listed()).some(({ mode, status }) => mode === 'webhook' && status === 'success');
	const areLost = async () => {
		const helpers = (await listed()).filter(({ mode }) => mode === 'integrated');
		return helpers.every(({ status }) => !UNDER_WORK.includes(status));
	};
	const isDecided = async () => (await isOver()) || (await areLost());
	for (let tries = 0; tries < 4; tries++) {
		const what = 'the end of a batch, or of all who work for it';
		const decided = until(what, isDecided, { seen: listed, everyMs: 1000 });
		// A machine with other work may need several minutes.
		await (tries < 3 ? decided.catch(console.log) : decided);
		// Not the newest: that may be a retry of a helper.
		const batch = (await listed()).find(({ mode }) => mode === 'webhook');
		if (batch && (await isOver())) return await client.waitForExecution(batch.id);
		// Those who are red may not be marked as such yet.
		await delay(10_000);
		if (!(await areLost())) continue;
		const red = (await listed()).filter(({ status }) => status === 'crashed');
		console.log(`Retried: ${JSON.stringify(red.map(({ id }) => id))}`);
		// n8n cannot retry one of which it had stored nothing yet; another one goes on.
		for (const { id } of red) await client.retryExecution(id).catch(console.log);
	}
	return undefined;
}

test.each(sampled(MOMENTS, 2))(
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
		const jobIds: string[] = [];
		const inDoubt: string[] = [];
		const stopped: string[] = [];
		for (const [index, workflow] of workflows.entries()) {
			const ordered = prompts(10, names[index]).map(({ prompt }) => prompt);
			const ended = await endOf(workflow);
			if (!ended) {
				stopped.push(...ordered);
				continue;
			}
			const { execution, outputs } = ranOf(ended);
			expect(execution.status).toBe('success');
			const { whole, doubts } = expectOwnOrInDoubt(n8n.sandbox, outputs[0] ?? [], ordered);
			for (const { binary } of whole) expect(binary.data.mimeType).toBe('image/png');
			jobIds.push(...whole.map(({ json }) => json.jobId));
			inDoubt.push(...doubts);
		}
		expect(stopped.length).toBeLessThanOrEqual(10);
		console.log(`${moment.name}: ${jobIds.length} results, ${inDoubt.length} in doubt`);
		// None twice, none lost: each job that was paid for is an item's, or of an item in doubt.
		expectPaidOnce(n8n.sandbox, jobIds, [...inDoubt, ...stopped]);
	},
);
