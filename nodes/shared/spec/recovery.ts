import { JOB_RESOURCE } from './jobs';
import type { RecoverOperation } from './types';

/** Field that names the execution. */
export const EXECUTION_ID = 'executionId';

/** Switch that lets the execution go on. */
export const FINISH_EXECUTION = 'finishExecution';

/** Added to the errors of the operation. */
export const RECOVERY_READS =
	'This operation only reads what n8n has stored. Jobs that were paid for go on at the service.';

/** Jobs of a durable run that nobody hands over; the service knows nothing of executions. */
export const RECOVER_JOBS: RecoverOperation = {
	kind: 'recover',
	resource: JOB_RESOURCE.value,
	operation: 'recover',
	label: 'Recover From Execution',
	action: 'Recover from an execution',
	description:
		'List the paid jobs of an execution that was stopped or waits durably, one item each',
	method: 'GET',
	path: '',
	fields: [
		{
			name: EXECUTION_ID,
			label: 'Execution ID',
			type: 'text',
			presence: 'required',
			placeholder: '231',
			description:
				'Number of an execution of this workflow that was stopped or waits: under Executions, it follows ID# at the top',
		},
		{
			name: FINISH_EXECUTION,
			label: 'Finish Execution',
			type: 'toggle',
			presence: 'expected',
			default: false,
			description:
				'Whether to let an abandoned execution go on with its paid jobs; items without one fail. Takes two minutes',
		},
	],
};
