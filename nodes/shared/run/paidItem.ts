import type { IDataObject } from 'n8n-workflow';

import type { Job } from '../orders/job';
import { adviceOf, doubtIn, jobOf, type Order } from '../orders/order';
import { stateIn } from '../orders/readRecord';
import { arranged, flatWithout, jobOutput, type Origin, originOf } from '../output/item';
import { shownAnswer } from '../service/serviceError';
import { creationNamed } from '../spec/catalogs';
import type { PaidOrder } from './run';

/** An order as the JSON of an item, as last known: the service is not asked. */
export function paidJson({ order, executionId, node }: PaidOrder): IDataObject {
	const { run, row, started } = order;
	const { prompt = null, model = null, operation } = started;
	const by = { executionId, node, runIndex: run, itemIndex: row, prompt, model };
	const { why, mayBe, answer } = doubtIn(order) ?? {};
	const job = jobOf(order);
	if (!job) {
		const open = {
			...(mayBe && { mayBeJobs: mayBe as object[] as IDataObject[] }),
			...(answer && { answer: shownAnswer(answer) }),
		};
		const told = { ...open, ...by, ...adviceOf(order) };
		return arranged({ jobId: null, status: null, unknownOutcome: why, ...told }, 'order');
	}
	const { id, creation } = job;
	const { state } = order.outcome;
	const seen = {
		...{ id, creation, record: creation, waitedMs: 0 },
		state: state === 'running' ? stateIn(creation) : state,
	};
	// Not known here: how long the node has waited, and why the job has failed, as the record is that of its creation.
	const known = flatWithout(jobOutput(seen, originIn(order, job)), 'waitedMs', 'errorMessage');
	const createdAt = new Date(job.startedAt).toISOString();
	return arranged({ ...known, createdAt, ...by, operation, ...adviceOf(order) }, 'order');
}

/** What an order tells of its job besides the record. */
export function originIn({ started }: Order, job: Job): Origin {
	const { resource, prompt, isFree: isOfFree } = started;
	const operation = creationNamed(resource, started.operation);
	// Another version of the package may have had it.
	if (!operation) return { route: job.status, statusPath: job.link, isAnswerOpen: true };
	return { ...originOf(operation, {}, job), prompt, isFree: isOfFree };
}
