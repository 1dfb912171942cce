import { readPlanned } from '../request/readValues';
import { PLANNED_OPERATION, plannedName, priceOf } from '../spec/price';
import type { EstimateOperation } from '../spec/types';
import { InvalidValues } from '../request/validate';
import type { Runner } from '../run/run';

/** Works out what a planned job would cost, from the tables alone. */
export const runEstimate: Runner<EstimateOperation> = async (_run, { planned }, plan) => {
	const name = plan.values[PLANNED_OPERATION];
	return planned
		.filter((operation) => plannedName(operation) === name)
		.map((operation) => {
			const { planned: job, values, problems } = readPlanned(operation, plan.read);
			if (problems.length > 0) throw new InvalidValues(problems);
			const { credits, exact, reason = null } = priceOf(job, values);
			const json = { operation: plannedName(operation), credits, exact, reason };
			return { json, pairedItem: { item: plan.itemIndex } };
		});
};
