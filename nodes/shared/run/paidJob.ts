import type { IDataObject } from 'n8n-workflow';

import type { Entry } from '../jobs/ledger';
import { stateIn, textIn } from '../jobs/readRecord';
import { jobOutput } from '../output/jobOutput';
import type { Body } from '../service/bodies';
import { MODEL_FIELDS, PROMPT_FIELD } from '../spec/records';
import { originOf } from './origin';
import type { ItemPlan } from './run';

/** The run of a node that has made an order. */
export interface OrderedBy {
	executionId: string;
	node: string;
	runIndex: number;
}

/** What an item has ordered. */
type Order = Pick<ItemPlan, 'itemIndex' | 'operation' | 'values'>;

/** What is known of a job besides its entry in the ledger. */
interface Known {
	order?: Order;
	/** What was last read of it; the answer to its creation when absent. */
	record?: Body;
}

/**
 * A job that is paid for, or may be, as the JSON of an item: as last known, nothing is asked of the
 * service.
 */
export function paidJob(
	{ job, unknownOutcome, candidates, ended }: Entry,
	{ executionId, node, runIndex }: OrderedBy,
	{ order, record = job?.creation ?? {} }: Known = {},
): IDataObject {
	const by = { executionId, node, runIndex, ...(order && orderJson(order)) };
	if (!job) {
		const mayBe = candidates && { mayBeJobs: candidates as object[] as IDataObject[] };
		return { jobId: null, status: null, unknownOutcome, ...mayBe, ...by };
	}
	const { id, creation, status } = job;
	const origin =
		order?.operation.kind === 'create'
			? originOf(order.operation, order.values, status)
			: { isAnswerOpen: true };
	const seen = { id, creation, record, state: ended ?? stateIn(record), waitedMs: 0 };
	const json = jobOutput(seen, origin, { simplify: true, resultField: '' });
	// Nobody knows how long that was.
	delete json.waitedMs;
	return { ...json, createdAt: new Date(job.startedAt).toISOString(), ...by };
}

const orderJson = ({ itemIndex, values }: Order): IDataObject => ({
	itemIndex,
	prompt: textIn(values, [PROMPT_FIELD]),
	model: textIn(values, MODEL_FIELDS),
});
