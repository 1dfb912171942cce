import type { IDataObject } from 'n8n-workflow';

import { jobOf, type OrderFacts } from '../jobs/order';
import { stateIn, textIn } from '../jobs/readRecord';
import { jobOutput, originOf } from '../output/jobOutput';
import type { Body } from '../service/bodies';
import { MODEL_FIELDS, PROMPT_FIELD } from '../spec/answers';
import type { ItemPlan } from './run';

/** The run of a node that has made an order. */
export interface RunOfNode {
	executionId: string;
	node: string;
	runIndex: number;
}

/** What an item has ordered. */
type Plan = Pick<ItemPlan, 'itemIndex' | 'operation' | 'values'>;

/** What is known of a job besides its order in the ledger. */
interface Known {
	plan?: Plan;
	/** What was last read of it; the answer to its creation when absent. */
	record?: Body;
}

/**
 * A job that is paid for, or may be, as the JSON of an item: as last known, nothing is asked of the
 * service.
 */
export function paidJob(
	order: OrderFacts,
	{ executionId, node, runIndex }: RunOfNode,
	{ plan, record = jobOf(order)?.creation ?? {} }: Known = {},
): IDataObject {
	const by = { executionId, node, runIndex, ...(plan && planJson(plan)) };
	if (order.state === 'inDoubt') {
		const { unknownOutcome, candidates } = order;
		const mayBe = candidates && { mayBeJobs: candidates as object[] as IDataObject[] };
		return { jobId: null, status: null, unknownOutcome, ...mayBe, ...by };
	}
	const { job } = order;
	const { id, creation, status } = job;
	const ended = order.state === 'ended' ? order.ended : undefined;
	const origin =
		plan?.operation.kind === 'create'
			? originOf(plan.operation, plan.values, status)
			: { isAnswerOpen: true };
	const seen = { id, creation, record, state: ended ?? stateIn(record), waitedMs: 0 };
	const json = jobOutput(seen, origin, { simplify: true, resultField: '' });
	// Nobody knows how long that was.
	delete json.waitedMs;
	return { ...json, createdAt: new Date(job.startedAt).toISOString(), ...by };
}

const planJson = ({ itemIndex, values }: Plan): IDataObject => ({
	itemIndex,
	prompt: textIn(values, [PROMPT_FIELD]),
	model: textIn(values, MODEL_FIELDS),
});
