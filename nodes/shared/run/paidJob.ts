import type { IDataObject } from 'n8n-workflow';

import type { Entry } from '../jobs/ledger';
import type { Body } from '../service/bodies';
import { stateIn, textIn } from '../jobs/readRecord';
import { MODEL_FIELDS, PROMPT_FIELD } from '../spec/records';
import type { ItemPlan } from './run';

/** The run of a node that has made an order. */
export interface OrderedBy {
	executionId: string;
	node: string;
	runIndex: number;
}

/**
 * A job that is paid for, or may be, as the JSON of an item: as last known, nothing is asked of the
 * service.
 *
 * @param record what was last read of the job; the answer to its creation when absent
 */
export function paidJob(
	{ job, unknownOutcome, ended }: Entry,
	{ executionId, node, runIndex }: OrderedBy,
	record: Body | undefined = job?.creation,
): IDataObject {
	const known = job
		? {
				jobId: job.id,
				status: ended ?? stateIn(record ?? {}) ?? null,
				createdAt: new Date(job.startedAt).toISOString(),
				raw: record as IDataObject,
			}
		: { jobId: null, status: null, unknownOutcome };
	return { ...known, executionId, node, runIndex };
}

/** What the item has ordered. */
export function orderOf({
	itemIndex,
	operation,
	values,
}: Pick<ItemPlan, 'itemIndex' | 'operation' | 'values'>): IDataObject {
	return {
		itemIndex,
		operation: `${operation.resource}.${operation.operation}`,
		prompt: textIn(values, [PROMPT_FIELD]),
		model: textIn(values, MODEL_FIELDS),
	};
}
