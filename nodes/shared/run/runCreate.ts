import type { INodeExecutionData } from 'n8n-workflow';

import type { JobSpec } from '../jobs/jobContext';
import { runJob } from '../jobs/runJob';
import { jobOutput, originOf } from '../output/jobOutput';
import { resultUrls } from '../output/resultUrls';
import type { CreateOperation } from '../spec/types';
import { jobItems, withSettings } from './finishedItem';
import { jobSpecOf } from './jobSpec';
import type { ItemPlan, Run, Runner } from './run';

/** Creates the job of one item, unless it has one already, and waits for it if that is asked. */
export const runCreate: Runner<CreateOperation> = async (run, operation, plan, onPlace) =>
	await carryOut(run, operation, plan, { outcome: outcomeOf(run, operation, plan), onPlace });

/** The same for an item whose job has ended: its record is read once more, from its own status. */
export const rereadCreate: Runner<CreateOperation> = async (run, operation, plan) =>
	await carryOut(run, operation, plan, { isReread: true });

async function carryOut(
	run: Run,
	operation: CreateOperation,
	plan: ItemPlan,
	more: Pick<JobSpec, 'outcome' | 'isReread' | 'onPlace'>,
): Promise<INodeExecutionData[]> {
	const result = await runJob(run, { ...jobSpecOf(operation, plan), ...more });
	return await jobItems(run, operation, plan, result);
}

/** What a user gets to see of a record: two that come to the same are alike. */
function outcomeOf(
	run: Run,
	operation: CreateOperation,
	{ values, options }: ItemPlan,
): JobSpec['outcome'] {
	const { simplify, resultField } = options;
	return ({ status }) => {
		const origin = withSettings(run, originOf(operation, values, status));
		return {
			kind: [operation.resource, operation.operation, simplify, resultField].join(' '),
			read: (snapshot) => {
				const urls = resultUrls(snapshot, origin, resultField);
				const seen = { ...snapshot, waitedMs: 0 };
				return { text: JSON.stringify(jobOutput(seen, origin, options, urls)), urls: urls.main };
			},
		};
	};
}
