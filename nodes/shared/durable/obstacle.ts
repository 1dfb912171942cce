import type { IExecuteFunctions } from 'n8n-workflow';

import type { Plan } from '../node/run';

/** Ways to run a workflow in which nothing would wake it up again. */
const MODES: Partial<Record<ReturnType<IExecuteFunctions['getMode']>, string>> = {
	cli: 'A workflow run from the command line ends with its process',
	evaluation: 'An evaluation waits for its workflow in process',
};

/** Why a run cannot wait durably, as a sentence; `undefined` when it can. */
export function obstacle(context: IExecuteFunctions, plans: readonly Plan[]): string | undefined {
	// Missing in older versions of n8n.
	const { getExecutionDataById }: Partial<IExecuteFunctions> = context;
	const { id } = context.getWorkflow();
	const reasons: Array<[boolean, string]> = [
		[getExecutionDataById === undefined, 'This version of n8n cannot read other executions'],
		[context.getNode().type.endsWith('Tool'), 'An agent waits for its tools in process'],
		[!id || !context.getExecutionId(), 'The workflow is not saved'],
		[plans.some(({ request }) => request.files), 'The items send files with their requests'],
	];
	return reasons.find(([applies]) => applies)?.[1] ?? MODES[context.getMode()];
}
