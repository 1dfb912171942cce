import type { IDataObject } from 'n8n-workflow';

import { accountOf, type JobContext, type JobSpec } from '../../nodes/shared/orders/jobContext.ts';
import { Batch } from '../../nodes/shared/orders/batch.ts';
import { Orders } from '../../nodes/shared/orders/orders.ts';
import { readHistory } from '../../nodes/shared/orders/history.ts';
import { runJob } from '../../nodes/shared/orders/runJob.ts';
import type { ServiceRequest } from '../../nodes/shared/service/request.ts';
import { GENERATE_IMAGE } from '../../nodes/shared/spec/images.ts';
import { fault } from './fakeService.mts';
import { pacedService } from './pacedService.mts';
import type { VirtualClock } from './virtualClock.mts';

/** From the document. */
const CREATE = '/api/v1/generate/';
const HISTORY = '/api/v1/generate/history/';
const MOST_RUNNING = 5;

interface Made {
	id: string;
	prompt: string;
	/** s from the start. */
	createdAt: number;
	endsAt: number;
}

interface JobRecord {
	id: string;
	status: string;
}

interface Behaviour {
	/** Throws the fault that hits a creation before it has an effect; attempts count from 1. */
	beforeCreation?: (attempt: number) => void;
	/** Replaces the service's answer to a creation. */
	creation?: (answer: object) => unknown;
	/** State of a job that has ended. */
	end?: (job: Made) => string;
	/** Called when a job's status is read. */
	onRead?: (id: string) => void;
	/** Changes the record that a read of a job gives. */
	record?: (record: JobRecord) => object;
	/** Changes the entries of the history. */
	entry?: (record: JobRecord) => object;
	latencyMs?: number;
}

/**
 * An account of the service in virtual time. Each prompt is a number: how long the job
 * takes, s. A sixth job at the same time is refused.
 */
export function jobAccount(clock: VirtualClock, behaviour: Behaviour = {}) {
	const {
		beforeCreation,
		creation,
		end = () => 'completed',
		onRead,
		record = (it) => it,
		entry = (it) => it,
		latencyMs = 50,
	} = behaviour;
	const start = clock.now();
	const seconds = () => (clock.now() - start) / 1000;
	const made: Made[] = [];
	const counts = { attempts: 0, refused: 0 };
	const stateOf = (job: Made) => (seconds() >= job.endsAt ? end(job) : 'processing');
	const timeOf = (at: number) => new Date(start + at * 1000).toISOString();
	const recordOf = (job: Made) => ({
		id: job.id,
		status: stateOf(job),
		created_at: timeOf(job.createdAt),
		completed_at: seconds() >= job.endsAt ? timeOf(job.endsAt) : null,
	});

	const create = ({ body }: ServiceRequest) => {
		beforeCreation?.(++counts.attempts);
		if (made.filter((job) => stateOf(job) === 'processing').length >= MOST_RUNNING) {
			counts.refused += 1;
			throw fault('refused', 429);
		}
		const { prompt } = body as { prompt: string };
		const [id, createdAt] = [`g${made.length}`, seconds()];
		made.push({ id, prompt, createdAt, endsAt: createdAt + Number(prompt) });
		const answer = { success: true, data: { generation_id: id, status: 'processing' } };
		return creation ? creation(answer) : answer;
	};
	const paced = pacedService(clock, async (request) => {
		await clock.sleep(latencyMs / 2);
		const answer = () => {
			if (request.path === CREATE) return create(request);
			if (request.path === HISTORY) return made.map((job) => entry(recordOf(job)));
			const job = made.find(({ id }) => request.path === `${CREATE}${id}/`);
			if (!job) throw fault('refused', 404);
			onRead?.(job.id);
			return record(recordOf(job));
		};
		const body = answer();
		await clock.sleep(latencyMs / 2);
		return body;
	});
	const { open, limits, sent } = paced;
	const account = accountOf(paced.account, clock);
	return {
		counts,
		made,
		limits,
		/** When creations were sent, s from the start. */
		tries: () => sent.filter(({ request }) => request.path === CREATE).map(({ at }) => at / 1000),
		/** When the history was asked, s from the start. */
		asked: () => sent.filter(({ request }) => request.path === HISTORY).map(({ at }) => at / 1000),
		/** When the job's status was read, s from the start. */
		read: (id: string) =>
			sent.filter(({ request }) => request.path === `${CREATE}${id}/`).map(({ at }) => at / 1000),
		/** Opens a run of a node. Two runs with the same context share their execution data. */
		open(more: Partial<JobContext> & { context?: IDataObject; continueOnFail?: boolean } = {}) {
			const { context = {}, continueOnFail = true, ...rest } = more;
			const { signal = new AbortController().signal } = rest;
			const batch = new Batch(continueOnFail);
			const service = open();
			const { claims } = account;
			const run: JobContext = {
				service,
				account,
				orders: new Orders(context, FIRST, account.pool),
				clock,
				executionId: FIRST.execution,
				startedAt: clock.elapsed(),
				isRetry: false,
				stopCreating: batch.stopCreating,
				onItemFailed: batch.onItemFailed,
				signal,
				readHistory: async (granted) => await readHistory(service, granted, { claims, clock }),
				...rest,
			};
			return {
				/** What the item has ordered. */
				order: (itemIndex = 0) => run.orders.find(itemIndex),
				/** Runs the job of an item; gives its result or error, and when it was over, s from the start. */
				async job(prompt: number, jobSpec: Partial<JobSpec> = {}) {
					const spec = { ...jobSpecOf(prompt), ...jobSpec };
					run.orders.match([{ row: spec.itemIndex, asks: spec.noted.asks }]);
					const job = runJob(run, spec);
					const result: unknown = await job.catch((error: unknown) => error);
					return { result, at: seconds() };
				},
			};
		},
	};
}

const FIRST = {
	...{ execution: '1', workflow: 'w', run: 0, lineage: 'first', credential: 'c' },
	...{ isRetry: false, isTool: false, isCalled: false },
};

const requestOf = (prompt: number): ServiceRequest => ({
	method: 'POST',
	path: CREATE,
	body: { prompt: String(prompt) },
});

const jobSpecOf = (prompt: number): JobSpec => ({
	itemIndex: 0,
	operation: GENERATE_IMAGE,
	values: {},
	request: requestOf(prompt),
	noted: {
		asks: String(prompt),
		started: { resource: 'image', operation: 'generate', prompt: String(prompt) },
	},
	wait: true,
	timeoutMs: 600_000,
	maxRunning: MOST_RUNNING,
	failuresAreItems: false,
});
